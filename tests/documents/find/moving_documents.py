"""Documents of two organizations that come, go and are read again while somebody indexes them, and what must hold."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from io import StringIO

from django.core.management import call_command
from django.db import connection, transaction

from accounts.actor import Actor
from agent.conversation import deletion
from documents import document_changes
from documents.find.search import find_pages
from documents.index.words.indexing import list_unindexed, list_words, prepare_terms
from documents.index.words.sqlite import TABLE
from documents.models import Document, IndexedPage, IndexedWord, Reading, WordIndex
from documents.retention import trash
from tests.documents.reading_rows import add_reading, document_with

COMMON = "gasket"
# As many changes are still to come by then.
REINDEXED_AT = (5, 15)


@dataclass
class MovingDocuments:
    """`number` of them to begin with, half of each organization; `changes` are still to come."""

    actors: tuple[Actor, Actor]
    seed: int
    number: int
    changes: int
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self._words = (f"w{at:05}" for at in range(100_000))
        if connection.vendor == "sqlite":
            # What empties the tables after a test knows nothing of this one.
            with connection.cursor() as cursor:
                cursor.execute(f"DELETE FROM {TABLE}")
        for at in range(self.number):
            self._add(self.actors[at % 2])

    def count_left(self) -> int:
        return self.changes + list_unindexed().count()

    def change_some(self, number: int) -> None:
        for _ in range(min(number, self.changes)):
            self.changes -= 1
            actor = self.chance.choice(self.actors)
            change = self.chance.choice([self._add, self._read_again, self._trash, self._restore, self._purge])
            self.counts[change.__name__] += 1
            # A reading is completed when its pages are there.
            with transaction.atomic() if change in (self._add, self._read_again) else nullcontext():
                change(actor)
            if self.changes in REINDEXED_AT:
                call_command("reindex", again=True, stdout=StringIO())

    def _add(self, actor: Actor) -> None:
        document_with(actor.organization, self._write_page(actor), self._write_page(actor))

    def _read_again(self, actor: Actor) -> None:
        for document in self._choose(actor, is_trashed=False):
            add_reading(document, self._write_page(actor))

    def _trash(self, actor: Actor) -> None:
        for document in self._choose(actor, is_trashed=False):
            document_changes.trash(actor, document=document)

    def _restore(self, actor: Actor) -> None:
        for document in self._choose(actor, is_trashed=True):
            document_changes.restore(actor, document=document)

    def _purge(self, actor: Actor) -> None:
        for document in self._choose(actor, is_trashed=True):
            trash.delete_for_good(actor, document=document)
        deletion.run_once()

    def _choose(self, actor: Actor, *, is_trashed: bool) -> list[Document]:
        keys = Document.objects.for_org(actor.organization).filter(trashed_at__isnull=not is_trashed)
        rows = list(keys.filter(purge_requested_at=None).order_by("pk"))
        return self.chance.sample(rows, 1) if rows else []

    def _write_page(self, actor: Actor) -> list[str]:
        return [f"{COMMON} {get_own_word(actor)} {next(self._words)} {next(self._words)}"]


def get_own_word(actor: Actor) -> str:
    return f"own{actor.organization.pk}"


def check_index(actor: Actor, other: Actor) -> None:
    """Nothing missing and nothing foreign: rows, list of words, and what searches find."""
    expected = dict(_iterate_pages(actor))
    rows = IndexedPage.objects.for_org(actor.organization)
    assert sorted(rows.values_list("reading_id", "number")) == sorted(expected)
    words = set().union(*expected.values())
    assert set(IndexedWord.objects.for_org(actor.organization).values_list("word", flat=True)) == words
    assert WordIndex.objects.get(organization=actor.organization).word_count == len(words)
    for word in words:
        results = find_pages(actor, word, limit=100)
        found = {(page.reading_id, page.number) for hit in results.hits for page in hit.pages}
        assert found == {place for place, terms in expected.items() if word in terms}, word
    assert not find_pages(actor, get_own_word(other)).hits
    if connection.vendor == "sqlite":
        _check_terms_of_sqlite()


def _iterate_pages(actor: Actor) -> Iterator[tuple[tuple[str, int], set[str]]]:
    for document in Document.objects.for_org(actor.organization).filter(trashed_at=None):
        newest = Reading.objects.filter(document=document).latest("number")
        for page in newest.pages.all():
            yield (newest.pk, page.number), list_words(prepare_terms(page))


def _check_terms_of_sqlite() -> None:
    """Nothing else shows rows without their IndexedPage: https://www.sqlite.org/fts5.html#the_integrity_check_command."""
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {TABLE} ({TABLE}) VALUES ('integrity-check')")
        cursor.execute(f"SELECT rowid FROM {TABLE}")
        keys = {row[0] for row in cursor.fetchall()}
    stored = set(IndexedPage.objects.values_list("pk", flat=True))
    assert keys == stored, f"without a page: {sorted(keys - stored)}, without terms: {sorted(stored - keys)}"
