"""Where a server sends a call on to was judged by nobody: neither local nor free. It is not followed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from accounts.models import Organization
from llm.client import ModelFailed, ModelRequest, ask
from llm.client.wordless.embedding import embed
from llm.money.spending import BudgetAccount
from tests.scripted_model import ScriptedModel, embeds, says

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def redirecting(
    scripted_model: ScriptedModel, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> Iterator[ThreadingHTTPServer]:
    """A server that sends everything on to the scripted model."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(307)
            self.send_header("Location", f"{scripted_model.base_url}/chat/completions")
            self.send_header("Content-Length", "0")
            self.end_headers()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}"
    settings.MODEL_API_BASE = f"{address}/v1"
    for name in ("OLLAMA_API_BASE", "ANTHROPIC_API_BASE", "HOSTED_VLLM_API_BASE"):
        monkeypatch.setenv(name, address)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.usefixtures("redirecting")
@pytest.mark.parametrize("model", ["openai/m", "ollama/own", "ollama_chat/own", "anthropic/claude-x", "hosted_vllm/m"])
def test_it_does_not_follow_a_redirect(model: str, scripted_model: ScriptedModel) -> None:
    scripted_model.will(says("Hello"))
    account = BudgetAccount(Organization.objects.create(name="Acme"), "agent", "turn")
    with pytest.raises(ModelFailed, match="sends calls on to another address, which is not followed") as caught:
        ask(ModelRequest(model, [{"role": "user", "content": "A secret"}]), account=account)
    assert not scripted_model.requests and not caught.value.retryable


@pytest.mark.usefixtures("redirecting")
@pytest.mark.parametrize("model", ["openai/m", "ollama/own", "hosted_vllm/m"])
def test_an_embedding_does_not_follow_one(model: str, scripted_model: ScriptedModel) -> None:
    scripted_model.will(embeds(1.0))
    with pytest.raises(ModelFailed):
        embed(model, "A secret", account=BudgetAccount(Organization.objects.create(name="Acme"), "agent", "turn"))
    assert not scripted_model.requests
