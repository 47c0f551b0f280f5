"""One session of an agent that works in a vault, through the official MCP client.

    session.py URL TOKEN

Writes a note, finds it, changes it, moves it, ticks off a recurring card of a board, looks at what was
done and takes it back. Prints every step: the call, the text that the agent reads, and the structured
answer, as JSON.
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

STEPS: list[dict] = []


async def call(client: Client, tool: str, **arguments: object) -> dict:
    """One call, written down."""
    result = await client.call_tool(tool, arguments)
    text = [block.text for block in result.content if block.type == "text"]
    step = {"tool": tool, "arguments": arguments, "text": text}
    if result.is_error:
        step["is_error"] = True
    else:
        step["structured"] = result.structured_content
    STEPS.append(step)
    return result.structured_content or {}


async def session(client: Client) -> None:
    await call(
        client,
        "vault_write_note",
        path="Projects/Sourdough.md",
        body="# Sourdough\n\n## Log\n\n- first loaf, too dense\n",
        properties={"tags": ["baking"], "status": "active"},
    )
    found = await call(client, "vault_search", query="dense loaf")
    assert found["results"][0]["path"] == "Projects/Sourdough.md"
    read = await call(client, "vault_read_note", path="Projects/Sourdough.md")
    patch = {
        "path": "Projects/Sourdough.md",
        "operation": "append",
        "heading": "Log",
        "content": "- second loaf, an open crumb",
        "expected_hash": read["hash"],
    }
    await call(client, "vault_patch_note", **patch, dry_run=True)
    await call(client, "vault_patch_note", **patch)
    # The hash is the one from before: somebody else could have made that change.
    await call(client, "vault_patch_note", **{**patch, "content": "- third loaf"})
    await call(client, "vault_update_properties", path="Projects/Sourdough.md", properties={"status": "done"})
    await call(client, "vault_move_note", old_path="Projects/Sourdough.md", new_path="Archive/Baking/Bread.md")
    await call(client, "vault_get_backlinks", path="Archive/Baking/Bread.md")
    tasks = await call(client, "vault_list_tasks", path="Board.md")
    feed = next(task for task in tasks["tasks"] if task.get("block_id") == "feed")
    await call(client, "vault_update_task", path="Board.md", block_id="feed", status="done")
    assert feed["heading"] == "Doing"
    await call(client, "vault_list_tasks", path="Board.md", status="all")
    await call(client, "vault_read_note", path="Board.md")
    await call(client, "vault_update_memory", file="Me", section="Facts", entry="bakes on Sundays",
               options={"date": "2026-03-01"})
    history = await call(client, "vault_history")
    newest = {row["tool"]: row["change"] for row in reversed(history["changes"])}
    await call(client, "vault_diff", change=newest["vault_update_task"])
    await call(client, "vault_undo", change=newest["vault_update_task"])
    moves = [row["change"] for row in history["changes"] if row["kind"] == "move"]
    await call(client, "vault_undo", change=moves[0])
    await call(client, "vault_get_backlinks", path="Projects/Sourdough.md")
    await call(client, "vault_delete_note", path="Projects/Sourdough.md")
    await call(client, "vault_search", query="dense loaf")
    await call(client, "vault_undo", principal="static-token", since="2020-01-01")


async def main() -> None:
    url, token = sys.argv[1:]
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport) as client:
            await session(client)
    json.dump(STEPS, sys.stdout, ensure_ascii=False)


asyncio.run(main())
