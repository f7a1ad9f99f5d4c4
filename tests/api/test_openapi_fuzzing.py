"""Requests made from the description, a few for each operation and the same in each run: none may break the server.

Bounded three times: by the examples of an operation, by a deadline of each, and by an alarm for the whole.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import schemathesis
from django.conf import settings as django_settings
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.generation.modes import GenerationMode

from accounts.actor import Actor
from accounts.models import AccessToken, User
from accounts.services import tokens
from agent.models import ToolCall
from documents.models import Document, Extraction, Prompt, PromptRevision, Schema, SchemaRevision, Tag
from tests.rows import one_of_each

# Not among the fast ones: it takes half a minute.
pytestmark = pytest.mark.services
EXAMPLES = 2
# Far beyond what a request may take on the busiest machine: it is there for one that never ends.
SECONDS_A_REQUEST, SECONDS_IN_ALL = 120, 1_800
FIXED = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=timedelta(seconds=SECONDS_A_REQUEST),
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
# No worker runs here and no model answers: these say so, and are part of the description.
AWAITED = (502, 504)


@pytest.fixture(autouse=True)
def hard_stop() -> Iterator[None]:
    """An alarm, which also ends a request that is stuck."""

    def stop(*_: object) -> None:
        pytest.fail(f"It was not done after {SECONDS_IN_ALL} seconds.", pytrace=True)

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS_IN_ALL)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def ids(actor: Actor) -> dict[str, str]:
    """Ids that exist, so that requests get past the access check."""
    rows: dict[Any, Any] = one_of_each(actor)
    return {
        "organization_id": actor.organization.pk,
        "document_id": rows[Document].pk,
        "tag_id": rows[Tag].pk,
        "run_id": rows[Extraction].pk,
        "extraction_id": rows[Extraction].pk,
        "user_id": actor.user.pk,
        "token_id": rows[AccessToken].pk,
        "call_id": rows[ToolCall].pk,
        "prompt_revid": rows[PromptRevision].pk,
        "schema_id": rows[Schema].pk,
        "prompt_id": rows[Prompt].pk,
        # The same place in the path is a revision's for reading and the head's for writing.
        "GET schema_id": rows[SchemaRevision].pk,
        "GET prompt_id": rows[PromptRevision].pk,
    }


@pytest.fixture
def one_connection() -> Iterator[None]:
    """As Django's own test client does: a request must not close the connection that the test's transaction is on."""
    for request_signal in (request_started, request_finished):
        request_signal.disconnect(close_old_connections)
    yield
    for request_signal in (request_started, request_finished):
        request_signal.connect(close_old_connections)


@pytest.mark.usefixtures("one_connection")
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_no_request_breaks_the_server(
    actor: Actor, ids: dict[str, str], mode: GenerationMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(django_settings, "RUN_WAIT_SECONDS", 0)
    User.objects.filter(pk=actor.user.pk).update(is_superuser=True)
    headers = {"Authorization": f"Bearer {tokens.create(actor.user, name='k')[1]}"}
    described = schemathesis.openapi.from_wsgi("/v0/openapi.json", get_wsgi_application())
    broken: list[str] = []
    for described_operation in described.get_all_operations():
        operation = described_operation.ok()
        if mode == GenerationMode.NEGATIVE and not (operation.query or operation.body):
            continue
        _try(operation, mode, headers, ids, broken.append)
    assert broken == []


def _try(
    operation: Any, mode: GenerationMode, headers: dict[str, str], ids: dict[str, str], tell: Callable[[str], None]
) -> None:
    @FIXED
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        for part in (case.path_parameters, case.query, case.body):
            _put_in(part, ids, str(case.method))
        with transaction.atomic():
            before = transaction.savepoint()
            answer = case.call(headers=headers)
            transaction.savepoint_rollback(before)
        described = str(answer.status_code) in operation.definition.raw["responses"]
        if not described or (answer.status_code >= 500 and answer.status_code not in AWAITED):
            tell(f"{case.method} {case.formatted_path} {case.query} {case.body!r:.300}: {answer.status_code}")

    send()


def _put_in(part: Any, ids: dict[str, str], method: str) -> None:
    """Ids that exist, wherever one is asked for; others would all be answered with 404."""
    for name in part if isinstance(part, dict) else ():
        part[name] = ids.get(f"{method} {name}") or ids.get(name, part[name])
