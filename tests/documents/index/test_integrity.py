"""`manage.py check_integrity`: what an index has lost, has too much of or has wrong is found, said and mended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry
from accounts.services import users
from documents import document_changes
from documents.find.search import find_pages
from documents.index.words.sqlite import TABLE
from documents.models import CurrentValue, Document, IndexedPage, IndexedWord, Page, PageChunk, Reading, WordIndex
from tests.documents.checked_invoice import make_prompt, store_invoice
from tests.documents.find.moving_documents import check_index
from tests.documents.find.searches import add_document, search_names
from tests.documents.index.vectors.conftest import concepts  # noqa: F401 - a fixture
from tests.documents.index.vectors.embedded import add_embedded, embed_concepts, embed_due, get_reading
from tests.documents.reading_rows import add_reading
from tests.scripted_model import ScriptedModel

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
Check = Callable[..., str]
LEASE, CAR = ["The lease ends in May"], ["The car is red"]


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str]) -> Check:
    """What the command says; a fault that is left ends it with an error, whose words count too."""
    call_command("check_integrity")  # other tests leave terms behind when their rows are thrown away

    def run(**options: Any) -> str:
        capsys.readouterr()
        try:
            call_command("check_integrity", **options)
        except CommandError as error:
            return f"{capsys.readouterr().out}{error} [status 1]"
        return capsys.readouterr().out

    return run


def change_terms(terms: str) -> None:
    """As a disk might: behind the back of the product."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"UPDATE {TABLE} SET terms = %s", [terms])
        else:
            cursor.execute("UPDATE documents_indexedpage SET terms = %s::tsvector", [terms])


def test_a_whole_index_has_no_faults(actor: Actor, check: Check) -> None:
    add_document(actor.organization, ["ACME Fittings"], ["gasket"])
    document_changes.trash(actor, document=add_document(actor.organization, ["lost"], name="b.pdf"))
    store_invoice(actor, make_prompt(actor, []), "c.pdf", number="Seven", total="7")
    assert check() == "3 documents checked, 0 faults found, 0 repaired.\n"


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda: IndexedPage.objects.filter(number=2).delete(), "2 pages have words, and 1 are indexed."),
        (lambda: change_terms("x_other"), "Page 1 is not indexed by its words."),
        (lambda: IndexedWord.objects.filter(word="gasket").delete(), "1 of its words are on no list"),
        (lambda: WordIndex.objects.update(word_count=99), "99 words are counted on the list, and there are 4."),
        (lambda: IndexedPage.objects.update(reading_id="0" * 24), "Page 1 is not indexed by its words."),
    ],
)
def test_lost_and_wrong_words_are_found_and_indexed_anew(
    actor: Actor, stranger: Actor, check: Check, damage: Callable[[], object], problem: str
) -> None:
    add_document(actor.organization, ["ACME Fittings"], [f"own{actor.organization.pk}", "gasket"])
    damage()
    said = check(dry_run=True)
    assert f"{problem}" in said and "(not repaired)" in said and said.endswith("0 repaired. [status 1]")
    said = check()
    assert f"{problem}" in said and "(repaired)" in said and "status 1" not in said
    assert "0 faults" in check()
    check_index(actor, stranger)


def test_words_of_what_is_gone_or_in_the_trash_are_taken_out(actor: Actor, stranger: Actor, check: Check) -> None:
    document = add_document(actor.organization, ["ACME Fittings"])
    Document.objects.update(trashed_at=timezone.now())
    assert "a.pdf" in check() and not IndexedPage.objects.exists() and not IndexedWord.objects.exists()
    Document.objects.update(trashed_at=None)
    assert "1 pages have words, and 0 are indexed." in check() and search_names(actor, "acme") == ["a.pdf"]
    IndexedWord.objects.create(organization=actor.organization, word="nowhere", reversed_word="erehwon")
    said = check()
    assert "1 words are on the list that no page has. (repaired)" in said
    Reading.objects.all().delete()
    assert f"a.pdf ({document.pk}): 1 pages are indexed that nobody may find. (repaired)" in check()
    assert not IndexedPage.objects.exists() and "0 faults" in check()


def test_an_older_reading_is_not_found_in_place_of_the_newest(actor: Actor, check: Check) -> None:
    document = add_document(actor.organization, ["ACME Fittings"])
    newest = add_reading(document, ["Gasket"])
    Reading.objects.filter(pk=newest.pk).update(indexing="done")
    assert "Page 1 is not indexed by its words. (repaired)" in check()
    assert search_names(actor, "gasket") == ["a.pdf"] and not search_names(actor, "fittings")


def test_what_waits_for_a_worker_is_no_fault(actor: Actor, check: Check) -> None:
    add_document(actor.organization, ["ACME Fittings"])
    Reading.objects.update(indexing="waiting")
    IndexedPage.objects.all().delete()
    said = check(dry_run=True)
    assert "a.pdf" not in said and "1 documents checked" in said


def test_pages_whose_words_are_damaged_need_a_person(actor: Actor, check: Check) -> None:
    document = add_document(actor.organization, ["ACME Fittings"], ["gasket"])
    Page.objects.filter(number=2).update(words=b"\x01damaged")
    said = check()
    assert f"a.pdf ({document.pk}): Page 2: Packed words are damaged. Read the document again. (needs a person)" in said
    assert said.endswith("[status 1]") and search_names(actor, "acme") == ["a.pdf"]


@pytest.mark.skipif("connection.vendor != 'sqlite'")
def test_the_index_of_sqlite_is_built_anew_and_loses_its_orphans(actor: Actor, stranger: Actor, check: Check) -> None:
    add_document(actor.organization, [f"own{actor.organization.pk}", "gasket"])
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {TABLE} (rowid, terms) VALUES (999, '1_orphan')")
    assert "1 pages are indexed whose document has gone. (repaired)" in check()
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {TABLE}_data WHERE id > 10")
    assert "The index of words is damaged. (repaired)" in check() and "0 faults" in check()
    check_index(actor, stranger)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("concepts")
class TestVectors:
    @pytest.fixture
    def document(self, concepts: ScriptedModel, actor: Actor) -> Document:  # noqa: F811
        add_embedded(concepts, actor.organization, LEASE, CAR, ["heating"], name="b.pdf")
        return add_embedded(concepts, actor.organization, LEASE, CAR)

    @pytest.mark.parametrize(
        ("change", "problem"),
        [
            ({}, "2 of 2 parts have no vector."),
            ({"vector": b"\x00\x7e" * 4}, "1 vectors are damaged."),
            ({"vector": b"\x00\x00" * 4}, "1 vectors are damaged."),
            ({"vector": b"\x00\x3c"}, "1 vectors are damaged."),
            ({"vector": b"\x00\x3c", "dimensions": 1}, "1 vectors are damaged."),
            ({"model": "openai/earlier"}, "1 of 2 parts have no vector."),
            ({"digest": "of other words"}, "1 of 2 parts have no vector."),
        ],
    )
    def test_lost_and_damaged_ones_are_made_anew(
        self,
        document: Document,
        concepts: ScriptedModel,  # noqa: F811
        check: Check,
        change: dict[str, Any],
        problem: str,
    ) -> None:
        rows = PageChunk.objects.filter(document=document).order_by("page")
        _ = rows.filter(page=2).update(**change) if change else rows.delete()
        assert f"{problem} (not repaired)" in check(dry_run=True) and get_reading(document).vectors_due_at is None
        assert f"{problem} (repaired)" in check() and "0 faults" in check()
        concepts.will(embed_concepts)
        assert embed_due() == 1 and "0 faults" in check()
        assert list(rows.values_list("page", "model")) == [(1, "openai/concepts"), (2, "openai/concepts")]
        asked = concepts.requests[-1]["input"]
        assert asked == (CAR if change else [*LEASE, *CAR])  # what was whole is not paid again

    def test_those_of_no_part_go(self, document: Document, check: Check) -> None:
        row = PageChunk.objects.filter(document=document)[0]
        row.pk, row.page = None, 9
        row.save()
        assert "1 vectors are of no part of its newest reading. (repaired)" in check()
        assert PageChunk.objects.filter(document=document).count() == 2 and get_reading(document).vectors_due_at is None

    def test_what_never_had_any_is_not_paid_for(self, actor: Actor, check: Check) -> None:
        document = add_document(actor.organization, LEASE)
        Reading.objects.update(vectors_due_at=None)
        assert "0 faults" in check() and get_reading(document).vectors_due_at is None


def test_values_are_found_by_what_they_say_again(actor: Actor, check: Check) -> None:
    run = store_invoice(actor, make_prompt(actor, []), "c.pdf", number="Seven", total="7")
    document_changes.update(actor, document=run.document, metadata={"case": "A1"})
    before = sorted(CurrentValue.objects.values_list("path", "text"))
    CurrentValue.objects.filter(path="total").update(text="8")
    assert "The values of run 1 are not found by what they say. (repaired)" in check()
    CurrentValue.objects.filter(path="metadata.case").delete()
    assert "Its metadata is not found by what it says. (repaired)" in check()
    CurrentValue.objects.filter(path="total").update(prompt_id="0" * 24)
    assert "1 values are found of runs that have gone. (repaired)" in check()
    assert sorted(CurrentValue.objects.values_list("path", "text")) == before and "0 faults" in check()


def test_of_another_organization_nothing_is_mixed_in(actor: Actor, stranger: Actor, check: Check) -> None:
    ours = add_document(actor.organization, ["ACME Fittings"])
    add_document(stranger.organization, ["secret"], name="theirs.pdf")
    IndexedPage.objects.filter(document=ours).update(organization=stranger.organization)
    assert f"a.pdf ({ours.pk}): Page 1 is not indexed by its words. (repaired)" in check()
    assert search_names(actor, "acme") == ["a.pdf"] and not find_pages(stranger, "acme").hits


def test_an_operator_has_a_document_mended(client: Client, actor: Actor) -> None:
    document = add_document(actor.organization, ["ACME Fittings"], ["gasket"])
    IndexedPage.objects.filter(number=2).delete()
    Page.objects.filter(number=1).update(words=b"\x01damaged")
    client.force_login(users.create(None, email="root@acme.example", password=None, name="R", is_superuser=True))
    chosen = {"action": "mend_index", "_selected_action": [document.pk]}
    said = client.post(reverse("admin:documents_document_changelist"), chosen, follow=True).content.decode()
    assert "Page 1: Packed words are damaged. Read the document again." in said
    Page.objects.filter(number=1).delete()
    said = client.post(reverse("admin:documents_document_changelist"), chosen, follow=True).content.decode()
    assert "Found by what they say: a.pdf" in said and search_names(actor, "gasket") == ["a.pdf"]
    assert AuditEntry.objects.filter(action="mended the index", target_id=document.pk).exists()
