"""Requests that wait for their answer: whose credentials end meanwhile gets none, and does not wait on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from accounts.actor import Actor
from accounts.models import AccessToken, Role, User
from accounts.services import members, tokens
from agent.models import Turn
from documents.models import Document, Extraction, ModelCall, Prompt, Reading
from tests.conftest import ApiClient
from tests.rows import one_of_each

pytestmark = pytest.mark.django_db(transaction=True)
MESSAGES = [{"role": "user", "content": "Hello"}]
UNKNOWN_TOKEN = (401, "Invalid authentication credentials: invalid token")


class Question:
    """A request in a thread of its own, that no worker answers."""

    def __init__(self, client: ApiClient, path: str, body: dict[str, Any], begun: Callable[[], bool]) -> None:
        self.answer: Any = None
        self._thread = threading.Thread(target=self._ask, args=(client, path, body))
        self._thread.start()
        while not begun():
            time.sleep(0.01)

    def _ask(self, client: ApiClient, path: str, body: dict[str, Any]) -> None:
        try:
            self.answer = client.post(path, body)
        finally:
            connection.close()

    def refusal(self) -> tuple[int, str]:
        self._thread.join(15)  # of the 25 seconds that it would wait
        assert self.answer is not None, "it waits on"
        return self.answer.status_code, self.answer.json()["detail"]


@pytest.fixture
def ask(actor: Actor, api: Callable[[str], ApiClient]) -> Callable[[str], Question]:
    rows = one_of_each(actor)
    User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
    Turn.objects.all().delete(), ModelCall.objects.all().delete(), Reading.objects.update(status="completed")
    document, client = rows[Document], api(tokens.create(actor.user, name="k")[1])
    organization, prompt = f"/v0/orgs/{actor.organization.pk}", rows[Prompt].latest.pk
    offline = {"model": "offline/rules", "messages": MESSAGES}
    questions: dict[str, tuple[str, dict[str, Any], Callable[[], bool]]] = {
        "chat": (f"{organization}/documents/{document.pk}/chat", {"messages": MESSAGES}, Turn.objects.exists),
        "run": (
            f"{organization}/llm/run/{document.pk}?force=true&prompt_revid={prompt}",
            {},
            Extraction.objects.filter(number=2).exists,
        ),
        "model": (f"{organization}/llm/run", offline, ModelCall.objects.exists),
        "own model": ("/v0/account/llm/run", offline, ModelCall.objects.exists),
    }
    return lambda what: Question(client, *questions[what])


@pytest.mark.parametrize("what", ["chat", "run", "model", "own model"])
def test_a_revoked_token_gets_no_answer(ask: Callable[[str], Question], actor: Actor, what: str) -> None:
    question = ask(what)
    tokens.revoke(actor.user, token=AccessToken.objects.get(name="k"))
    assert question.refusal() == UNKNOWN_TOKEN
    assert not ModelCall.objects.exclude(status="cancelled").exists()


@pytest.mark.parametrize("what", ["chat", "run"])
def test_a_removed_member_gets_no_answer(ask: Callable[[str], Question], actor: Actor, member, what: str) -> None:
    other, question = member(Role.ADMIN), ask(what)
    members.remove(other, member=actor.user.memberships.get(organization=actor.organization))
    assert question.refusal() == (403, "You are not a member of this organization")


def test_a_demoted_system_admin_gets_no_answer_of_a_model(ask: Callable[[str], Question], actor: Actor) -> None:
    question = ask("model")
    User.objects.filter(pk=actor.user.pk).update(is_superuser=False)
    assert question.refusal() == (403, "Admin access required")
