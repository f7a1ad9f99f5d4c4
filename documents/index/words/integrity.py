"""The index of words, compared with the words of the pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.db import transaction

from accounts.models import Organization
from documents.index.checked_index import AT_ONCE, CheckedIndex, Fault, find_newest
from documents.index.words import word_list
from documents.index.words.expressions import PageTerms
from documents.index.words.indexing import index_document, list_words, prepare_terms
from documents.index.words.storage import get_backend
from documents.models import Document, IndexedPage, IndexedWord, Reading, WordIndex
from reader.words import unpack


class CheckedWords(CheckedIndex):
    model = IndexedPage
    orphans = "pages are indexed whose document has gone."

    def verify(self, document: Document) -> Iterator[Fault]:
        newest = find_newest(document)
        if newest is not None and newest.indexing != Reading.Indexing.DONE:
            return
        rows = list(IndexedPage.objects.filter(document=document).order_by("number", "part"))
        if newest is None or document.trashed_at is not None:
            if rows:
                yield Fault(f"{len(rows):,} pages are indexed that nobody may find.")
            return
        yield from _find_damaged_pages(newest)
        pages = [part for page in newest.pages.order_by("number") for part in prepare_terms(page)]
        if problem := _compare(document, newest, rows, pages):
            yield Fault(problem)

    def repair(self, document: Document) -> None:
        if find_newest(document) is not None:
            index_document(document)
        else:
            self.delete_some(list(IndexedPage.objects.filter(document=document).values_list("pk", flat=True)))

    def verify_rest(self) -> Iterator[Fault]:
        """Adds what the database itself finds wrong with its index."""
        yield from super().verify_rest()
        if not get_backend().is_sound():
            yield Fault("The index of words is damaged.")

    def repair_rest(self) -> None:
        super().repair_rest()
        if not get_backend().is_sound():
            get_backend().rebuild()

    def list_orphans(self) -> list[int]:
        return [*super().list_orphans(), *get_backend().list_orphans()]

    @transaction.atomic
    def delete_some(self, keys: Sequence[int]) -> None:
        get_backend().delete_pages(keys)


def verify_list(organization: Organization) -> Iterator[Fault]:
    """Words that no page has, and a wrong count of them."""
    for words in _split_words(organization):
        if unused := word_list.list_unused(organization.pk, words):
            yield Fault(f"{len(unused):,} words are on the list that no page has.")
    index = WordIndex.objects.filter(organization=organization).first()
    number = IndexedWord.objects.for_org(organization).count()
    if index is not None and index.word_count != number:
        yield Fault(f"{index.word_count:,} words are counted on the list, and there are {number:,}.")


def repair_list(organization: Organization) -> None:
    for words in _split_words(organization):
        if unused := word_list.list_unused(organization.pk, words):
            word_list.remove_unused(organization.pk, unused)
    word_list.count_again(organization.pk)


def _split_words(organization: Organization) -> Iterator[list[str]]:
    last = ""
    rows = IndexedWord.objects.for_org(organization).order_by("word").values_list("word", flat=True)
    while words := list(rows.filter(word__gt=last)[:AT_ONCE]):
        yield words
        last = words[-1]


def _find_damaged_pages(reading: Reading) -> Iterator[Fault]:
    for page in reading.pages.order_by("number"):
        try:
            unpack(bytes(page.words))
        except ValueError as error:
            yield Fault(f"Page {page.number}: {error} Read the document again.", needs_person=True)


def _compare(document: Document, newest: Reading, rows: Sequence[IndexedPage], pages: Sequence[PageTerms]) -> str:
    """Says what is wrong with the first page that is not as it should be; empty where all are."""
    index = WordIndex.objects.filter(organization=document.organization_id).first()
    expected = {(page.number, page.part): page for page in pages}
    places = [(row.number, row.part) for row in rows]
    if sorted(places) != sorted(expected):
        return f"{len(expected):,} pages have words, and {len(places):,} are indexed."
    for row in rows:
        is_own = (row.reading_id, row.organization_id) == (newest.pk, document.organization_id)
        terms = expected[row.number, row.part]
        if not is_own or index is None or not get_backend().has_terms(index.code, row.pk, terms):
            return f"Page {row.number} is not indexed by its words."
    if missing := word_list.list_missing(document.organization_id, list_words(pages)):
        return f"{len(missing):,} of its words are on no list, so no typing error in them is forgiven."
    return ""
