"""Workers of a bulk action, killed with SIGKILL while they tag documents, or rename those of one card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from agent.calls import execution
from agent.conversation import threads
from agent.models import Event, ToolCall, Turn
from documents import bulk
from documents.bulk import working
from documents.models import BULK_LEASE, BulkAction, BulkItem, Document
from kit.errors import Conflict
from tests.agent.conftest import propose_all
from tests.agent.decision_rows import say
from tests.chaos.killing import Victims
from tests.chaos.test_agent import SEED
from tests.documents.bulk.bulk_rows import ask, make_documents, make_tag, work

pytestmark = [pytest.mark.chaos, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fork_server")]
PATIENCE = timedelta(seconds=0.5)
DOCUMENTS = 100
SLEEPING = 12


def schedule(slowness: float) -> None:
    """As the scheduler does, only that a lease counts as over sooner, and that nobody is given up."""
    silent = timezone.now() + BULK_LEASE.duration - PATIENCE * slowness
    BulkAction.objects.filter(status="running", lease_until__lt=silent).update(lease_until=timezone.now())
    working.requeue_lost_actions()
    BulkAction.objects.update(attempt=0)


def count_left() -> int:
    return BulkItem.objects.filter(status="pending").count() + BulkAction.objects.filter(finished_at=None).count()


def decide_card(people: list[Actor], documents: list[Document]) -> BulkAction:
    """What one card starts that two people approve at the same moment, and two workers execute."""
    named = {"documents": [document.pk for document in documents], "name_pattern": "new {name}"}
    (call,) = propose_all(threads.create(people[0]), ("update_document", named))
    assert (call.status, len(call.preview["changes"])) == ("pending", DOCUMENTS)
    won = do_at_once([partial(approve, actor, call) for actor in people])
    assert sorted(won) == [False, True]
    do_at_once([partial(execution.execute, call.pk, holder=holder) for holder in ("a", "b")])
    return BulkAction.objects.get()


def approve(actor: Actor, call: ToolCall) -> bool:
    try:
        say(actor, call, key=actor.user.pk)
    except Conflict:
        return False
    return True


def do_at_once(acts: list[Callable[[], object]]) -> list[object]:
    def act_alone(act: Callable[[], object]) -> object:
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(act_alone, acts))


@pytest.mark.parametrize("kind", ["tag", "change"])
def test_each_document_is_changed_once_and_changed_back_once_whoever_is_killed(
    kind: str, actor: Actor, member: Callable[[Role], Actor]
) -> None:
    documents, tag = make_documents(actor, DOCUMENTS), make_tag(actor)
    if kind == "tag":
        action = ask(actor, kind, documents, tag_id=tag.pk)
    else:
        action = decide_card([actor, member(Role.REVIEWER)], documents)
    victims = Victims("bulk", number=2, life=0.8, seed=SEED)
    try:
        victims.torment(left=count_left, between=schedule)
        kills = victims.kills
        action.refresh_from_db()
        assert (action.status, action.done_count) == ("done", DOCUMENTS)
        assert set(count_changes().values()) == {1} and len(count_changes()) == DOCUMENTS
        undo = bulk.undo(actor, action=action)
        victims.torment(left=count_left, between=schedule)
    finally:
        victims.end()
    print(f"{kills} and {victims.kills - kills} kills")
    assert kills >= 2
    assert work(undo).done_count == DOCUMENTS
    assert not Document.objects.filter(Q(tags=tag) | Q(name__startswith="new")).exists()
    assert set(count_changes().values()) == {2}


def test_turns_that_sleep_until_a_bulk_action_has_ended_wake_once_whoever_is_killed(actor: Actor) -> None:
    documents = make_documents(actor, 2 * SLEEPING)
    for at in range(SLEEPING):
        named = {"documents": [each.pk for each in documents[2 * at : 2 * at + 2]], "merge_metadata": {"a": "b"}}
        (call,) = propose_all(threads.create(actor), ("update_document", named))
        say(actor, call)
        execution.execute(call.pk, holder="a")
    victims = Victims("ends", number=2, life=0.8, seed=SEED)
    try:
        victims.torment(left=ToolCall.objects.exclude(job=None).count, between=schedule)
    finally:
        victims.end()
    print(f"{victims.kills} kills")
    woken = Counter(Event.objects.filter(payload__status="queued").values_list("payload__turn_id", flat=True))
    assert woken == dict.fromkeys(Turn.objects.filter(status="queued").values_list("pk", flat=True), 1)
    assert len(woken) == SLEEPING and victims.kills >= 1
    assert all((call.result or {})["done"] == 2 for call in ToolCall.objects.all())


def count_changes() -> Counter[str]:
    """How often each document was changed."""
    rows = AuditEntry.objects.filter(action="changed", target_kind="document")
    return Counter(rows.values_list("target_id", flat=True))
