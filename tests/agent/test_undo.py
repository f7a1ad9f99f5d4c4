"""Taking back what a call did: by whom, once, and only while it is still as it was left."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from agent.calls import undo
from agent.models import Decision, Thread, ToolCall
from documents import extractions
from documents.extractions import edits
from documents.models import Extraction, PromptRevision, Usage
from kit.errors import Conflict, Denied, Invalid
from tests.agent.undo_rows import (  # noqa: F401 - some are fixtures
    Act,
    act,
    document,
    extraction,
    prompt,
    run_of,
    thread,
    vendor,
)
from tests.agent.wire import wire_messages
from tests.scripted_model import ScriptedModel, answers

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def test_it_takes_a_change_back_and_tells_the_model(act: Act, extraction: Extraction, actor: Actor) -> None:
    call = act("update_extraction_field", path="vendor", value="Ostrava")
    assert vendor(extraction) == "Ostrava"

    undo_row = undo.undo_call(actor, call=call, idempotency_key="click")

    assert vendor(extraction) == "Tools"
    assert (undo_row.undoes, undo_row.status, undo_row.tool) == (call, "succeeded", "undo")
    assert Decision.objects.get(call=undo_row).user == actor.user
    assert AuditEntry.objects.filter(action="undid", target_id=call.pk, origin="person").exists()
    *_, result = wire_messages(call.thread)
    assert "took this back" in result["content"]
    assert sum(message["role"] == "tool" for message in wire_messages(call.thread)) == 1


def test_two_clicks_are_one_undo(act: Act, extraction: Extraction, actor: Actor) -> None:
    call = act("update_extraction_field", path="vendor", value="Ostrava")
    first, second = (undo.undo_call(actor, call=call, idempotency_key="click") for _ in range(2))
    assert first == second and extraction.edits.count() == 2
    with pytest.raises(Conflict, match="taken back already"):
        undo.undo_call(actor, call=call, idempotency_key="another")


def test_the_key_of_one_person_is_no_undo_of_another(
    act: Act, extraction: Extraction, actor: Actor, member: Callable[[Role], Actor]
) -> None:
    call = act("update_extraction_field", path="vendor", value="Ostrava")
    undo.undo_call(actor, call=call, idempotency_key="click")
    with pytest.raises(Conflict, match="taken back already"):
        undo.undo_call(member(Role.REVIEWER), call=call, idempotency_key="click")


@pytest.mark.parametrize(
    ("since", "sentence"),
    [("edit", "has changed this value"), ("verify", "has verified this value since"), ("run", "newer run")],
)
def test_it_refuses_once_somebody_was_there(
    act: Act, extraction: Extraction, actor: Actor, prompt: PromptRevision, since: str, sentence: str
) -> None:
    call = act("update_extraction_field", path="vendor", value="Ostrava")
    if since == "edit":
        edits.set_path(actor, extraction=extraction, path="vendor", value="Mine")
    elif since == "verify":
        edits.verify(actor, extraction=extraction, where="vendor")
    else:
        run_of(actor, call.thread.document, prompt, vendor="New", total=1)
    before = vendor(extraction)
    with pytest.raises(Conflict, match=sentence):
        undo.undo_call(actor, call=call, idempotency_key="click")
    assert vendor(extraction) == before and not ToolCall.objects.filter(undoes=call).exists()


def test_a_change_elsewhere_does_not_stand_in_the_way(act: Act, extraction: Extraction, actor: Actor) -> None:
    call = act("update_extraction_field", path="vendor", value="Ostrava")
    edits.set_path(actor, extraction=extraction, path="total", value=5)
    undo.undo_call(actor, call=call, idempotency_key="click")
    assert vendor(extraction) == "Tools" and extraction.current["total"] == 5


def test_it_needs_the_role_that_the_call_needed(
    act: Act, extraction: Extraction, member: Callable[[Role], Actor]
) -> None:
    call = act("update_extraction_field", path="vendor", value="Ostrava")
    viewer = member(Role.VIEWER)
    with pytest.raises(Denied):
        undo.undo_call(viewer, call=call, idempotency_key="click")
    assert "needs the role reviewer" in undo.why_not(viewer, call)
    assert undo.undo_call(member(Role.REVIEWER), call=call, idempotency_key="click").undoes == call


def test_a_call_without_an_inverse_has_no_undo(act: Act, actor: Actor) -> None:
    call = act("note", text="x")
    assert undo.why_not(actor, call) == undo.NEVER
    with pytest.raises(Invalid):
        undo.undo_call(actor, call=call, idempotency_key="click")


@pytest.mark.django_db(transaction=True)
def test_a_withdrawn_run_makes_the_earlier_one_current_and_the_money_stays_spent(
    scripted_model: ScriptedModel, act: Act, extraction: Extraction, actor: Actor, prompt: PromptRevision
) -> None:
    scripted_model.will(answers({"vendor": "Second", "total": 3}))
    call = act("run_extraction", prompt_revid=prompt.pk)
    spent = Usage.objects.count()
    assert extractions.get_newest(call.thread.document, prompt) != extraction

    undo.undo_call(actor, call=call, idempotency_key="click")

    assert extractions.get_newest(call.thread.document, prompt) == extraction
    assert Usage.objects.count() == spent == 1
    thread = Thread.objects.get()
    assert "extraction_id" not in thread.working_state and thread.working_state["prompt_revid"] == prompt.pk
