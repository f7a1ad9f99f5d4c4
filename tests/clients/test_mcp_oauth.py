"""The OAuth client of the official SDK, which knows nothing of the product but the address of its MCP server."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from tests.clients.mcp_desk import Desk

pytestmark = pytest.mark.clients
REDIRECT = "http://localhost:33418/callback"


@dataclass
class Program:
    """What the SDK asks of a program: to keep its tokens, and to open a browser. `role` is what its person chooses."""

    desk: Desk
    role: str = "admin"
    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None
    answers: list[str] = field(default_factory=list)
    provider: OAuthClientProvider | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info

    async def open_browser(self, address: str) -> None:
        browser = self.desk.person
        page = browser.get(address).text
        assert "Let “SDK program” use ours?" in page
        organization = re.search(r'name="organization" value="(\w+)"', page)
        assert organization is not None
        form = {"organization": organization[1], "role": self.role, "answer": "allow"}
        sent = browser.post(address, data={**form, "csrfmiddlewaretoken": browser.cookies["csrftoken"]})
        self.answers.append(sent.headers["Location"])

    async def wait_for_answer(self) -> AuthorizationCodeResult:
        query = parse_qs(urlsplit(self.answers[-1]).query)
        return AuthorizationCodeResult(code=query["code"][0], state=query["state"][0], iss=query["iss"][0])

    @asynccontextmanager
    async def connect(self, mode: str = "auto", path: str = "/mcp") -> AsyncIterator[Client]:
        address = f"{self.desk.product.url}{path}"
        metadata = OAuthClientMetadata(client_name="SDK program", redirect_uris=[AnyUrl(REDIRECT)])
        self.provider = OAuthClientProvider(
            server_url=address,
            client_metadata=metadata,
            storage=self,
            redirect_handler=self.open_browser,
            callback_handler=self.wait_for_answer,
        )
        async with httpx2.AsyncClient(auth=self.provider, timeout=60) as http:
            transport = streamable_http_client(address, http_client=http)
            async with Client(transport, mode=mode) as client:  # type: ignore[arg-type]
                yield client

    async def list_tools(self, **where: str) -> set[str]:
        async with self.connect(**where) as client:
            return {tool.name for tool in (await client.list_tools()).tools}


@pytest.mark.parametrize(("mode", "path"), [("auto", "/mcp"), ("legacy", "/mcp"), ("auto", "/mcp/")])
async def test_it_registers_asks_its_person_and_calls(desk: Desk, mode: str, path: str) -> None:
    program = Program(desk)
    async with program.connect(mode, path) as client:
        listed = await client.call_tool("list_documents", {})
        assert [row["document_name"] for row in listed.structured_content["documents"]] == ["ours.txt"]
        waiting = await client.call_tool("create_tag", {"name": f"oauth {mode} {len(path)}"})
        assert waiting.structured_content["status"] == "waiting_for_approval"
    assert program.client is not None and program.client.client_secret is None
    assert len(program.answers) == 1 and program.answers[0].startswith(f"{REDIRECT}?code=")
    assert {"propose_changes", "list_documents"} <= await program.list_tools(mode=mode, path=path)
    assert len(program.answers) == 1  # its tokens are good without its person


async def test_it_lists_what_its_person_allowed(desk: Desk) -> None:
    seen = await Program(desk, role="viewer").list_tools()
    assert "list_documents" in seen and not {"create_tag", "create_schema", "propose_changes"} & seen


async def test_it_refreshes_by_itself_and_asks_again_once_revoked(desk: Desk) -> None:
    program = Program(desk)
    async with program.connect() as client:
        await client.call_tool("list_documents", {})
        assert program.provider is not None and program.tokens is not None and program.client is not None
        first, program.provider.context.token_expiry_time = program.tokens, 1.0
        await client.call_tool("list_documents", {})
        second = program.tokens
    assert second.access_token != first.access_token and second.refresh_token != first.refresh_token
    assert len(program.answers) == 1
    form = {"token": first.refresh_token or "", "client_id": program.client.client_id or ""}
    assert httpx.post(f"{desk.product.url}/oauth/revoke", data=form).status_code == 200
    await program.list_tools()
    assert program.tokens.refresh_token != first.refresh_token and len(program.answers) == 2


def test_a_refusal_says_where_to_be_let_in(desk: Desk) -> None:
    metadata = f'resource_metadata="{desk.product.url}/.well-known/oauth-protected-resource/mcp"'
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert desk.post(body, secret="").headers["WWW-Authenticate"] == f"Bearer {metadata}"
    wrong = desk.post(body, secret="mcp_wrong")
    assert (wrong.status_code, wrong.headers["WWW-Authenticate"]) == (401, f'Bearer error="invalid_token", {metadata}')
