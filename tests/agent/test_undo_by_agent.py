"""The agent takes back its own acts: on a card that names them, once, and no more than the person may take back."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Member, Role
from agent.calls import execution, undo
from agent.conversation import threads
from agent.models import Rule, Thread, ToolCall, Turn
from agent.policy.permissions import PERSONS_WORD
from agent.tools.thread.undoing import MAX_LISTED
from documents.extractions import edits
from documents.models import Document, Extraction
from tests.agent.conftest import propose_all
from tests.agent.decision_rows import say
from tests.agent.undo_rows import (  # noqa: F401 - some are fixtures
    Act,
    act,
    document,
    extraction,
    prompt,
    thread,
    vendor,
)

pytestmark = pytest.mark.django_db


def ask(thread: Thread, **arguments: object) -> ToolCall:
    Turn.objects.filter(thread=thread).update(status="completed")
    (call,) = propose_all(Thread.objects.get(pk=thread.pk), ("undo_change", arguments))
    return call


def run(call: ToolCall) -> ToolCall:
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    Turn.objects.filter(pk=call.turn_id).update(status="completed")
    return call


def test_a_card_names_what_is_taken_back_and_it_is_taken_back_once(
    act: Act, extraction: Extraction, thread: Thread, actor: Actor
) -> None:
    done = act("update_extraction_field", path="vendor", value="Ostrava")
    Rule.objects.create(
        organization=actor.organization,
        scope="organization",
        tool="undo_change",
        verdict="allow",
        created_by=actor.user,
    )
    call = ask(thread)
    assert call.status == "pending" and vendor(extraction) == "Ostrava"
    assert call.why_asks == PERSONS_WORD
    assert call.preview["title"] == f"Undo: {done.preview['done']}"
    assert "cannot be undone" in str(call.preview["warnings"])
    say(actor, call)
    assert run(call).status == "succeeded" and vendor(extraction) == "Tools"
    assert ToolCall.objects.get(undoes=done).decisions.get().user == actor.user
    again = ask(thread, change=done.pk)
    assert again.status == "invalid" and ToolCall.objects.filter(undoes=done).count() == 1


def test_an_older_change_is_found_behind_many_that_cannot_be_taken_back(
    act: Act, extraction: Extraction, thread: Thread
) -> None:
    done = act("update_extraction_field", path="vendor", value="Ostrava")
    newer = propose_all(Thread.objects.get(pk=thread.pk), *(("note", {"text": str(at)}) for at in range(MAX_LISTED)))
    rows = ToolCall.objects.filter(pk__in=[call.pk for call in newer])
    rows.update(tool="no_tool_any_more", status="succeeded", inverse=done.inverse, finished_at=timezone.now())
    assert ask(thread).preview["title"] == f"Undo: {done.preview['done']}"


def test_of_two_cards_and_a_press_for_one_change_one_takes_it_back(
    act: Act, extraction: Extraction, thread: Thread, actor: Actor
) -> None:
    done = act("update_extraction_field", path="vendor", value="Ostrava")
    call = ask(thread)
    say(actor, call)
    undo.undo_call(actor, call=done, idempotency_key="press")
    edits_before = extraction.edits.count()
    assert run(call).status == "failed" and "taken back already" in str(call.result)
    assert extraction.edits.count() == edits_before and ToolCall.objects.filter(undoes=done).count() == 1


def test_it_is_named_by_number_or_words_and_asked_back_where_unclear(
    act: Act, extraction: Extraction, thread: Thread
) -> None:
    act("update_extraction_field", path="vendor", value="Ostrava")
    newer = act("update_document", document_name="renamed.pdf")
    assert ask(thread, change="1").effective == {"change": newer.pk}
    assert ask(thread, change="nothing like it").status == "invalid"
    listed = str(ask(thread, change="nothing like it").result)
    assert "1 " in listed and "2 " in listed and newer.pk not in listed


def test_what_somebody_changed_since_stays(act: Act, extraction: Extraction, thread: Thread, actor: Actor) -> None:
    act("update_extraction_field", path="vendor", value="Ostrava")
    call = ask(thread)
    say(actor, call)
    edits.set_path(actor, extraction=extraction, path="vendor", value="Mine")
    assert run(call).status == "failed" and vendor(extraction) == "Mine"


def test_nothing_of_another_thread_person_or_organization_is_taken_back(
    act: Act, extraction: Extraction, thread: Thread, actor: Actor, stranger: Actor, member: Callable[[Role], Actor]
) -> None:
    done = act("update_extraction_field", path="vendor", value="Ostrava")
    second = threads.create(actor, document=Document.objects.get(pk=thread.document_id))
    strangers = threads.create(stranger)
    theirs = threads.create(member(Role.REVIEWER), document=Document.objects.get(pk=thread.document_id))
    for elsewhere in (second, strangers, theirs):
        for named in ("", "1", done.pk, "Ostrava"):
            call = ask(elsewhere, change=named)
            assert call.status == "invalid" and "taken back" in str(call.result)
        Turn.objects.filter(thread=elsewhere).update(status="completed")
    assert vendor(extraction) == "Ostrava"


def test_a_role_that_may_not_undo_it_may_not_have_it_undone(
    act: Act, thread: Thread, actor: Actor, member: Callable[[Role], Actor]
) -> None:
    """A tag is for builders: neither a reviewer who decides, nor an owner who has become one, gets it taken back."""
    done = act("create_tag", name="Urgent")
    call = ask(thread)
    Member.objects.filter(user=actor.user).update(role=Role.REVIEWER)
    again = ask(thread)
    assert again.status == "invalid" and not ToolCall.objects.filter(undoes=done).exists()
    say(member(Role.BUILDER), call)
    assert run(call).status in ("failed", "denied") and not ToolCall.objects.filter(undoes=done).exists()
