"""A model for types that rules leave open: once a reading, by words that stand on the page, and never over a person."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.actor import Actor
from documents.models import Document, Reading, TypeDecision, TypeModelChoice, Usage
from documents.types import asking, catalogue, telling
from documents.types.model_choice import choose_model, find_choice
from tests.documents.reading_rows import document_with
from tests.documents.types.test_likeness import SLIP
from tests.documents.types.test_telling import CONTRACT
from tests.scripted_model import Reply, ScriptedModel, answers, fails, says

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]
SAYS_FORM = {"type": "form", "words": "ticket  printed by the SCALE"}


@pytest.fixture
def allowed(actor: Actor, scripted_model: ScriptedModel) -> TypeModelChoice:
    return choose_model(actor, model=scripted_model.model, month_usd=1)


def make_unsure(actor: Actor, lines: list[str] = SLIP) -> Reading:
    reading = document_with(actor.organization, lines, ["Second page"]).readings.get()
    Reading.objects.filter(pk=reading.pk).update(finished_at=timezone.now())
    telling.tell_waiting()
    return reading


def ask(reading: Reading) -> tuple[str, TypeDecision]:
    """As several workers do: the second finds nothing to do."""
    asking.ask_about(reading.pk)
    asking.ask_about(reading.pk)
    document = Document.objects.get(pk=reading.document_id)
    key = document.document_type.key if document.document_type else ""
    return key, TypeDecision.objects.get(document=document)


def test_a_model_decides_once_by_words_of_the_first_page(
    actor: Actor, scripted_model: ScriptedModel, allowed: TypeModelChoice
) -> None:
    scripted_model.will(answers(SAYS_FORM))
    key, decision = ask(reading := make_unsure(actor))
    assert (key, decision.source, decision.is_example) == ("form", "model", False)
    assert decision.proof == [{"page": 1, "line": 2, "words": SLIP[1]}]
    assert decision.reason == f"A model says so, by “{SLIP[1]}” (line 2 of page 1)."
    (request,) = scripted_model.requests
    sent = request["messages"][1]["content"]
    assert SLIP[-1] in sent and "Second page" not in sent
    assert Usage.objects.get().purpose == "type"
    Reading.objects.update(typed_at=None)  # As a confirmation of another document has it judged again.
    telling.tell_waiting()
    assert ask(reading)[0] == "form"


CLAIM = ["INVOICE 4411", CONTRACT[1], *CONTRACT[3:5], "Amount due|500.00", "Due date|3 May 2025"]
OPEN: list[tuple[list[str], Reply, str]] = [
    (SLIP, answers({"type": "form", "words": "Application form"}), asking.WORDS_MISSING),
    (SLIP, answers({"type": "form", "words": "by the scal"}), asking.WORDS_MISSING),
    (SLIP, answers({"type": "form", "words": ""}), asking.WORDS_MISSING),
    (SLIP, answers({"type": "form", "words": "Second page"}), asking.WORDS_MISSING),
    (SLIP, answers({"type": "unsure", "words": ""}), asking.UNSURE),
    (SLIP, answers({"type": "poem", "words": SLIP[0]}), asking.UNSURE),
    (SLIP, says("It is a form."), "No model decided. The model's answer has another form."),
    (SLIP, fails(400, "gone"), "No model decided. "),
    (CLAIM, answers({"type": "invoice", "words": "INVOICE 4411"}), asking.UNSURE),
]
"""A page, what the model says to it, and the reason why its type stays open. The rules bar the type of the last."""


def test_whatever_does_not_stand_or_is_barred_stays_open(
    actor: Actor, scripted_model: ScriptedModel, allowed: TypeModelChoice
) -> None:
    for lines, reply, note in OPEN:
        scripted_model.will(reply)
        key, decision = ask(make_unsure(actor, lines))
        assert (key, decision.source, decision.proof) == ("", "rules", []), reply
        assert decision.reason.startswith(note), reply


def test_a_persons_word_holds_before_and_during_the_call(
    actor: Actor, scripted_model: ScriptedModel, allowed: TypeModelChoice
) -> None:
    letter = catalogue.find_type(actor.organization, "letter")
    before, during = make_unsure(actor), make_unsure(actor)
    telling.set_type(actor, document=before.document, document_type=letter)
    assert ask(before)[0] == "letter" and not scripted_model.requests
    scripted_model.will(answers(SAYS_FORM))
    judgement = asking.judge(during)
    telling.set_type(actor, document=during.document, document_type=letter)
    asking.store_judgement(during, judgement)
    during.document.refresh_from_db()
    assert during.document.document_type == letter
    assert TypeDecision.objects.get(document=during.document).source == "person"


def test_its_own_budget_ends_it_with_a_reason(
    actor: Actor, scripted_model: ScriptedModel, unpriced: None, allowed: TypeModelChoice
) -> None:
    TypeModelChoice.objects.update(month_micros=1)
    key, decision = ask(make_unsure(actor))
    assert key == "" and not scripted_model.requests
    assert "No model decided. This call may cost" in decision.reason and "for types of documents" in decision.reason


def test_nobody_is_asked_about_what_was_read_before_or_without_leave(
    actor: Actor, scripted_model: ScriptedModel
) -> None:
    assert find_choice(actor.organization) is None
    reading = make_unsure(actor)
    assert ask(reading)[1].reason == ""
    choose_model(actor, model=scripted_model.model, month_usd=1)
    Reading.objects.update(finished_at=timezone.now() - timedelta(days=1), typed_at=None)
    telling.tell_waiting()
    assert ask(reading)[0] == "" and not scripted_model.requests
