"""Calls every served tool and prompt through the official MCP client and reports what it saw, as JSON.

    every_tool.py http  MODE URL TOKEN
    every_tool.py stdio MODE BINARY [NAME=VALUE ...]

MODE is the client's way to agree on a revision: "auto", "legacy", or a revision's date. The client
itself validates every structured answer against the advertised output schema; whatever it raises,
and whatever this script finds wrong, is listed in "faults".
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import PromptReference


class Report:
    """What was called and what was wrong."""

    def __init__(self) -> None:
        self.calls = 0
        self.tools_served: set[str] = set()
        self.tools_called: set[str] = set()
        self.faults: list[str] = []
        self.protocol = ""

    async def call(self, client: Client, tool: str, **arguments: object) -> dict:
        """One call that must succeed; gives its structured content."""
        self.calls += 1
        self.tools_called.add(tool)
        try:
            result = await client.call_tool(tool, arguments)
        except Exception as error:  # every kind of failure is a row of the report
            self.faults.append(f"{tool} {arguments}: {type(error).__name__}: {error}")
            return {}
        if result.is_error:
            self.faults.append(f"{tool} {arguments}: {result.content[0].text}")
            return {}
        if not any(block.type == "text" for block in result.content):
            self.faults.append(f"{tool} {arguments}: no text")
        if result.structured_content is None:
            self.faults.append(f"{tool} {arguments}: no structured content")
            return {}
        return result.structured_content

    async def fails(self, client: Client, tool: str, **arguments: object) -> None:
        """One call that must be answered with a tool's error."""
        self.calls += 1
        result = await client.call_tool(tool, arguments)
        if not result.is_error:
            self.faults.append(f"{tool} {arguments}: succeeded")

    def expect(self, holds: bool, what: str) -> None:
        if not holds:
            self.faults.append(what)


async def every_tool(client: Client, report: Report) -> None:
    """Every tool, as an agent would go about it: look around, search, read, follow."""
    tools = (await client.list_tools()).tools
    report.expect(len({tool.name for tool in tools}) == len(tools), "a tool is listed twice")
    for tool in tools:
        report.expect(tool.output_schema is not None, f"{tool.name} has no output schema")
    report.tools_served = {tool.name for tool in tools}
    report.protocol = client.protocol_version

    status = await report.call(client, "index_status")
    for _ in range(600):
        if "indexing" not in status:
            break
        await asyncio.sleep(0.1)
        status = await report.call(client, "index_status")
    report.expect("indexing" not in status, "the index is not complete after a minute")

    listed = await report.call(client, "vault_list_notes")
    notes = listed.get("notes", [])
    report.expect(len(notes) > 10, f"only {len(notes)} notes")
    report.expect(status.get("notes") == listed.get("total"), f"{status.get('notes')} notes indexed, {listed.get('total')} listed")

    tags = (await report.call(client, "vault_list_tags")).get("tags", [])
    for row in tags[:3]:
        tagged = await report.call(client, "vault_search_by_tag", tag=row["tag"])
        report.expect(tagged.get("total", 0) >= row["count"], f"#{row['tag']}: {row['count']} counted, {tagged.get('total')} found")

    keys = (await report.call(client, "vault_list_property_keys")).get("keys", [])
    for row in keys[:3]:
        values = (await report.call(client, "vault_list_property_values", key=row["key"])).get("values", [])
        for value in values[:2]:
            having = await report.call(client, "vault_search_by_property", key=row["key"], value=value["value"])
            report.expect(having.get("total", 0) > 0, f"{row['key']}: {value['value']!r} is listed and not found")
    if not keys:
        await report.call(client, "vault_list_property_values", key="status")
        await report.call(client, "vault_search_by_property", key="status", value="open")
    below = await report.call(client, "vault_search_by_folder", folder="/", limit=1)
    report.expect(below.get("total") == listed.get("total"), f"{below.get('total')} notes below the root")
    for order in ("created", "modified"):
        recent = await report.call(client, "vault_recent_notes", sort_by=order)
        report.expect(recent.get("total") == listed.get("total"), f"{recent.get('total')} recent notes by {order}")
    for row in (await report.call(client, "vault_find_orphans", limit=3)).get("notes", []):
        back = await report.call(client, "vault_get_backlinks", path=row["path"])
        others = [link["path"] for link in back.get("backlinks", []) if link["path"] != row["path"]]
        report.expect(not others, f"{row['path']} is no orphan: {others}")

    for note in notes[:: max(1, len(notes) // 6)]:
        await report.call(client, "vault_read_note", path=note)
        await report.call(client, "vault_read_note", path=note, start_line=1, limit=3)
        outline = await report.call(client, "vault_read_note", path=note, outline=True)
        headings = [heading["text"] for heading in outline.get("headings", [])]
        unique = [heading for heading in headings if headings.count(heading) == 1]
        if unique:
            await report.call(client, "vault_read_note", path=note, heading=unique[0])
        name = note.rsplit("/", 1)[-1].removesuffix(".md")
        found = await report.call(client, "vault_search", query=name, limit=50)
        report.expect(note in [hit["path"] for hit in found.get("results", [])], f"{note} is not found by its name")
        await report.call(client, "vault_fts_search", query=name)
        links = (await report.call(client, "vault_get_outgoing_links", path=note)).get("outgoing_links", [])
        for link in [link for link in links if link["exists"]][:2]:
            back = await report.call(client, "vault_get_backlinks", path=link["path"])
            sources = [row["path"] for row in back.get("backlinks", [])]
            report.expect(note in sources or "left_out" in back, f"{note} links to {link['path']}, which does not know it")

    await report.call(client, "vault_get_daily_note")
    await report.call(client, "vault_get_daily_note", date="2024-02-29")
    await report.call(client, "vault_list_tasks", status="all", limit=20)
    remembered = (await report.call(client, "vault_list_memory_files")).get("files", [])
    await report.call(client, "vault_get_memory")
    for file in remembered[:3]:
        whole = (await report.call(client, "vault_get_memory", file=file["file"])).get("text", "")
        for heading in [heading for heading in file["headings"] if heading.get("entryCount")][:2]:
            section = await report.call(client, "vault_get_memory", file=file["file"], section=heading["text"])
            report.expect(section.get("text", "?") in whole, f"{file['file']} does not hold its own {heading['text']}")
    recalled = await report.call(client, "vault_memory_recall", query="what do I prefer in the mornings")
    names = [file["file"] for file in remembered]
    report.expect(all(entry["file"] in names for entry in recalled.get("entries", [])), "an entry of no memory file")
    files = (await report.call(client, "vault_list_files", limit=500)).get("files", [])
    readable = [row["path"] for row in files if row["extension"] in (".canvas", ".base", ".json", ".txt", ".svg", ".css")]
    for path in readable[:5]:
        await report.call(client, "vault_read_file", path=path)
    report.expect(bool(files), "no file but notes in this vault")
    if not readable:
        # Nothing that every build can read: the refusal must name what can be read.
        await report.fails(client, "vault_read_file", path=files[0]["path"] if files else "x.bin")
        report.tools_called.add("vault_read_file")

    changes = (await report.call(client, "vault_history")).get("changes", [])
    if changes:
        await report.call(client, "vault_diff", change=changes[0]["change"])
    else:
        await report.fails(client, "vault_diff", change=1)
        report.tools_called.add("vault_diff")

    await report.fails(client, "vault_read_note", path="../outside.md")
    await report.fails(client, "vault_read_note", path="no such note.md")
    await report.fails(client, "vault_search", query="x", limit=-1)


async def every_prompt(client: Client, report: Report) -> None:
    """Every prompt, listed and put together, and what the client offers for its arguments."""
    prompts = (await client.list_prompts()).prompts
    report.expect(len(prompts) >= 2, f"only {len(prompts)} prompts")
    for prompt in prompts:
        message = (await client.get_prompt(prompt.name, {})).messages
        report.expect([part.role for part in message] == ["user"], f"{prompt.name}: {message}")
        text = message[0].content.text
        report.expect(text.count("<vault-content") == text.count("</vault-content>"), f"{prompt.name}: {text}")
        report.expect("cannot be shown" not in text, f"{prompt.name}: {text}")
        for argument in prompt.arguments or []:
            offered = (await client.complete(PromptReference(name=prompt.name), {"name": argument.name, "value": ""})).completion
            report.expect(argument.name == "file" or len(offered.values) > 0, f"{prompt.name}: nothing offered for {argument.name}")
            for value in offered.values[:2]:
                given = await client.get_prompt(prompt.name, {argument.name: value})
                report.expect(len(given.messages) == 1, f"{prompt.name} {argument.name}={value}: {given}")


async def main() -> None:
    transport, mode, target, *rest = sys.argv[1:]
    report = Report()
    if transport == "http":
        headers = {"Authorization": f"Bearer {rest[0]}"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            async with Client(streamable_http_client(target, http_client=http), mode=mode) as client:
                await every_tool(client, report)
                await every_prompt(client, report)
    else:
        environment = dict(pair.split("=", 1) for pair in rest)
        server = StdioServerParameters(command=target, args=["serve", "--stdio"], env=environment)
        async with Client(server, mode=mode) as client:
            await every_tool(client, report)
            await every_prompt(client, report)
    print(
        json.dumps(
            {
                "calls": report.calls,
                "tools_served": sorted(report.tools_served),
                "tools_called": sorted(report.tools_called),
                "faults": report.faults,
                "protocol": report.protocol,
            }
        )
    )


asyncio.run(main())
