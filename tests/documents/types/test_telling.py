"""Types as rows: told after a reading, once, and decided by people, whose word holds."""

from __future__ import annotations

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry
from documents.models import Document, DocumentType, Reading, TypeDecision
from documents.types import catalogue, telling
from documents.types.rules import TYPES
from kit.errors import Conflict, Invalid
from tests.documents.reading_rows import add_reading, document_with

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
NOTE = [
    "DELIVERY NOTE 4411",
    "Deliver to: Northside Works",
    "Article|Ordered|Delivered",
    "Bolt M8|200|180",
    "Washer|400|400",
    "Carrier: Vanline",
    "Goods received in good condition",
]
CONTRACT = [
    "SERVICE AGREEMENT",
    "This agreement is made between Plover Ltd and Vale LLP, hereinafter the parties.",
    "Article 1 The Contractor shall clean the premises.",
    "Article 2 Either party may terminate in writing.",
    "Article 3 This agreement is governed by the laws of England.",
    "Signed for the Contractor",
]


def tell(document: Document) -> TypeDecision:
    """As the worker does, twice: the second time finds nothing to do."""
    Reading.objects.filter(document=document).update(finished_at=timezone.now())
    telling.tell_waiting()
    assert telling.tell_waiting() == 0
    document.refresh_from_db()
    return TypeDecision.objects.get(document=document)


def test_a_document_that_is_read_gets_its_type_with_the_lines_that_decided(actor: Actor) -> None:
    document = document_with(actor.organization, NOTE)
    decision = tell(document)
    assert document.document_type and document.document_type.key == "delivery note"
    assert decision.source == "rules" and decision.reading == document.readings.get()
    assert {"page": 1, "line": 1, "words": "DELIVERY NOTE 4411"} in decision.proof


def test_nothing_sure_is_no_type_and_no_proof(actor: Actor) -> None:
    document = document_with(actor.organization, ["INVOICE"])
    assert tell(document).proof == []
    assert document.document_type is None


def test_a_newer_reading_is_looked_at_and_an_older_one_is_not(actor: Actor) -> None:
    document = document_with(actor.organization, NOTE)
    newer = add_reading(document, CONTRACT)
    decision = tell(document)
    assert document.document_type and document.document_type.key == "contract"
    assert decision.reading == newer


def test_a_persons_word_holds_over_later_readings_and_can_be_taken_back(actor: Actor) -> None:
    document = document_with(actor.organization, NOTE)
    tell(document)
    letter = catalogue.find_type(actor.organization, "letter")
    telling.set_type(actor, document=document, document_type=letter)
    assert document.version == 2
    add_reading(document, CONTRACT)
    decision = tell(document)
    assert document.document_type == letter
    assert (decision.source, decision.decided_by) == ("person", actor.user)
    entry = AuditEntry.objects.get(action="set the type")
    assert entry.detail["after"] == "Letter" and entry.detail["before"] == "Delivery note"
    telling.set_type(actor, document=document, document_type=None)
    assert tell(document).source == "rules"
    assert document.document_type and document.document_type.key == "contract"


def test_a_type_that_is_switched_off_is_given_to_none(actor: Actor) -> None:
    note = catalogue.find_type(actor.organization, "Delivery note")
    catalogue.change_type(actor, document_type=note, is_on=False)
    document = document_with(actor.organization, NOTE)
    tell(document)
    assert document.document_type is None
    with pytest.raises(Invalid, match="switched off"):
        telling.set_type(actor, document=document, document_type=DocumentType.objects.get(pk=note.pk))


def test_types_are_renamed_and_added_and_programs_know_their_key(actor: Actor) -> None:
    assert {row.key for row in catalogue.list_types(actor.organization)} == set(TYPES)
    bill = catalogue.find_type(actor.organization, "invoice")
    catalogue.change_type(actor, document_type=bill, name="Bill")
    assert catalogue.find_type(actor.organization, "invoice").name == "Bill"
    added = catalogue.add_type(actor, name="Customs  declaration")
    assert (added.key, added.name) == ("customs declaration", "Customs declaration")
    with pytest.raises(Conflict):
        catalogue.add_type(actor, name="bill")
    with pytest.raises(Invalid, match="There is no type"):
        catalogue.find_type(actor.organization, "poem")
