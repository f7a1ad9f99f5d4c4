"""Types by likeness to documents that people have confirmed: where it decides, what teaches it, and what ends it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import Role
from documents import document_changes
from documents.models import Document, DocumentType, TypeDecision
from documents.retention import purging
from documents.types import catalogue, telling
from kit.errors import Conflict, Denied
from tests.documents.reading_rows import document_with
from tests.documents.types.test_telling import CONTRACT, NOTE

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
SLIP = [
    "Harbour and Mill Weighbridge",
    "Ticket printed by the scale",
    "Vehicle red lorry of Millbank Quarry",
    "Gross tare net kilograms",
    "Material washed gravel medium",
    "Weighed under supervision of the harbour master",
]


def slip(actor: Actor, number: int) -> Document:
    """No rule knows it. Each is a file of its own."""
    document = document_with(actor.organization, [*SLIP, f"Number {number}"], name=f"slip {number}.pdf")
    Document.objects.filter(pk=document.pk).update(sha256=str(number))
    document.refresh_from_db()
    return document


def tell_all() -> None:
    while telling.tell_waiting():
        pass


def type_of(document: Document) -> str:
    document.refresh_from_db()
    return document.document_type.key if document.document_type else ""


def teach(actor: Actor, document: Document, document_type: DocumentType) -> None:
    telling.set_type(actor, document=document, document_type=document_type)
    telling.confirm_type(actor, document=document, document_type=document_type)


@pytest.fixture
def weigh_slip(actor: Actor) -> DocumentType:
    return catalogue.add_type(actor, name="Weigh slip")


@pytest.fixture
def taught(actor: Actor, weigh_slip: DocumentType) -> list[Document]:
    """Two slips that a person has confirmed."""
    rows = [slip(actor, 1), slip(actor, 2)]
    for document in rows:
        teach(actor, document, weigh_slip)
    return rows


def test_documents_like_two_confirmed_ones_get_their_type_and_name_them(actor: Actor, taught: list[Document]) -> None:
    like, note = slip(actor, 3), document_with(actor.organization, NOTE)
    tell_all()
    assert (type_of(like), type_of(note)) == ("weigh slip", "delivery note")
    decision = TypeDecision.objects.get(document=like)
    assert (decision.source, decision.proof, decision.is_example) == ("likeness", [], False)
    assert set(decision.alike.all()) == set(taught)
    assert decision.reason == "It looks like documents that people have confirmed."


def test_a_document_that_was_unsure_gets_its_type_once_it_is_taught(actor: Actor, weigh_slip: DocumentType) -> None:
    earlier = slip(actor, 3)
    tell_all()
    assert type_of(earlier) == ""
    for number in (1, 2):
        teach(actor, slip(actor, number), weigh_slip)
    tell_all()
    assert type_of(earlier) == "weigh slip"


def test_one_odd_document_changes_no_other(actor: Actor, weigh_slip: DocumentType) -> None:
    """The bound: one confirmed document, and copies of it, give no other document a type, and take none away."""
    odd = slip(actor, 1)
    copy = slip(actor, 1)
    others = [slip(actor, number) for number in range(2, 12)] + [document_with(actor.organization, CONTRACT)]
    tell_all()
    before = [type_of(document) for document in others]
    for document in (odd, copy):
        teach(actor, document, weigh_slip)
    tell_all()
    assert [type_of(document) for document in others] == before


def test_examples_that_disagree_decide_nothing(actor: Actor, taught: list[Document]) -> None:
    teach(actor, slip(actor, 4), catalogue.find_type(actor.organization, "letter"))
    like = slip(actor, 3)
    tell_all()
    assert type_of(like) == ""


def test_likeness_never_overrules_rules_nor_their_doubts_about_harm(actor: Actor) -> None:
    """A page of a contract with a title and a sum of an invoice is unsure, and stays so."""
    claiming = ["INVOICE 4411", CONTRACT[1], *CONTRACT[3:5], "Amount due|500.00", "Due date|3 May 2025"]
    invoice = catalogue.find_type(actor.organization, "invoice")
    for number in (1, 2):
        for lines in (CONTRACT, claiming):
            document = document_with(actor.organization, lines)
            Document.objects.filter(pk=document.pk).update(sha256=f"{number}{lines[0]}")
            teach(actor, document, invoice)
    told, unsure = document_with(actor.organization, CONTRACT), document_with(actor.organization, claiming)
    tell_all()
    assert (type_of(told), type_of(unsure)) == ("contract", "")


def test_only_a_confirmation_teaches(actor: Actor, weigh_slip: DocumentType) -> None:
    """A type that is set, over /v0, for many or by the agent too, holds for that document alone."""
    for number in (1, 2):
        document_changes.update(actor, document=slip(actor, number), document_type="weigh slip")
    like = slip(actor, 3)
    tell_all()
    assert type_of(like) == ""
    assert not TypeDecision.objects.filter(is_example=True).exists()


def test_what_was_learned_goes_with_its_document(actor: Actor, taught: list[Document]) -> None:
    like = slip(actor, 3)
    tell_all()
    assert type_of(like) == "weigh slip"
    document_changes.trash(actor, document=taught[0])
    purging.stop_work(taught[0])
    for rows in purging.iterate_parts(taught[0]):
        rows.delete()
    purging.delete_row(taught[0])
    assert type_of(like) == ""
    tell_all()
    assert type_of(like) == ""
    assert not TypeDecision.objects.get(document=like).alike.exists()


def test_a_change_of_mind_is_forgotten_too(actor: Actor, taught: list[Document]) -> None:
    like = slip(actor, 3)
    tell_all()
    telling.set_type(actor, document=taught[0], document_type=catalogue.find_type(actor.organization, "other"))
    tell_all()
    assert type_of(like) == ""
    assert not TypeDecision.objects.get(document=taught[0]).is_example


def test_learning_stays_in_its_organization(actor: Actor, taught: list[Document], stranger: Actor) -> None:
    foreign = slip(stranger, 3)
    tell_all()
    assert type_of(foreign) == ""


def test_a_viewer_teaches_nothing_and_a_stale_confirmation_is_refused(
    actor: Actor, weigh_slip: DocumentType, member: Callable[[Role], Actor]
) -> None:
    document = slip(actor, 1)
    telling.set_type(actor, document=document, document_type=weigh_slip)
    with pytest.raises(Denied):
        telling.confirm_type(member(Role.VIEWER), document=document, document_type=weigh_slip)
    with pytest.raises(Conflict, match="another type by now"):
        telling.confirm_type(actor, document=document, document_type=catalogue.find_type(actor.organization, "letter"))
