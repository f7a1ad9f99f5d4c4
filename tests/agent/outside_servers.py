"""An MCP server of others on loopback, as honest or hostile as a test sets it, and the rows that name it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest

from accounts.actor import Actor
from agent.models import OutsideServer, OutsideTool
from agent.outside import listing_runs, servers
from tests.loopback_server import LoopbackServer, QuietHandler

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


@dataclass
class Behaviour:
    """What the server lists and answers, and what it was asked."""

    tools: list[dict[str, Any]] = field(default_factory=list)
    answer: Any = "done"
    redirect: str = ""
    status: int = 200
    kind: str = "application/json"
    breaks_off: bool = False
    seconds: float = 0.0
    asked: list[tuple[str, dict[str, Any], dict[str, str]]] = field(default_factory=list)

    def tell(self, name: str, description: str = "Sends a text.", schema: Any = None) -> None:
        self.tools = [each for each in self.tools if each["name"] != name]
        self.tools.append({"name": name, "description": description, "inputSchema": schema or TEXT})

    def list_calls(self) -> list[dict[str, Any]]:
        return [params for method, params, _ in self.asked if method == "tools/call"]


class McpHandler(QuietHandler):
    behaviour: ClassVar[Behaviour]

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        method, does = message["method"], self.behaviour
        headers = {name.lower(): text for name, text in self.headers.items()}
        does.asked.append((method, message.get("params") or {}, headers))
        if does.redirect:
            return self.send(b"", 307, {"Location": does.redirect})
        if (does.status, does.kind) != (200, "application/json"):
            return self.send(b"no", does.status, {"Content-Type": does.kind})
        if "id" not in message:
            return self.send(b"", 202)
        if method == "tools/call":
            time.sleep(does.seconds)
            if does.breaks_off:
                self.close_connection = True
                return None
        answers = {
            "initialize": {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "outside", "version": "1"},
            },
            "tools/list": {"tools": does.tools},
            "tools/call": {"content": [{"type": "text", "text": does.answer}]},
        }
        if method not in answers:
            return self.answer({"id": message["id"], "error": {"code": -32601, "message": "unknown"}})
        return self.answer({"id": message["id"], "result": answers[method]})

    def answer(self, body: dict[str, Any]) -> None:
        self.send(json.dumps({"jsonrpc": "2.0", **body}).encode(), 200, {"Content-Type": "application/json"})

    def send(self, body: bytes, status: int, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, text in {**(headers or {}), "Content-Length": str(len(body))}.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)


@dataclass
class Outside:
    """The server, and the actor's row of it."""

    behaviour: Behaviour
    port: int
    actor: Actor
    row: OutsideServer

    def list_tools(self) -> OutsideServer:
        listing_runs.run_listing(self.row.pk)
        self.row.refresh_from_db()
        return self.row

    def tool(self, name: str = "send") -> OutsideTool:
        return OutsideTool.objects.get(server=self.row, name=name)

    def switch_on(self, name: str = "send", **more: bool) -> OutsideTool:
        tool = self.tool(name)
        return servers.switch_tool(self.actor, tool=tool, is_on=True, digest=tool.digest, **more)


@pytest.fixture
def outside(actor: Actor, settings: Any) -> Iterator[Outside]:
    behaviour = Behaviour()
    behaviour.tell("send")
    server = LoopbackServer(type("Handler", (McpHandler,), {"behaviour": behaviour}))
    server.start()
    port = server.server_address[1]
    settings.OUTBOUND_PRIVATE_HOSTS = (f"localhost:{port}",)
    settings.OUTSIDE_MCP_SECONDS = 20
    row = servers.add_server(
        actor,
        name="Post Office",
        url=f"http://localhost:{port}/mcp",
        header="Authorization",
        secret="Bearer letter-box",
    )
    yield Outside(behaviour, port, actor, row)
    server.stop()
