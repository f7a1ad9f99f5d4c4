"""A system admin who calls models over /v0."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import User
from accounts.services import tokens
from documents.models import ModelCall
from llm import model_calls
from tests.conftest import ApiClient
from tests.scripted_model import ScriptedModel
from tests.worker_thread import keep_working

EMBEDDING = "/v0/account/llm/test/embedding"


Client = Callable[[str], ApiClient]


@pytest.fixture
def operator(actor: Actor) -> Actor:
    """A system admin, and admin of the organization."""
    User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
    actor.user.refresh_from_db()
    return actor


@pytest.fixture
def client(api: Client, operator: Actor) -> ApiClient:
    return api(tokens.create(operator.user, name="k")[1])


@pytest.fixture
def worker(scripted_model: ScriptedModel, settings: Any) -> Iterator[None]:
    # A busy machine takes its time, for importing litellm alone; what is tested here is not how fast it is.
    settings.RUN_WAIT_SECONDS = 600
    with keep_working(make_queued_calls):
        yield


def make_queued_calls() -> None:
    for call in ModelCall.objects.filter(status="queued"):
        model_calls.run(call.pk, holder="test")
