"""One client from its first contact to its last, through the official Python package of either major version.

    oauth.py URL          by OAuth: registers, asks to be let in, calls, renews, is taken out again
    oauth.py URL TOKEN    with a token

Prints one JSON object a line. {"open": URL} asks for what the owner's browser does with it: the next line of
standard input must be the address that it was sent back to. The last line tells what happened.
"""

import asyncio
import contextlib
import json
import sys
from importlib.metadata import version
from urllib.parse import parse_qs, urlsplit

from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import OAuthClientMetadata

MAJOR = int(version("mcp").split(".")[0])
CALLBACK = "http://localhost:41988/callback"

if MAJOR >= 2:
    import httpx2 as httpx
    from mcp import Client
    from mcp.client.auth import AuthorizationCodeResult
    from mcp.client.streamable_http import streamable_http_client
else:
    import httpx
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client


def say(what: dict) -> None:
    print(json.dumps(what), flush=True)


class Storage:
    """Keeps in memory what a client keeps on disk."""

    def __init__(self) -> None:
        self.tokens, self.client = None, None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens) -> None:
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client) -> None:
        self.client = client


@contextlib.asynccontextmanager
async def connected(url: str, auth=None, headers=None):
    """A client of the installed version: `call(tool, arguments)` and `tools()`."""
    if MAJOR >= 2:
        async with httpx.AsyncClient(headers=headers or {}, auth=auth) as http:
            async with Client(streamable_http_client(url, http_client=http)) as client:
                yield client
    else:
        async with streamablehttp_client(url, headers=headers, auth=auth) as (read, write, _):
            async with ClientSession(read, write) as client:
                await client.initialize()
                yield client


def structured(result) -> dict:
    return getattr(result, "structured_content", None) or getattr(result, "structuredContent", None) or {}


async def search(client) -> str | None:
    found = structured(await client.call_tool("vault_search", {"query": "sourdough"})).get("results")
    return found[0]["path"] if found else None


async def write(client) -> dict:
    try:
        result = await client.call_tool("vault_write_note", {"path": "From a client.md", "body": "text"})
        failed = getattr(result, "is_error", None) or getattr(result, "isError", None)
        return {"wrote": not failed, "said": result.content[0].text}
    except Exception as error:  # noqa: BLE001: whatever the client makes of it is told
        return {"wrote": False, "said": str(error)}


async def with_token(url: str, token: str) -> None:
    async with connected(url, headers={"Authorization": f"Bearer {token}"}) as client:
        tools = (await client.list_tools()).tools
        say({"tools": len(tools), "found": await search(client)} | await write(client))


async def by_oauth(url: str) -> None:
    storage, opened, back = Storage(), [], {}

    async def open_browser(address: str) -> None:
        opened.append(address)

    async def sent_back():
        if len(opened) > 1:
            raise RuntimeError("the owner is asked again")
        say({"open": opened[0]})
        line = await asyncio.to_thread(sys.stdin.readline)
        back.update({name: values[0] for name, values in parse_qs(urlsplit(line.strip()).query).items()})
        if MAJOR >= 2:
            return AuthorizationCodeResult(code=back["code"], state=back.get("state"), iss=back.get("iss"))
        return back["code"], back.get("state")

    metadata = OAuthClientMetadata(
        client_name=f"Python package {MAJOR}",
        redirect_uris=[CALLBACK],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
        token_endpoint_auth_method="none" if MAJOR >= 2 else "client_secret_post",
    )
    provider = OAuthClientProvider(url, metadata, storage, open_browser, sent_back)
    done: dict = {}
    async with connected(url, auth=provider) as client:
        done["tools"] = len((await client.list_tools()).tools)
        done["found"] = await search(client)
        done |= await write(client)
        done["public_client"] = not storage.client.client_secret
        done["state"], done["iss"] = bool(back.get("state")), back.get("iss")
        # Everything expires; then four calls at once find that out.
        before = storage.tokens.access_token
        await asyncio.sleep(storage.tokens.expires_in + 1)
        done["after_expiry"] = await asyncio.gather(*(search(client) for _ in range(4)))
        done["renewed"] = storage.tokens.access_token != before
        # Taken back: the next call ends in front of the owner again.
        async with httpx.AsyncClient() as http:
            origin = "{0.scheme}://{0.netloc}".format(urlsplit(url))
            endpoints = (await http.get(f"{origin}/.well-known/oauth-authorization-server")).json()
            form = {"token": storage.tokens.refresh_token, "client_id": storage.client.client_id}
            if storage.client.client_secret:
                form["client_secret"] = storage.client.client_secret
            done["revocation"] = (await http.post(endpoints["revocation_endpoint"], data=form)).status_code
        try:
            done["after_revocation"] = {"path": await asyncio.wait_for(search(client), 20)}
        except BaseException as error:  # noqa: BLE001: some versions give it up with a group of errors
            done["after_revocation"] = {"error": repr(error)[:500]}
        done["asked_again"] = len(opened) > 1
        say(done)


async def main() -> None:
    url, *token = sys.argv[1:]
    if token:
        await with_token(url, token[0])
    else:
        with contextlib.suppress(BaseExceptionGroup):
            await by_oauth(url)


asyncio.run(main())
