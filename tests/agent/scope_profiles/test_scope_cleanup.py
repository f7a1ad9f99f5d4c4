"""What a scope refused or left out is in no later input of a model, wherever it had been before."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.actor import Actor
from agent.conversation import threads
from agent.models import FocusItem, ScopeProfile, Thread, ThreadSummary, Turn
from agent.turns import turns
from documents.models import Document
from tests.agent.scope_profiles.scoped_turns import NAMED, SEARCH, read_sent
from tests.agent.turn_rows import Ask, Work, last_text, now
from tests.scripted_model import ScriptedModel, calls, says

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "ZEBRA"
ALLOWED = "Which invoices have copper in them?"


def test_a_refused_turn_leaves_every_later_input(
    question: Ask,
    work: Work,
    profile: ScopeProfile,
    note: Document,
    scripted_model: ScriptedModel,
) -> None:
    refused = question(ALLOWED, SEARCH)
    work()
    thread = Thread.objects.get()
    assert now(refused).refused == "after" and not FocusItem.objects.filter(turn=refused).exists()
    assert not {note.pk} & set(thread.working_state.values())
    more = question("Tell me more about that one.")
    work()
    assert now(more).refused == "before"
    before = len(scripted_model.requests)
    question("Which invoices are due this month?", says("None is."))
    work()
    (sent,) = scripted_model.requests[before:]
    assert note.name not in str(sent["messages"]) and SECRET not in str(sent["messages"])
    assert "copper" not in str(sent["messages"])
    assert not ThreadSummary.objects.filter(turn=refused).exists()


@pytest.mark.parametrize("mode", ["gentle", "strict"])
def test_what_was_read_before_the_profile_was_there_is_hidden(
    question: Ask,
    work: Work,
    profile: ScopeProfile,
    note: Document,
    scripted_model: ScriptedModel,
    mode: str,
) -> None:
    ScopeProfile.objects.update(mode="off")
    question("What came to the dock?", calls(("read_document", {"document": note.pk})), says("It came to ZEBRA."))
    work()
    ScopeProfile.objects.update(mode=mode)
    before = len(scripted_model.requests)
    question("Which invoices are due this month?", says("None is."))
    work()
    (sent,) = scripted_model.requests[before:]
    assert SECRET not in str(sent) and note.name not in str(sent)


def test_gentle_shows_nothing_of_a_foreign_document_that_a_message_names(
    question: Ask,
    work: Work,
    profile: ScopeProfile,
    note: Document,
    scripted_model: ScriptedModel,
) -> None:
    ScopeProfile.objects.update(mode="gentle")
    mention: Any = [{"type": "document", "id": note.pk}]
    question("Which invoices are due this month?", says("None is."), mentions=mention)
    work()
    assert SECRET not in read_sent(scripted_model)
    assert last_text().endswith(f"Left out: {NAMED}")
    assert not FocusItem.objects.exists()


@pytest.mark.parametrize("mode", ["gentle", "strict"])
def test_nothing_of_a_threads_own_foreign_document_is_shown(
    actor: Actor,
    work: Work,
    profile: ScopeProfile,
    note: Document,
    scripted_model: ScriptedModel,
    mode: str,
) -> None:
    ScopeProfile.objects.update(mode=mode)
    thread = threads.create(actor, document=note)
    scripted_model.will(*([says("None is.")] if mode == "gentle" else []))
    turn: Turn = turns.start(actor, thread=thread, text="Which invoices are due this month?")
    work()
    assert now(turn).refused == ("before" if mode == "strict" else "")
    assert SECRET not in read_sent(scripted_model) and NAMED in last_text()
