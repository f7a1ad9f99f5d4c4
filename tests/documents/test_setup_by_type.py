"""Automatic setup groups look-alikes within a type: what came in one mail or one file gets a setup for each type."""

from __future__ import annotations

import pytest

from accounts.actor import Actor
from documents.autosetup import auto_setup
from documents.autosetup.auto_setup import ONLY_CARRIES
from documents.definitions import prompts, schemas
from documents.intake import splitting
from documents.intake.splitting import PartPages
from documents.models import AutoSetup, Document, Proposal
from documents.reading import similarity
from documents.reading.reading import get_newest
from documents.types import catalogue, telling
from tests.documents.mails import make_mail
from tests.documents.proposal_rows import make_completed_run, response_format
from tests.documents.reader_files import pdf, text_at
from tests.documents.test_unpacking import put, read_all

pytestmark = pytest.mark.django_db
SHARED = [
    "Harbour Fasteners Ltd    14 Quay Street, Millbank",
    "Customer 4410    Northside Works, Depot 2, Gate B",
    "Terms of trade of the Fasteners Guild apply to all of this business",
]
INVOICE = [
    *SHARED,
    "INVOICE 8812    12 May 2025",
    "Item    Qty    Price    Amount",
    "Bolt M8 zinc plated    200    0.50    100.00",
    "Washer flat steel    400    0.10    40.00",
    "VAT 20%    28.00",
    "Amount due    168.00",
    "Payment due 11 June 2025    IBAN GB00 0000",
]
NOTE = [
    *SHARED,
    "DELIVERY NOTE 8812",
    "Item    Ordered    Delivered",
    "Bolt M8 zinc plated    200    200",
    "Washer flat steel    400    400",
    "Carrier Vanline    Parcels 2",
    "Goods received in good condition",
]


def make_text(lines: list[str]) -> bytes:
    return "\n".join(lines).encode()


def draw(lines: list[str]) -> str:
    cells = [
        (at, 40 + 140 * column, cell) for at, line in enumerate(lines) for column, cell in enumerate(line.split("    "))
    ]
    return "".join(text_at(x, 740 - 24 * at, cell, size=9) for at, x, cell in cells)


def put_apart(actor: Actor, lines: list[str], name: str) -> Document:
    document = put(actor, name, make_text(lines))
    read_all()
    telling.tell_waiting()
    document.refresh_from_db()
    return document


def groups_of(documents: list[Document]) -> list[str]:
    return [AutoSetup.objects.get(document=document).proposal.lead.name for document in documents]


def test_they_look_alike_by_words_alone(actor: Actor) -> None:
    one, other = put_apart(actor, INVOICE, "a.txt"), put_apart(actor, NOTE, "b.txt")
    sketches = [similarity.save_sketch(document, get_newest(document)) for document in (one, other)]
    assert similarity.measure_similarity(*sketches) >= similarity.ALIKE
    assert [document.document_type.key for document in (one, other)] == ["invoice", "delivery note"]


def test_a_mail_with_an_invoice_and_a_delivery_note_gets_two_setups(actor: Actor) -> None:
    files = [("invoice.txt", make_text(INVOICE)), ("note.txt", make_text(NOTE)), ("second.txt", make_text(INVOICE[1:]))]
    mail = put(actor, "mail.eml", make_mail(*files, subject="Your goods", text="Please see attached."), auto_setup=True)
    read_all()
    auto_setup.assign_waiting()
    assert groups_of(list(mail.list_parts())) == ["invoice.txt", "note.txt", "invoice.txt"]
    assert Proposal.objects.count() == 2
    assert AutoSetup.objects.get(document=mail).reason == ONLY_CARRIES


def test_pages_that_are_split_off_get_one_for_each_type(actor: Actor) -> None:
    bundle = put(actor, "bundle.pdf", pdf([draw(INVOICE), draw(NOTE)], page="/MediaBox [0 0 600 800]"), auto_setup=True)
    read_all()
    splitting.split(actor, document=bundle, parts=[PartPages(1, 1), PartPages(2, 2)])
    read_all()
    auto_setup.assign_waiting()
    parts = list(bundle.list_parts())
    assert [part.document_type.key for part in parts] == ["invoice", "delivery note"]
    assert len(set(groups_of(parts))) == 2


def test_a_prompt_is_offered_to_look_alikes_of_its_type_alone(actor: Actor) -> None:
    used, note, invoice = (
        put_apart(actor, lines, name)
        for lines, name in ((INVOICE, "used.txt"), (NOTE, "note.txt"), (INVOICE[1:], "invoice.txt"))
    )
    schema = schemas.create(actor, name="Invoice", response_format=response_format("total"))
    revision = prompts.create(actor, name="Invoice", content="Take it.", schema_revision=schema)
    make_completed_run(used, revision)
    for document in (note, invoice):
        similarity.save_sketch(document, get_newest(document))
    assert [candidate.prompt_revision for candidate in similarity.find_candidates(invoice)] == [revision]
    assert similarity.find_candidates(note) == []
    telling.set_type(actor, document=note, document_type=catalogue.find_type(actor.organization, "invoice"))
    assert similarity.find_candidates(note) != []
