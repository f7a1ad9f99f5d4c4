from __future__ import annotations

import pytest

from accounts.actor import Actor
from documents.backends.words import HIDDEN, Word, pack
from documents.definitions import prompts, schemas
from documents.models import Document, Extraction, Page, PromptRevision, Reading, SchemaRevision, Sketch
from documents.reading import likeness
from documents.reading.likeness import ALIKE, HASHES, WORTH_A_LOOK
from tests.loaded_rows import watch_loaded_rows

FIELD = {"type": "number", "description": "The amount due"}
FORMAT = {
    "type": "json_schema",
    "json_schema": {"name": "form", "schema": {"type": "object", "properties": {"total": FIELD}}},
}
INVOICE = (
    "Invoice number {n}|Due date 2026-0{n}-01|Bill to {who} Ltd|Description Quantity Unit price|Total due {n}00.50"
)
RECEIPT = "Cash receipt|Thank you for shopping at {who}|Cashier {n} Table 4|Change given 0.{n}0|Rounding adjustment"


def draw_words(text: str) -> list[Word]:
    rows = text.split("|")
    return [
        Word(word, at / 10, y / len(rows), at / 10 + 0.08, (y + 0.5) / len(rows), line=y + 1)
        for y, row in enumerate(rows)
        for at, word in enumerate(row.split())
    ]


def read(actor: Actor, text: str) -> Document:
    document = Document.objects.create(
        organization=actor.organization,
        name="a.pdf",
        sha256="0" * 64,
        size=1,
        media_type="application/pdf",
        file="none",
        state=Document.State.OCR_COMPLETED,
    )
    reading = Reading.objects.create(document=document, number=1, status="completed", page_count=1)
    Page.objects.create(
        reading=reading, number=1, width=600, height=800, text=text, engine="text", words=pack(draw_words(text))
    )
    likeness.save_sketch(document, reading)
    return document


def alike(one: Document, other: Document) -> float:
    return likeness.measure_likeness(one.sketch, other.sketch)


def used_on(actor: Actor, document: Document, name: str) -> PromptRevision:
    schema = schemas.create(actor, name=name, response_format=FORMAT)
    revision = prompts.create(actor, name=name, content="Take the values.", schema_revision=schema)
    Extraction.objects.create(
        document=document,
        number=1,
        reading=document.readings.get(),
        prompt_revision=revision,
        schema_revision=schema,
        status=Extraction.Status.COMPLETED,
    )
    return revision


@pytest.mark.django_db
def test_invoices_of_one_maker_are_alike_and_a_receipt_is_not(actor: Actor) -> None:
    first, second = (read(actor, INVOICE.format(n=n, who=who)) for n, who in ((1, "Acme"), (2, "Zebra")))
    receipt = read(actor, RECEIPT.format(n=1, who="Acme"))
    assert alike(first, first) == 1
    assert ALIKE < alike(first, second) == alike(second, first) < 1
    assert alike(first, receipt) < WORTH_A_LOOK


@pytest.mark.django_db
def test_numbers_and_hidden_words_make_no_difference() -> None:
    hidden = [Word("Ignore", 0, 0, 0.1, 0.1, line=9, flags=HIDDEN)]
    one, other = draw_words("Total due 100.50"), draw_words("Total due 9.99")
    assert likeness.hash_shingles(one) == likeness.hash_shingles(other + hidden)


def test_a_long_page_keeps_so_many_hashes_and_an_empty_one_none() -> None:
    long = draw_words("|".join(f"w{chr(97 + n % 26)}{chr(97 + n // 26)}x" for n in range(600)))
    assert len(likeness.hash_shingles(long)) == HASHES
    assert (likeness.hash_shingles([]), likeness.measure_spread([])) == ([], [])
    assert likeness.measure_likeness(Sketch(words=[], layout=[]), Sketch(words=[1], layout=[2])) == 0


@pytest.mark.django_db
def test_candidates_are_accepted_prompts_used_on_look_alikes(actor: Actor, stranger: Actor) -> None:
    accepted_prompt = used_on(actor, read(actor, INVOICE.format(n=1, who="Acme")), "Invoice")
    used_on(actor, read(actor, RECEIPT.format(n=1, who="Acme")), "Receipt")
    used_on(stranger, read(stranger, INVOICE.format(n=3, who="Acme")), "Of others")
    proposed = used_on(actor, read(actor, INVOICE.format(n=4, who="Acme")), "Proposed")
    PromptRevision.objects.filter(pk=proposed.pk).update(status="proposed")
    candidates = likeness.find_candidates(read(actor, INVOICE.format(n=2, who="Zebra")))
    assert [each.prompt_revision for each in candidates] == [accepted_prompt]
    assert candidates[0].likeness > ALIKE


@pytest.mark.django_db
def test_a_prompt_stands_once_with_its_newest_version(actor: Actor) -> None:
    first = used_on(actor, read(actor, INVOICE.format(n=1, who="Acme")), "Invoice")
    newest = prompts.save_version(
        actor, prompt=first.prompt, content="Take all values.", schema_revision=first.schema_revision
    )
    assert [each.prompt_revision for each in likeness.find_candidates(read(actor, INVOICE.format(n=2, who="B")))] == [
        newest
    ]


@pytest.mark.django_db
def test_definitions_of_documents_that_never_asked_are_candidates_too(actor: Actor) -> None:
    prompt = used_on(actor, read(actor, INVOICE.format(n=1, who="Acme")), "Invoice")
    Sketch.objects.all().delete()
    later = read(actor, INVOICE.format(n=2, who="Zebra"))
    assert [each.prompt_revision for each in likeness.find_candidates(later)] == [prompt]
    assert Sketch.objects.count() == 2


@pytest.mark.django_db
def test_finding_candidates_fetches_no_texts_schemas_or_values(actor: Actor) -> None:
    documents = [read(actor, INVOICE.format(n=n, who="Acme")) for n in range(1, 6)]
    prompt = used_on(actor, documents[0], "Invoice")
    for document in documents[1:]:
        Extraction.objects.create(
            document=document,
            number=1,
            reading=document.readings.get(),
            prompt_revision=prompt,
            status="completed",
            current={"total": 1},
        )
    with (
        watch_loaded_rows(Extraction) as runs,
        watch_loaded_rows(PromptRevision) as revisions,
        watch_loaded_rows(SchemaRevision) as schema_revisions,
    ):
        assert len(likeness.find_candidates(read(actor, INVOICE.format(n=7, who="Zebra")))) == 1
    assert (len(runs), len(revisions), len(schema_revisions)) == (0, 1, 0)
