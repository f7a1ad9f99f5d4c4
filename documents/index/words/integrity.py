"""The index of words, compared with the words of the pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts.models import Organization
from documents.index.faults import Fault, find_newest
from documents.index.words import word_list
from documents.index.words.expressions import PageTerms
from documents.index.words.indexing import index_document, list_words, prepare_terms
from documents.index.words.storage import get_backend
from documents.models import Document, IndexedPage, IndexedWord, Reading, WordIndex
from reader.words import unpack

AT_ONCE = 500


def find_faults(document: Document) -> Iterator[Fault]:
    """Of what waits to be indexed there are none: it will be."""
    newest = find_newest(document)
    if newest is not None and newest.indexing != Reading.Indexing.DONE:
        return
    repair = partial(_repair_document, document)
    rows = list(IndexedPage.objects.filter(document=document).order_by("number", "part"))
    if newest is None or document.trashed_at is not None:
        if rows:
            yield Fault(f"{len(rows):,} pages are indexed that nobody may find.", repair)
        return
    yield from _find_damaged_pages(newest)
    pages = [part for page in newest.pages.order_by("number") for part in prepare_terms(page)]
    if problem := _compare(document, newest, rows, pages):
        yield Fault(problem, repair)


def _find_damaged_pages(reading: Reading) -> Iterator[Fault]:
    for page in reading.pages.order_by("number"):
        try:
            unpack(bytes(page.words))
        except ValueError as error:
            yield Fault(f"Page {page.number}: {error} Read the document again.")


def _compare(document: Document, newest: Reading, rows: Sequence[IndexedPage], pages: Sequence[PageTerms]) -> str:
    """What is wrong with the first page that is not as it should be; empty where all are."""
    index = WordIndex.objects.filter(organization=document.organization_id).first()
    expected = {(page.number, page.part): page for page in pages}
    places = [(row.number, row.part) for row in rows]
    if sorted(places) != sorted(expected):
        return f"{len(expected):,} pages have words, and {len(places):,} are indexed."
    for row in rows:
        is_own = (row.reading_id, row.organization_id) == (newest.pk, document.organization_id)
        if (
            not is_own
            or index is None
            or not get_backend().has_terms(index.code, row.pk, expected[row.number, row.part])
        ):
            return f"Page {row.number} is not indexed by its words."
    if missing := word_list.list_missing(document.organization_id, list_words(pages)):
        return f"{len(missing):,} of its words are on no list, so no typing error in them is forgiven."
    return ""


def _repair_document(document: Document) -> None:
    if find_newest(document) is None:
        get_backend().delete_pages(list(IndexedPage.objects.filter(document=document).values_list("pk", flat=True)))
    else:
        index_document(document)


def find_list_faults(organization: Organization) -> Iterator[Fault]:
    """Words that no page has, and a wrong count of them."""
    for words in _split_words(organization):
        if unused := word_list.list_unused(organization.pk, words):
            repair = partial(word_list.remove_unused, organization.pk, unused)
            yield Fault(f"{len(unused):,} words are on the list that no page has.", repair)
    index = WordIndex.objects.filter(organization=organization).first()
    number = IndexedWord.objects.for_org(organization).count()
    if index is not None and index.word_count != number:
        repair = partial(word_list.count_again, organization.pk)
        yield Fault(f"{index.word_count:,} words are counted on the list, and there are {number:,}.", repair)


def _split_words(organization: Organization) -> Iterator[list[str]]:
    last = ""
    while words := list(
        IndexedWord.objects.for_org(organization)
        .filter(word__gt=last)
        .order_by("word")
        .values_list("word", flat=True)[:AT_ONCE]
    ):
        yield words
        last = words[-1]


def find_orphans() -> Iterator[Fault]:
    """Rows whose document has gone, and what the database itself finds wrong with its index."""
    backend = get_backend()
    gone = IndexedPage.objects.filter(~Exists(Document.objects.filter(pk=OuterRef("document_id"))))
    keys = [*gone.values_list("pk", flat=True), *backend.list_orphans()]
    if keys:
        yield Fault(f"{len(keys):,} pages are indexed whose document has gone.", partial(_delete, keys))
    if not backend.is_sound():
        yield Fault("The index of words is damaged.", backend.rebuild)


def _delete(keys: Sequence[int]) -> None:
    for at in range(0, len(keys), AT_ONCE):
        with transaction.atomic():
            get_backend().delete_pages(keys[at : at + AT_ONCE])
