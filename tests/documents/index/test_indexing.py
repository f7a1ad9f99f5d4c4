"""How the index follows what documents are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from accounts.actor import Actor
from documents import document_changes
from documents.find.search import find_pages
from documents.index.words import indexing, word_list
from documents.index.words.indexing import index_document, index_reading, list_unindexed, list_waiting, remove_document
from documents.models import INDEXING_LEASE, Document, IndexedPage, IndexedWord, Page, Reading, WordIndex
from tests.documents.find.searches import add_document, search_names
from tests.documents.reading_rows import add_reading, document_with

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def test_reindex_does_what_waits_and_with_again_all(actor: Actor, capsys: pytest.CaptureFixture[str]) -> None:
    document_with(actor.organization, ["ACME Fittings"])
    assert not find_pages(actor, "fittings").hits
    call_command("reindex")
    assert search_names(actor, "fittings") == ["invoice.pdf"] and not list_waiting().exists()
    IndexedPage.objects.all().delete()
    call_command("reindex")
    assert not find_pages(actor, "acme").total_pages
    call_command("reindex", "--again")
    assert find_pages(actor, "acme").total_pages == 1
    assert "Done." in capsys.readouterr().out


def test_it_goes_on_after_a_document_that_fails(actor: Actor) -> None:
    damaged, whole = (document_with(actor.organization, ["ACME"], name=name) for name in ("a.pdf", "b.pdf"))
    Page.objects.filter(reading__document=damaged).update(words=b"\x01damaged")
    assert indexing.index_waiting() == 2
    assert [hit.document for hit in find_pages(actor, "acme").hits] == [whole]


def test_again_changes_nothing(actor: Actor) -> None:
    document = add_document(actor.organization, ["ACME Fittings"], ["gasket"])
    index_document(document)
    assert IndexedPage.objects.count() == 2 and IndexedWord.objects.count() == 3
    assert find_pages(actor, "fittings").total_pages == 1


def test_nothing_of_a_document_in_the_trash_is_indexed(actor: Actor) -> None:
    document = add_document(actor.organization, ["ACME Fittings"])
    Reading.objects.update(indexing="waiting")
    document_changes.trash(actor, document=document)
    index_document(Document.objects.get())
    assert not IndexedPage.objects.exists() and not IndexedWord.objects.exists() and not list_waiting().exists()


def test_a_page_of_very_many_words_is_found_to_its_end(actor: Actor) -> None:
    lines = [" ".join(f"w{line}x{at}" for at in range(100)) for line in range(85)]
    add_document(actor.organization, [*lines, "the last needle 1,234.50"])
    assert find_pages(actor, "needle").total_pages == find_pages(actor, "1234.50").total_pages == 1
    assert IndexedPage.objects.count() == 2


def test_a_page_of_very_long_words_is_found_to_its_end(actor: Actor) -> None:
    """PostgreSQL takes 1 MB of words at once."""
    words = [f"{at:04}{chr(0x10D0) * 56}" for at in range(6_100)]
    add_document(actor.organization, [" ".join(words[at : at + 100]) for at in range(0, 6_100, 100)])
    assert find_pages(actor, words[-1]).total_pages == 1
    assert IndexedPage.objects.count() == 4


@pytest.mark.parametrize("statement", ["INSERT INTO", "DELETE FROM"])
def test_who_ends_before_the_list_of_words_is_changed_has_done_nothing(actor: Actor, statement: str) -> None:
    document = add_document(actor.organization, ["ACME Fittings"])
    add_reading(document, ["ACME Gaskets"])

    with end_at_the_list(statement):
        index_document(document)
    assert not list_waiting().exists() and list_unindexed().count() == 1
    Reading.objects.update(indexing_lease_until=timezone.now())
    indexing.index_waiting()
    assert set(IndexedWord.objects.values_list("word", flat=True)) == {"acme", "gaskets"}
    assert WordIndex.objects.get().word_count == 2


def test_a_document_leaves_with_its_words_or_not_at_all(actor: Actor) -> None:
    document = add_document(actor.organization, ["ACME Fittings"])

    with end_at_the_list("DELETE FROM"):
        remove_document(document)
    assert IndexedPage.objects.exists()
    remove_document(document)
    assert not IndexedPage.objects.exists() and not IndexedWord.objects.exists()


def test_of_the_words_of_one_document_so_many_are_listed(actor: Actor) -> None:
    document = add_document(actor.organization, ["acme"])
    words = {"acme", "valve", "po2026", "pump"}
    word_list.add_words(document.organization_id, words, maximum=2)
    assert set(IndexedWord.objects.values_list("word", flat=True)) == {"acme", "pump"}
    word_list.remove_unused(document.organization_id, words)
    assert IndexedWord.objects.get().word == "acme" and WordIndex.objects.get().word_count == 1


def test_a_reading_that_comes_while_an_earlier_one_is_indexed_is_not_hidden(actor: Actor) -> None:
    document = document_with(actor.organization, ["ACME Fittings"])
    is_read_again: list[bool] = []

    def read_again(execute: Any, sql: str, *arguments: Any) -> Any:
        cursor = execute(sql, *arguments)
        if 'FROM "documents_page"' in sql and not is_read_again:
            is_read_again.append(True)
            add_reading(document, ["ACME Gaskets"])
        return cursor

    with connection.execute_wrapper(read_again):
        index_document(document)
    assert is_read_again and not IndexedPage.objects.exists() and list_waiting().count() == 1
    indexing.index_waiting()
    assert search_names(actor, "gaskets") == ["invoice.pdf"] and not search_names(actor, "fittings")


@contextmanager
def end_at_the_list(statement: str) -> Iterator[None]:
    """Ends what is done in it at such a statement about the list of words."""

    def end(execute: Any, sql: str, *arguments: Any) -> Any:
        if sql.startswith(f'{statement} "documents_indexedword"'):
            raise KeyboardInterrupt
        return execute(sql, *arguments)

    with connection.execute_wrapper(end), pytest.raises(KeyboardInterrupt):
        yield


def test_what_somebody_is_indexing_waits_for_nobody_else(actor: Actor) -> None:
    reading = Reading.objects.get(document=document_with(actor.organization, ["ACME Fittings"]))
    assert INDEXING_LEASE.claim(Reading.objects.get())
    index_reading(reading.pk)
    assert not list_waiting().exists() and indexing.index_waiting() == 0 and not IndexedPage.objects.exists()
    Reading.objects.update(indexing_lease_until=timezone.now())
    assert indexing.index_waiting() == 1 and IndexedPage.objects.count() == 1


def test_who_was_taken_for_dead_writes_nothing(actor: Actor) -> None:
    document_with(actor.organization, ["ACME Fittings"])

    is_taken: list[bool] = []
    written: list[int] = []

    def take_over(execute: Any, sql: str, *arguments: Any) -> Any:
        if 'FROM "documents_page"' in sql and not is_taken:
            is_taken.append(True)
            Reading.objects.update(indexing_lease_until=timezone.now())
            indexing.index_waiting()
            written.extend(IndexedPage.objects.values_list("pk", flat=True))
        return execute(sql, *arguments)

    with connection.execute_wrapper(take_over):
        indexing.index_waiting()
    assert list(IndexedPage.objects.values_list("pk", flat=True)) == written != []


def test_what_is_asked_for_while_it_is_indexed_is_done_again(actor: Actor) -> None:
    document = document_with(actor.organization, ["ACME Fittings"])
    is_trashed: list[bool] = []

    def trash(execute: Any, sql: str, *arguments: Any) -> Any:
        if 'FROM "documents_page"' in sql and not is_trashed:
            is_trashed.append(True)
            document_changes.trash(actor, document=document)
        return execute(sql, *arguments)

    with connection.execute_wrapper(trash):
        indexing.index_waiting()
    assert is_trashed and list_waiting().count() == 1
    indexing.index_waiting()
    assert not IndexedPage.objects.exists() and not list_unindexed().exists()
