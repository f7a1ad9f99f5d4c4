"""The official MCP client against a running product, in both eras of the protocol, and what no client would send."""

from __future__ import annotations

import json
import re
import sys

import httpx
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import ElicitRequestURLParams, ElicitResult

from tests.clients.mcp_desk import FORMAT, LEGACY, MODERN, Desk, connect
from tests.product import ROOT

pytestmark = pytest.mark.clients


@pytest.mark.parametrize(("mode", "version"), [("auto", MODERN), ("legacy", LEGACY)])
async def test_a_schema_is_asked_for_approved_by_a_person_and_read(desk: Desk, mode: str, version: str) -> None:
    async with connect(desk, mode) as client:
        assert client.protocol_version == version
        name = f"Invoice {mode}"
        waiting = await client.call_tool("create_schema", {"name": name, "response_format": FORMAT})
        answer = waiting.structured_content
        assert (waiting.is_error, answer["status"]) == (False, "waiting_for_approval")
        assert answer["link"].startswith(f"{desk.product.url}/orgs/{desk.organization}/agent/thread?thread=")
        again = await client.call_tool("create_schema", {"name": name, "response_format": FORMAT})
        assert again.structured_content["call_id"] == answer["call_id"]
        assert desk.decide(answer["call_id"], "approved") == 200
        desk.product.wait_until(
            lambda: desk.product.query(f"SELECT 1 FROM documents_schema WHERE name = '{name}'"), "it"
        )
        decision = await client.call_tool("get_decision", {"call_id": answer["call_id"]})
        assert decision.structured_content["status"] == "succeeded"
        listed = await client.call_tool("list_schemas", {})
        assert [row["name"] for row in listed.structured_content["schemas"]].count(name) == 1


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_it_lists_what_the_token_may_use(desk: Desk, mode: str) -> None:
    async with connect(desk, mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    async with connect(desk, mode, desk.secret("ours viewer")) as client:
        seen = {tool.name for tool in (await client.list_tools()).tools}
        refused = await client.call_tool("create_tag", {"name": "paid"})
    assert {"create_schema", "propose_changes", "get_decision", "verify_values"} <= tools.keys()
    assert not {"find_tools", "remember_wish"} & tools.keys()
    assert tools["list_documents"].annotations.read_only_hint and tools["delete_document"].annotations.destructive_hint
    assert "idempotency_key" in tools["create_tag"].input_schema["properties"]
    assert seen == {name for name, tool in tools.items() if tool.annotations.read_only_hint}
    assert refused.is_error and "needs the role" in refused.content[0].text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_what_reads_answers_as_its_schema_says_and_names_its_document(desk: Desk, mode: str) -> None:
    """The client itself refuses an answer that does not fit."""
    async with connect(desk, mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        text = await client.call_tool("get_ocr_text", {"document": "ours.txt"})
        refused = await client.call_tool("get_ocr_text", {})
    assert tools["get_ocr_text"].input_schema["required"] == ["document"]
    assert tools["get_ocr_text"].output_schema["properties"]["pages"] == {"type": "array"}
    assert not text.is_error and text.structured_content["page_count"] == 1
    assert refused.is_error and "say which document is meant" in refused.content[0].text


async def test_changes_are_proposed_together_and_decided_one_by_one(desk: Desk) -> None:
    changes = [
        {"tool": "create_tag", "arguments": {"name": "filed"}},
        {"tool": "update_document", "arguments": {"document_id": desk.document, "add_tags": ["filed"]}},
        {"tool": "create_tag", "arguments": {"name": "other"}},
    ]
    async with connect(desk, "auto") as client:
        answer = (await client.call_tool("propose_changes", {"changes": changes})).structured_content
        ids = [call["call_id"] for call in answer["calls"]]
        assert desk.decide(ids[0], "rejected") == 200 and desk.decide(ids[2], "approved") == 200
        desk.product.wait_until(lambda: desk.product.query("SELECT 1 FROM documents_tag WHERE name = 'other'"), "it")
        states = [(await client.call_tool("get_decision", {"call_id": each})).structured_content for each in ids]
        assert [state["status"] for state in states] == ["rejected", "superseded", "succeeded"]
        mixed = await client.call_tool("propose_changes", {"changes": [{"tool": "list_tags", "arguments": {}}]})
        assert mixed.is_error and "list_tags reads" in mixed.content[0].text


async def test_resources_prompts_and_completions(desk: Desk) -> None:
    async with connect(desk, "auto") as client:
        (listed,) = (await client.list_resources()).resources
        assert (listed.name, listed.uri) == ("ours.txt", f"docrouter://documents/{desk.document}")
        page = (await client.read_resource(f"{listed.uri}/pages/1")).contents[0].text
        assert "Total 5" in page and "<data kind" in page
        prompts = [prompt.name for prompt in (await client.list_prompts()).prompts]
        assert prompts == ["design_schemas", "write_prompts"]
        foreign = desk.ask("resources/read", {"uri": f"docrouter://documents/{desk.secrets['other'][1]}"})
        unknown = desk.ask("resources/read", {"uri": "file:///etc/passwd"})
        far = desk.ask("resources/read", {"uri": f"{listed.uri}/pages/{'9' * 5000}"})
        assert far["error"]["code"] == -32602 and "There is no page" in far["error"]["message"]
        assert foreign["error"]["code"] == unknown["error"]["code"] == -32602 and "Total" not in json.dumps(foreign)
        reference = {"type": "ref/resource", "uri": "docrouter://documents/{document}"}
        argument = {"name": "document", "value": "our"}
        offered = desk.ask("completion/complete", {"ref": reference, "argument": argument})
        assert offered["result"]["completion"]["values"] == ["ours.txt"]


def test_a_card_is_shown_inside_of_clients_that_show_pages_and_can_be_decided_in_none(desk: Desk) -> None:
    shows = {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}
    listed = desk.ask("tools/list", {}, extensions=shows)["result"]["tools"]
    paged = {tool["name"]: tool["_meta"]["ui"]["resourceUri"] for tool in listed if "_meta" in tool}
    assert paged["add_document"] == "ui://docrouter/card" and "list_documents" not in paged
    (page,) = desk.ask("resources/read", {"uri": paged["add_document"]})["result"]["contents"]
    assert page["mimeType"] == "text/html;profile=mcp-app"
    assert page["_meta"]["ui"]["csp"] == {"connectDomains": [], "resourceDomains": []}
    assert not re.findall(r"(?:src|href)=|url\((?!\"data:)|tools/call", page["text"])

    call = {"name": "create_tag", "arguments": {"name": "<img src=x onerror=alert(1)> shown"}}
    shown = desk.ask("tools/call", call, extensions=shows)["result"]
    card = shown["_meta"]["docrouter/card"]
    assert "Create tag" in card["markup"] and card["link"] == shown["structuredContent"]["link"]
    assert not re.findall(r"<(?:form|button|input|script|img|a)\b", card["markup"])
    plain = desk.ask("tools/call", {"name": "create_tag", "arguments": {"name": "plain"}})["result"]
    assert "docrouter/card" not in str(plain) and "resourceUri" not in str(desk.ask("tools/list", {}))


def test_the_handshake_never_answers_the_stateless_version(desk: Desk) -> None:
    for asked in (MODERN, LEGACY, "2024-11-05", "never"):
        params = {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
        answer = desk.post({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
        line = next(each for each in answer.text.splitlines() if each.startswith("data: {"))
        version = json.loads(line.removeprefix("data: "))["result"]["protocolVersion"]
        assert version == (asked if asked in (LEGACY, "2024-11-05") else LEGACY)


def test_who_is_nobody_or_limited_is_refused_with_a_sentence(desk: Desk) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answers = {
        401: [desk.post(body, secret=""), desk.post(body, secret="org_wrong")],
        403: [
            desk.post(body, secret=desk.secret("account")),
            desk.post(body, secret=desk.secret("ours upload")),
            desk.post(body, Origin="https://evil.example"),
            desk.post(body, Host="evil.example"),
        ],
    }
    for status, refused in answers.items():
        for answer in refused:
            assert answer.status_code == status and answer.json()["error"]["message"], answer.text
    assert answers[401][0].headers["WWW-Authenticate"].startswith("Bearer resource_metadata=")


def test_what_is_no_message_is_refused_and_the_next_one_served(desk: Desk) -> None:
    modern = {"MCP-Protocol-Version": MODERN}
    assert httpx.get(f"{desk.product.url}/mcp").status_code == 405
    assert desk.post(b"{", **modern).status_code == 400
    assert desk.post([], **modern).status_code == 400
    assert desk.post(b" " * (5 * 1024 * 1024), **modern).status_code == 413
    for name, value, most in [
        ("list_documents", "x" * (1024 * 1024), "256 kB"),
        ("list_documents", [[]] * 6_000, "5,000 values"),
        ("create_schema", [[]] * 60_000, "50,000 values"),
    ]:
        hostile = desk.ask("tools/call", {"name": name, "arguments": {"name_search": value}})
        assert most in hostile["error"]["message"]
    large = {"name": "update_prompt", "arguments": {"content": "x" * (1024 * 1024), "prompt_id": "none"}}
    assert desk.ask("tools/call", large)["result"]["isError"]
    for name, arguments in [("no_tool", {}), ("end_turn", {})]:
        assert desk.ask("tools/call", {"name": name, "arguments": arguments})["error"]["code"] == -32602
    for arguments in ({"changes": "x"}, {"changes": []}, {"changes": [{"tool": "no_tool", "arguments": {}}]}, {}):
        answer = desk.ask("tools/call", {"name": "propose_changes", "arguments": arguments})["result"]
        assert answer["isError"] and answer["content"][0]["text"]
    for call_id in ("x", "", desk.document, 5, None):
        answer = desk.ask("tools/call", {"name": "get_decision", "arguments": {"call_id": call_id}})["result"]
        assert answer["isError"]
    assert len(desk.ask("tools/list", {})["result"]["tools"]) < 16
    assert "Traceback" not in desk.product.log


async def test_over_stdio_it_is_the_same_server(desk: Desk) -> None:
    variables = {**desk.product.variables(), "DOCROUTER_TOKEN": desk.secret("ours viewer")}
    server = StdioServerParameters(command=sys.executable, args=["manage.py", "mcp"], env=variables, cwd=ROOT)
    async with Client(server) as client:
        listed = await client.call_tool("list_documents", {})
        assert [row["document_name"] for row in listed.structured_content["documents"]] == ["ours.txt"]
        assert "create_tag" not in [tool.name for tool in (await client.list_tools()).tools]
    refused = desk.product.run("mcp")
    assert refused.returncode == 1 and "DOCROUTER_TOKEN: put an access token" in refused.stderr


async def test_a_client_that_opens_addresses_is_asked_to_open_the_card_and_its_yes_decides_nothing(desk: Desk) -> None:
    asked: list[ElicitRequestURLParams] = []

    async def accept(context: object, params: ElicitRequestURLParams) -> ElicitResult:
        asked.append(params)
        return ElicitResult(action="accept", content={"approved": True})

    variables = {**desk.product.variables(), "DOCROUTER_TOKEN": desk.secret(), "MCP_WAIT_SECONDS": "2"}
    server = StdioServerParameters(command=sys.executable, args=["manage.py", "mcp"], env=variables, cwd=ROOT)
    async with Client(server, mode="legacy", elicitation_callback=accept) as client:  # type: ignore[arg-type]
        waiting = await client.call_tool("create_tag", {"name": "opened"})
    (params,) = asked
    assert (params.mode, params.url) == ("url", waiting.structured_content["link"])
    assert waiting.structured_content["status"] == "waiting_for_approval"
    assert not desk.product.query("SELECT 1 FROM documents_tag WHERE name = 'opened'")
