"""A running product with two organizations, and clients of MCP in it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import httpx
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests import scripts
from tests.product import Product

PASSWORD = "correct-horse-9-battery"
ROWS = f"""{scripts.START}
import json
from django.core.files.base import ContentFile
from accounts.access import enter
from accounts.services import organizations, tokens, users
from documents.intake import uploads
secrets = {{}}
for name in ("ours", "other"):
    user = users.create(None, email=name + "@mcp.example", password="{PASSWORD}", name="Ada")
    organization = organizations.create(user, name=name, type="team")
    document = uploads.store(enter(user, organization.pk), name=name + ".txt", content=ContentFile(b"Total 5"))
    secrets[name] = [organization.pk, document.pk, tokens.create(user, name="T", organization=organization)[1]]
    limits = {{"viewer": {{"role_ceiling": "viewer"}}, "upload": {{"upload_only": True}}}}
    for limit, given in limits.items():
        secrets[name + " " + limit] = tokens.create(user, name=limit, organization=organization, **given)[1]
secrets["account"] = tokens.create(user, name="A")[1]
print(json.dumps(secrets))
"""
MODERN, LEGACY, TASKS = "2026-07-28", "2025-11-25", "io.modelcontextprotocol/tasks"
FIELD = {"type": "number", "description": "What is to be paid."}
SCHEMA = {"type": "object", "properties": {"total": FIELD}, "required": ["total"], "additionalProperties": False}
FORMAT = {"type": "json_schema", "json_schema": {"name": "Invoice", "schema": SCHEMA, "strict": True}}


@dataclass
class Desk:
    """The product, what its organizations hold, and a person of `ours` who decides over /v0."""

    product: Product
    secrets: dict[str, Any]

    @property
    def organization(self) -> str:
        return str(self.secrets["ours"][0])

    @property
    def document(self) -> str:
        return str(self.secrets["ours"][1])

    def secret(self, name: str = "ours") -> str:
        found = self.secrets[name]
        return str(found[2] if isinstance(found, list) else found)

    def decide(self, call_id: str, kind: str) -> int:
        """As the person who is signed in, over the route that the page's own scripts may use."""
        path = f"/v0/orgs/{self.organization}/tool_calls/{call_id}"
        card = self.person.get(path).json()
        body = {"kind": kind, "version": card["version"], "shown_hash": card["shown_hash"]}
        csrf = {"X-CSRFToken": self.person.cookies["csrftoken"]}
        return self.person.post(f"{path}/decision", headers=csrf, json=body).status_code

    @cached_property
    def person(self) -> httpx.Client:
        client = httpx.Client(base_url=self.product.url)
        client.get("/sign-in")
        form = {"email": "ours@mcp.example", "password": PASSWORD}
        signed_in = client.post("/sign-in", data={**form, "csrfmiddlewaretoken": client.cookies["csrftoken"]})
        assert signed_in.status_code == 302, signed_in.text
        return client

    def post(self, body: Any, *, secret: str | None = None, **headers: str) -> httpx.Response:
        """One message of the modern era, or whatever else."""
        sent = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json", **headers}
        if secret != "":
            sent["Authorization"] = f"Bearer {secret or self.secret()}"
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return httpx.post(f"{self.product.url}/mcp", content=content, headers=sent, timeout=60)

    def ask(self, method: str, params: dict[str, Any], *, secret: str | None = None, extensions: Any = None) -> Any:
        capabilities = {"extensions": extensions or {}}
        meta = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        }
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        named = params.get("name") or params.get("uri") or params.get("taskId")
        headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method, **({"Mcp-Name": named} if named else {})}
        return self.post(body, secret=secret, **headers).json()


@asynccontextmanager
async def connect(desk: Desk, mode: str, secret: str = "") -> AsyncIterator[Client]:
    """With all tools listed."""
    headers = {"Authorization": f"Bearer {secret or desk.secret()}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(f"{desk.product.url}/mcp?tools=all", http_client=http)
        async with Client(transport, mode=mode) as client:  # type: ignore[arg-type]
            yield client
