"""Prompts by tag on documents of another type: held until a person decides, once, and never where nothing is sure."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry
from documents import document_changes, extractions, held_decisions
from documents.definitions import fitting, prompts
from documents.definitions.schema_templates import creating
from documents.definitions.schema_templates.catalogue import get_template
from documents.extractions import post_read_triggers
from documents.models import Document, Extraction, HeldRun, Prompt, PromptRevision, Reading, Tag, TypeDecision
from documents.types import catalogue, telling
from kit.errors import Conflict, NotFound
from tests.documents.reading_rows import add_reading, document_with
from tests.documents.types.test_telling import CONTRACT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]
Source = TypeDecision.Source


@pytest.fixture
def tag(actor: Actor) -> Tag:
    return Tag.objects.create(organization=actor.organization, name="Invoices")


@pytest.fixture
def prompt(actor: Actor, tag: Tag) -> PromptRevision:
    revision = prompts.create(actor, name="Invoice fields", content="Find the total.", tags=[tag])
    fitting.set_types(actor, prompt=revision.prompt, types=["invoice"])
    return revision


@pytest.fixture
def contract(actor: Actor) -> Document:
    """Read and told to be a contract by rules."""
    document = document_with(actor.organization, CONTRACT, name="cleaning.pdf", user=actor.user)
    Reading.objects.update(finished_at=timezone.now(), prompts_started_at=timezone.now())
    telling.tell_waiting()
    document.refresh_from_db()
    assert document.document_type and document.document_type.key == "contract"
    return document


def hold(actor: Actor, document: Document, tag: Tag) -> HeldRun:
    """By tagging it, which starts nothing."""
    change = document_changes.change_tags(actor, document=document, add=[tag.pk])
    assert (change.runs, len(change.held_runs)) == ([], 1)
    assert not document.extractions.exists()
    return change.held_runs[0]


@pytest.mark.usefixtures("prompt")
def test_an_upload_of_another_type_is_held_however_its_reading_is_found(actor: Actor, tag: Tag) -> None:
    """Its type is told first, though nobody has looked at it."""
    document = document_with(actor.organization, CONTRACT, user=actor.user)
    document.tags.add(tag)
    Reading.objects.update(finished_at=timezone.now())
    for _ in range(2):
        post_read_triggers.trigger_prompts()
        held_run = HeldRun.objects.get(document=document)
        assert (held_run.status, held_run.requested_by) == ("waiting", actor.user)
        assert held_run.reason == "Its type is Contract. “Invoice fields” is for Invoice."
        Reading.objects.update(prompts_started_at=None)
    assert not document.extractions.exists()
    entry = AuditEntry.objects.get(action="held")
    assert (entry.target_id, entry.detail["prompt"]) == (document.pk, "Invoice fields")


@pytest.mark.usefixtures("prompt")
def test_run_anyway_runs_it_and_is_not_asked_again(actor: Actor, contract: Document, tag: Tag) -> None:
    held_run = hold(actor, contract, tag)
    held_decisions.decide(actor, held_run=held_run, decision="run")
    assert (held_run.status, held_run.decided_by) == ("run", actor.user)
    assert contract.extractions.get().status == "queued"
    newer = add_reading(contract, CONTRACT)
    assert [run.reading for run in extractions.start_matching(contract)] == [newer]
    with pytest.raises(Conflict, match="decided already: run anyway by Admin"):
        held_decisions.decide(actor, held_run=HeldRun.objects.get(), decision="untag")


@pytest.mark.usefixtures("prompt")
def test_removing_the_tag_ends_it_and_setting_it_again_asks_again(actor: Actor, contract: Document, tag: Tag) -> None:
    held_run = hold(actor, contract, tag)
    held_decisions.decide(actor, held_run=held_run, decision="untag")
    assert (held_run.status, list(contract.tags.all())) == ("untagged", [])
    assert AuditEntry.objects.filter(action="changed", detail__removed_ids=[tag.pk]).exists()
    again = hold(actor, contract, tag)
    document_changes.change_tags(actor, document=contract, remove=[tag.pk])
    again.refresh_from_db()
    assert (again.status, contract.extractions.count()) == ("ended", 0)


@pytest.mark.usefixtures("prompt")
@pytest.mark.parametrize(("name", "status", "runs"), [("invoice", "ended", 1), ("letter", "waiting", 0)])
def test_a_person_who_says_another_type_ends_it_or_says_why_it_waits(
    actor: Actor, contract: Document, tag: Tag, name: str, status: str, runs: int
) -> None:
    held_run = hold(actor, contract, tag)
    chosen = catalogue.find_type(actor.organization, name)
    document_changes.set_type(actor, document=contract, document_type=chosen)
    held_run.refresh_from_db()
    assert (held_run.status, contract.extractions.count()) == (status, runs)
    assert (f"Its type is {chosen.name}." in held_run.reason) == (status == "waiting")


@pytest.mark.usefixtures("prompt")
def test_rules_that_are_no_longer_sure_let_it_go(actor: Actor, contract: Document, tag: Tag) -> None:
    hold(actor, contract, tag)
    assert extractions.reconsider_stale() == 0
    Document.objects.filter(pk=contract.pk).update(document_type=None)
    assert extractions.reconsider_stale() == 1
    assert contract.extractions.count() == 1 and not HeldRun.objects.filter_waiting().exists()


@pytest.mark.usefixtures("prompt")
def test_the_trash_ends_the_waiting(actor: Actor, contract: Document, tag: Tag) -> None:
    held_run = hold(actor, contract, tag)
    document_changes.trash(actor, document=contract)
    assert not HeldRun.objects.filter_waiting().exists()
    for decision in held_decisions.DECISIONS:
        with pytest.raises(NotFound):
            held_decisions.decide(actor, held_run=held_run, decision=decision)


def test_a_run_by_hand_ends_the_waiting(actor: Actor, contract: Document, prompt: PromptRevision, tag: Tag) -> None:
    held_run = hold(actor, contract, tag)
    extractions.start(actor, document=contract, prompt_revision=prompt)
    held_run.refresh_from_db()
    assert held_run.status == "ended"


@pytest.mark.usefixtures("prompt")
def test_of_two_who_decide_at_once_one_wins(actor: Actor, contract: Document, tag: Tag) -> None:
    held_run = hold(actor, contract, tag)
    outcomes, together = list[str](), threading.Barrier(2)

    def decide(decision: str) -> None:
        together.wait(30)
        try:
            outcomes.append(held_decisions.decide(actor, held_run=HeldRun.objects.get(), decision=decision).status)
        except Conflict as error:
            outcomes.append(error.code)
        finally:
            connection.close()

    people = [threading.Thread(target=decide, args=["run"]) for _ in range(2)]
    for one in people:
        one.start()
    for one in people:
        one.join(60)
    assert sorted(outcomes) == ["decided", "run"]
    assert (contract.extractions.count(), held_run.document_id) == (1, contract.pk)


def _say_nothing(actor: Actor, prompt: Prompt, document: Document) -> None:
    fitting.set_types(actor, prompt=prompt, types=None)


def _say_any(actor: Actor, prompt: Prompt, document: Document) -> None:
    fitting.set_types(actor, prompt=prompt, types=[])


def _say_both(actor: Actor, prompt: Prompt, document: Document) -> None:
    fitting.set_types(actor, prompt=prompt, types=["Contract", "invoice"])


def _decide_by_model(actor: Actor, prompt: Prompt, document: Document) -> None:
    TypeDecision.objects.update(source=Source.MODEL)


def _be_unsure(actor: Actor, prompt: Prompt, document: Document) -> None:
    Document.objects.update(document_type=None)


def _be_for_an_own_type(actor: Actor, prompt: Prompt, document: Document) -> None:
    """Rules do not know it: what they take for a contract may be one."""
    catalogue.add_type(actor, name="Framework paper")
    fitting.set_types(actor, prompt=prompt, types=["Framework paper"])


def _be_usual_for_contracts(actor: Actor, prompt: Prompt, document: Document) -> None:
    fitting.set_types(actor, prompt=prompt, types=None)
    for name in ("contract", "order"):
        row = catalogue.find_type(actor.organization, name)
        catalogue.change_type(actor, document_type=row, prompt_id=prompt.pk)


def _be_verified_on(actor: Actor, prompt: Prompt, types: list[str]) -> None:
    fitting.set_types(actor, prompt=prompt, types=None)
    for number, name in enumerate(types):
        row = catalogue.find_type(actor.organization, name) if name else None
        other = document_with(actor.organization, ["x"], name=f"{number}.pdf")
        Document.objects.filter(pk=other.pk).update(document_type=row)
        run = Extraction.objects.create(document=other, number=1, prompt_revision=prompt.latest, status="completed")
        run.verifications.create(user=actor.user)


@pytest.mark.parametrize(
    "arrange",
    [
        _say_nothing,
        _say_any,
        _say_both,
        _decide_by_model,
        _be_unsure,
        _be_for_an_own_type,
        _be_usual_for_contracts,
        lambda actor, prompt, _: _be_verified_on(actor, prompt, ["invoice"] * 2),
        lambda actor, prompt, _: _be_verified_on(actor, prompt, ["invoice"] * 3 + [""] * 4),
        lambda actor, prompt, _: _be_verified_on(actor, prompt, ["invoice"] * 3 + ["contract"]),
    ],
)
def test_nothing_is_held_where_it_may_fit(
    actor: Actor, contract: Document, prompt: PromptRevision, tag: Tag, arrange: Any
) -> None:
    arrange(actor, prompt.prompt, contract)
    change = document_changes.change_tags(actor, document=contract, add=[tag.pk])
    assert ([run.prompt_revision for run in change.runs], list(change.held_runs)) == ([prompt], [])


def _be_usual_for_orders(actor: Actor, prompt: Prompt, document: Document) -> None:
    fitting.set_types(actor, prompt=prompt, types=None)
    row = catalogue.find_type(actor.organization, "order")
    catalogue.change_type(actor, document_type=row, prompt_id=prompt.pk)


def _be_for_an_own_type_of_a_person(actor: Actor, prompt: Prompt, document: Document) -> None:
    _be_for_an_own_type(actor, prompt, document)
    TypeDecision.objects.update(source=Source.PERSON)


@pytest.mark.parametrize(
    ("arrange", "words"),
    [
        (_be_usual_for_orders, "is the usual prompt of Order."),
        (_be_for_an_own_type_of_a_person, "is for Framework paper."),
        (lambda actor, prompt, _: _be_verified_on(actor, prompt, ["invoice"] * 3 + [""]), "on Invoice alone."),
    ],
)
def test_the_reason_says_how_it_is_known(
    actor: Actor, contract: Document, prompt: PromptRevision, tag: Tag, arrange: Any, words: str
) -> None:
    arrange(actor, prompt.prompt, contract)
    assert hold(actor, contract, tag).reason.endswith(words)


def test_a_prompt_of_a_template_and_one_of_a_usual_schema_know_their_types(actor: Actor) -> None:
    made = creating.create_from_template(actor, template=get_template("invoice"))
    assert fitting.describe_fit(made.prompt_revision).keys == {"invoice"}
    row = catalogue.find_type(actor.organization, "order")
    catalogue.change_type(actor, document_type=row, schema_id=made.schema_revision.schema_id)
    other = prompts.create(actor, name="Orders", content="Find it.", schema_revision=made.schema_revision)
    assert fitting.describe_fit(other) == fitting.Fit(frozenset({"order"}), "is the usual prompt of Order")
