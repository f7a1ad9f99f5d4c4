"""Workers killed with SIGKILL while they ask each document of a scope one question."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.actor import Actor
from agent.conversation import threads
from agent.models import CALL_LEASE, ToolCall, Turn
from documents.bulk import answering
from documents.models import BULK_ITEM_LEASE, BulkAction, BulkItem, CondensedReading, Usage
from tests.agent.conftest import propose_all
from tests.agent.decision_rows import say
from tests.chaos.killing import Victims
from tests.chaos.test_agent import SEED, take_back_the_dead
from tests.chaos.test_bulk import PATIENCE, schedule
from tests.documents.find.searches import add_document
from tests.scripted_model import Json, Reply, ScriptedModel, says

pytestmark = [pytest.mark.chaos, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fork_server")]
DOCUMENTS = 24
# A slow worker whose item was given to another may keep its answer while the other's request is on its way.
JUST_NOW = timedelta(seconds=1)
_ASKED = re.compile(r'document_id="([0-9a-f]{24})"')


class Telling(ScriptedModel):
    """Says the same of each document, and notes of which it has been asked, and of which although that was kept."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()
        self.again: list[str] = []

    def next_reply(self, body: Json, headers: dict[str, str]) -> Reply:
        self.requests.append(body)
        [document_id] = _ASKED.findall(body["messages"][-1]["content"])
        self.asked[document_id] += 1
        kept = CondensedReading.objects.filter(document=document_id, created_at__lt=timezone.now() - JUST_NOW)
        if kept.exists():
            self.again.append(document_id)
        connection.close()
        return says("It is ", "red [1.1].").slowly(0.05)


def look_after(slowness: float) -> None:
    """As the scheduler does, only that a lease counts as over sooner, and that nobody is given up."""
    patience = PATIENCE * slowness
    for lease in (BULK_ITEM_LEASE, CALL_LEASE):
        lost = lease.list_working().filter(lease_until__lt=timezone.now() + lease.duration - patience)
        lost.update(lease_until=timezone.now() - timedelta(seconds=1))
    answering.requeue_lost_items()
    BulkItem.objects.update(attempt=0)
    schedule(slowness)
    take_back_the_dead(slowness)
    ToolCall.objects.update(attempt=0)


def count_left() -> int:
    items = (
        BulkItem.objects.filter(status__in=BulkItem.UNFINISHED).count() if BulkAction.objects.exists() else DOCUMENTS
    )
    return items + ToolCall.objects.exclude(status__in=ToolCall.TERMINAL).count()


def test_each_document_is_paid_once_and_in_the_answer_whoever_is_killed(actor: Actor, settings: Any) -> None:
    model = Telling()
    model.start()
    settings.MODEL_API_BASE = model.base_url
    names = {"MODEL_API_BASE": model.base_url, "DEFAULT_MODEL": model.model, "EXTRACTION_MODEL": model.model}
    for number in range(DOCUMENTS):
        add_document(actor.organization, [f"roof {number}"], name=f"letter {number}.pdf")
    (call,) = propose_all(threads.create(actor), ("read_all_documents", {"question": "Which colour?"}))
    Turn.objects.update(model=model.model)
    say(actor, call)
    victims = Victims("answers", number=3, life=0.8, seed=SEED, given=names)
    try:
        victims.torment(left=count_left, between=look_after)
    finally:
        victims.end()
        model.stop()
        connection.close()
    call.refresh_from_db()
    print(f"{victims.kills} kills, {len(model.requests)} calls of the model")
    assert call.result and call.result["coverage"] == {
        "documents": DOCUMENTS,
        "read": DOCUMENTS,
        "in_part": 0,
        "not_read": 0,
    }
    assert BulkAction.objects.get().status == "done" and CondensedReading.objects.count() == DOCUMENTS
    assert model.again == [] and len(model.asked) == DOCUMENTS <= Usage.objects.count() + victims.kills
    assert len(model.requests) <= DOCUMENTS + 2 * victims.kills and victims.kills >= 3
