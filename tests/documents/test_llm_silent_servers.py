"""A server that accepts a call and says nothing: every way to a model ends within the stated time."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from accounts.models import Organization
from documents.models import Usage
from llm.client import ModelFailed, ModelRequest, ask
from llm.client.wordless.embedding import embed
from llm.money.spending import BudgetAccount
from tests.scripted_model import ScriptedModel, says

pytestmark = pytest.mark.django_db(transaction=True)
SECONDS = 0.5
TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}


class SilentServer:
    """Keeps the first lines of what it was asked, and the connections open."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.connections: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection = self._listener.accept()[0]
                self.connections.append(connection)
                self.asked.append(connection.recv(4096).decode(errors="replace").partition("\r\n")[0])
            except OSError:
                return

    def close(self) -> None:
        for each in (self._listener, *self.connections):
            each.close()


@pytest.fixture
def silent_server(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[SilentServer]:
    server = SilentServer()
    for name in ("OLLAMA_API_BASE", "ANTHROPIC_API_BASE", "HOSTED_VLLM_API_BASE", "LM_STUDIO_API_BASE"):
        monkeypatch.setenv(name, server.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    settings.MODEL_TIMEOUT_SECONDS = SECONDS
    yield server
    server.close()


def make_account() -> BudgetAccount:
    return BudgetAccount(Organization.objects.create(name="Acme"), "agent", "turn")


@pytest.mark.parametrize("tools", [None, [TOOL]], ids=["plain", "tools"])
@pytest.mark.parametrize(
    "model", ["ollama/own", "ollama_chat/own", "anthropic/claude-x", "hosted_vllm/m", "lm_studio/m", "openai/m"]
)
def test_it_gives_up_in_time_and_others_go_on(
    model: str, tools: Any, silent_server: SilentServer, scripted_model: ScriptedModel, settings: Any
) -> None:
    account, messages = make_account(), [{"role": "user", "content": "Hi"}]
    settings.MODEL_API_BASE = silent_server.url
    with pytest.raises(ModelFailed) as caught:
        ask(ModelRequest(model, messages, tools=tools), account=account)
    assert caught.value.code == "deadline"
    assert not [line for line in silent_server.asked if "/api/show" in line]
    settings.MODEL_API_BASE, settings.MODEL_TIMEOUT_SECONDS = scripted_model.base_url, 60
    scripted_model.will(says("Hello"))
    assert ask(ModelRequest("openai/scripted", messages), account=account).text == "Hello"


def test_a_silent_ollama_keeps_no_thread_that_others_need(
    silent_server: SilentServer, scripted_model: ScriptedModel, settings: Any
) -> None:
    """litellm asks Ollama about models that it does not list, in one of a few threads, and waited 100 minutes."""
    account, messages, settings.MODEL_TIMEOUT_SECONDS = make_account(), [{"role": "user", "content": "Hi"}], 0.2
    maximum = min(32, (os.cpu_count() or 1) + 4)
    for _ in range(maximum):
        with pytest.raises(ModelFailed):
            ask(ModelRequest("ollama/own", messages), account=account)
    settings.MODEL_TIMEOUT_SECONDS = 60
    scripted_model.will(says("Hello"))
    assert ask(ModelRequest("openai/scripted", messages), account=account).text == "Hello"


@pytest.mark.parametrize("model", ["ollama/nomic-embed-text", "openai/embedder", "hosted_vllm/embedder"])
def test_an_embedding_gives_up_in_time(model: str, silent_server: SilentServer, settings: Any) -> None:
    settings.MODEL_API_BASE = silent_server.url
    account = make_account()
    with pytest.raises(ModelFailed) as caught:
        embed(model, "Hi", account=account)
    assert caught.value.code == "deadline"
    # By its own deadline, not by that of the thread that waits for it, which comes 5 seconds later.
    assert Usage.objects.get().duration_ms < (SECONDS + 5) * 1000
