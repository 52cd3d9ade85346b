"""The official MCP client for Python: says as JSON what it saw.

mcp_client.py MODE WHAT stdio COMMAND...
mcp_client.py MODE WHAT http URL KEY
"""

import json
import sys

import anyio
import httpx2
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult


def transport(how, *rest):
    if how == "stdio":
        return stdio_client(StdioServerParameters(command=rest[0], args=list(rest[1:])))
    url, key = rest
    return streamable_http_client(url, http_client=httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}))


def text(result):
    return "".join(block.text for block in result.content)


async def everything(mode, where):
    seen = {"asked": [], "progress": []}

    async def told(progress, total, message):
        seen["progress"].append(message)

    async def asked(context, params):
        seen["asked"].append(params.message)
        return ElicitResult(action="accept", content={"decision": "approve"})

    async with Client(transport(*where), mode=mode, elicitation_callback=asked) as client:
        timer = await client.call_tool("run", {"text": "set a timer for 5 minutes"})
        seen["timer"] = [timer.structured_content["status"], text(timer)]

    async with Client(transport(*where), mode=mode) as client:
        seen["version"] = client.protocol_version
        tools = (await client.list_tools()).tools
        seen["tools"] = [tool.name for tool in tools]
        seen["hints"] = {tool.name: tool.annotations.read_only_hint for tool in tools}
        done = await client.call_tool("run", {"text": "What is 15 percent of 80?"}, progress_callback=told)
        seen["answer"], seen["run"] = text(done), done.structured_content
        wrong = await client.call_tool("run", {"txt": "?"})
        seen["wrong"] = [wrong.is_error, text(wrong)]
        try:
            await client.call_tool("nothing", {})
        except MCPError as error:
            seen["unknown"] = error.code
        read = await client.read_resource(f"run://{done.structured_content['run']}")
        seen["events"] = len(json.loads(read.contents[0].text)["events"])
        route = await client.call_tool("explain_route", {"text": "What is 15 percent of 80?"})
        seen["route"] = route.structured_content["route"]["role"]
        # Nobody is there to be asked: what waits is told, and decided with the tool.
        waits = await client.call_tool("run", {"text": "set a timer for 5 minutes"})
        wanted = waits.structured_content["waits_for"][0]
        seen["waits"] = [waits.structured_content["status"], wanted["settled_by"]]
        approval = {"approval": wanted["approval"]["id"], "hash": wanted["approval"]["hash"]}
        stale = await client.call_tool("approve", approval | {"decision": "approve", "hash": "sha256:" + "0" * 64})
        seen["stale"] = stale.is_error
        decided = await client.call_tool("approve", approval | {"decision": "reject", "reason": "not now"})
        seen["decided"] = decided.structured_content["status"]
    return seen


async def cancel(mode, where):
    async with Client(transport(*where), mode=mode) as client:
        begun = anyio.Event()

        async def told(progress, total, message):
            if "has begun" in message:
                begun.set()

        async def wait():
            await client.call_tool(
                "run", {"text": "rest", "strategy": "task_graph", "wait_seconds": 60}, progress_callback=told
            )

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(wait)
            with anyio.fail_after(60):
                await begun.wait()
            tasks.cancel_scope.cancel()
        with anyio.fail_after(60):
            while True:
                runs = (await client.call_tool("list_runs", {"limit": 1})).structured_content["runs"]
                if runs[0]["status"] == "cancelled":
                    return {"status": runs[0]["status"], "error": runs[0].get("error")}
                await anyio.sleep(0.05)


async def look(mode, where):
    async with Client(transport(*where), mode=mode) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        refused = await client.call_tool("run", {"text": "What is 15 percent of 80?"})
        return {"tools": tools, "refused": [refused.is_error, text(refused)]}


async def main(mode, what, *where):
    print(json.dumps(await {"everything": everything, "cancel": cancel, "look": look}[what](mode, where)))


anyio.run(main, *sys.argv[1:])
