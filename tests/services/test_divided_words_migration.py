"""Updating has the pages indexed anew on which a word is divided at the end of a line."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from accounts.actor import Actor
from documents.models import Page, Reading
from tests.documents.reading_rows import document_with
from tests.migrated import migrate_to_newest

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


def test_only_pages_with_divided_words_are_indexed_anew(actor: Actor) -> None:
    rows = {name: document_with(actor.organization, ["x"], name=name) for name in ("divided", "soft", "plain")}
    for name, text in {"divided": "Rechnungs-\nbetrag", "soft": "Umsatz\u00adsteuer", "plain": "A - B\nC"}.items():
        Page.objects.filter(reading__document=rows[name]).update(text=text)
    Reading.objects.update(indexing=Reading.Indexing.DONE)
    try:
        MigrationExecutor(connection).migrate([("documents", "0062_gaps_of_a_reading")])
    finally:
        migrate_to_newest()
    waiting = Reading.objects.filter(indexing=Reading.Indexing.WAITING)
    assert set(waiting.values_list("document__name", flat=True)) == {"divided", "soft"}
