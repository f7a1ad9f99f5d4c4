from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from accounts.actor import Actor
from documents.definitions import prompts, schemas
from documents.models import Document, Extraction, Page, Prompt, PromptRevision, Reading, SchemaRevision, Sketch
from documents.reading import similarity
from documents.reading.similarity import ALIKE, HASHES, MAX_COMPARISONS, MAX_SKETCHED, WORTH_A_LOOK
from reader.words import HIDDEN, Word, pack
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
    similarity.save_sketch(document, reading)
    return document


def alike(one: Document, other: Document) -> float:
    return similarity.measure_similarity(one.sketch, other.sketch)


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
    assert similarity.hash_shingles(one) == similarity.hash_shingles(other + hidden)


def test_a_long_page_keeps_so_many_hashes_and_an_empty_one_none() -> None:
    long = draw_words("|".join(f"w{chr(97 + n % 26)}{chr(97 + n // 26)}x" for n in range(600)))
    assert len(similarity.hash_shingles(long)) == HASHES
    assert (similarity.hash_shingles([]), similarity.measure_spread([])) == ([], [])
    assert similarity.measure_similarity(Sketch(words=[], layout=[]), Sketch(words=[1], layout=[2])) == 0


@pytest.mark.django_db
def test_candidates_are_accepted_prompts_used_on_look_alikes(actor: Actor, stranger: Actor) -> None:
    accepted_prompt = used_on(actor, read(actor, INVOICE.format(n=1, who="Acme")), "Invoice")
    used_on(actor, read(actor, RECEIPT.format(n=1, who="Acme")), "Receipt")
    used_on(stranger, read(stranger, INVOICE.format(n=3, who="Acme")), "Of others")
    proposed = used_on(actor, read(actor, INVOICE.format(n=4, who="Acme")), "Proposed")
    PromptRevision.objects.filter(pk=proposed.pk).update(status="proposed")
    candidates = similarity.find_candidates(read(actor, INVOICE.format(n=2, who="Zebra")))
    assert [each.prompt_revision for each in candidates] == [accepted_prompt]
    assert candidates[0].similarity > ALIKE


@pytest.mark.django_db
def test_a_prompt_stands_once_with_its_newest_version(actor: Actor) -> None:
    first = used_on(actor, read(actor, INVOICE.format(n=1, who="Acme")), "Invoice")
    newest = prompts.save_version(
        actor, prompt=first.prompt, content="Take all values.", schema_revision=first.schema_revision
    )
    assert [each.prompt_revision for each in similarity.find_candidates(read(actor, INVOICE.format(n=2, who="B")))] == [
        newest
    ]


@pytest.mark.django_db
def test_definitions_of_documents_that_never_asked_are_candidates_too(actor: Actor) -> None:
    prompt = used_on(actor, read(actor, INVOICE.format(n=1, who="Acme")), "Invoice")
    Sketch.objects.all().delete()
    later = read(actor, INVOICE.format(n=2, who="Zebra"))
    assert [each.prompt_revision for each in similarity.find_candidates(later)] == [prompt]
    assert Sketch.objects.count() == 2


def run_on(document: Document, revision: PromptRevision, number: int = 1) -> Extraction:
    """Completed, and not stored yet."""
    return Extraction(
        document=document,
        number=number,
        reading=document.readings.get(),
        prompt_revision=revision,
        status=Extraction.Status.COMPLETED,
    )


@pytest.mark.django_db
def test_the_likest_come_first_each_by_its_likest_document(actor: Actor) -> None:
    same, other = INVOICE.format(n=2, who="Zebra"), INVOICE.format(n=1, who="Acme Trading")
    near, *_ = [used_on(actor, read(actor, other), name) for name in ("Near", "Far", "Further", "Furthest")]
    run_on(read(actor, same), near).save()
    wanted = read(actor, same)
    candidates = similarity.find_candidates(wanted)
    assert [each.prompt_revision for each in candidates][:1] == [near]
    assert [each.similarity == 1 for each in candidates] == [True, False, False], "at most three"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "hide",
    [
        lambda: Document.objects.filter(extractions__isnull=False).update(trashed_at=timezone.now()),
        lambda: Prompt.objects.update(trashed_at=timezone.now()),
        lambda: PromptRevision.objects.update(schema_revision=None),
        lambda: Extraction.objects.update(status=Extraction.Status.FAILED),
    ],
    ids=["document in the trash", "prompt in the trash", "no schema", "failed"],
)
def test_what_cannot_be_used_again_is_no_candidate(actor: Actor, hide: Callable[[], object]) -> None:
    used = read(actor, INVOICE.format(n=1, who="Acme"))
    used_on(actor, used, "Invoice")
    wanted = read(actor, INVOICE.format(n=2, who="Zebra"))
    assert len(similarity.find_candidates(wanted)) == 1 and similarity.find_candidates(used) == []
    hide()
    assert similarity.find_candidates(wanted) == []


@pytest.mark.django_db
def test_no_more_than_the_newest_runs_are_compared(actor: Actor) -> None:
    old = used_on(actor, read(actor, INVOICE.format(n=1, who="Acme")), "Old")
    document, wanted = (read(actor, INVOICE.format(n=n, who="Zebra")) for n in (2, 3))
    new = used_on(actor, document, "New")
    assert {each.prompt_revision for each in similarity.find_candidates(wanted)} == {old, new}
    Extraction.objects.bulk_create([run_on(document, new, number) for number in range(2, MAX_COMPARISONS + 1)])
    assert [each.prompt_revision for each in similarity.find_candidates(wanted)] == [new]


@pytest.mark.django_db
def test_no_more_than_a_few_sketches_are_drawn_at_once(actor: Actor) -> None:
    documents = [read(actor, "Total") for _ in range(MAX_SKETCHED + 1)]
    prompt = used_on(actor, documents[0], "Invoice")
    Extraction.objects.bulk_create([run_on(document, prompt) for document in documents[1:]])
    wanted = read(actor, "Total")
    Sketch.objects.exclude(document=wanted).delete()
    with watch_loaded_rows(Extraction) as runs:
        similarity.find_candidates(wanted)
    assert (Sketch.objects.count(), len(runs)) == (MAX_SKETCHED + 1, MAX_SKETCHED)
    assert not any("current" in run for run in runs)


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
        assert len(similarity.find_candidates(read(actor, INVOICE.format(n=7, who="Zebra")))) == 1
    assert (len(runs), len(revisions), len(schema_revisions)) == (0, 1, 0)
