"""Pages are searched for new values before the lock, and what was found is stored only while it holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from accounts.actor import Actor
from accounts.models import Role
from documents import extractions, values
from documents.extractions import edits
from documents.locate import locate
from documents.models import Extraction
from documents.reading.pages import unpack_words
from tests.documents.extraction_rows import SCHEMA
from tests.documents.page_searches import watch_searches
from tests.documents.test_edits import row_at, store_extraction


@pytest.fixture
def extraction(actor: Actor) -> Extraction:
    return store_extraction(actor)


def _replace(actor: Actor, extraction: Extraction) -> None:
    result = values.strip_row_ids(extraction.current)
    result["total"], result["items"][0]["amount"], result["items"][1]["amount"] = 31, 20.5, 10.5
    edits.replace_result(actor, extraction=extraction, result=result, verified=True)


CHANGES: dict[str, Callable[[Actor, Extraction], object]] = {
    "field": lambda actor, run: edits.set_field(actor, extraction=run, where="total", value=31),
    "path": lambda actor, run: edits.set_path(actor, extraction=run, path="total", value=31),
    "row": lambda actor, run: edits.add_row(actor, extraction=run, where="items", value={"amount": 31}),
    "result": _replace,
}


@pytest.mark.parametrize("change", CHANGES)
def test_it_searches_once_and_in_no_transaction(actor: Actor, extraction: Extraction, change: str) -> None:
    with watch_searches() as depths:
        CHANGES[change](actor, extraction)
    assert depths == [0]
    assert extraction.edits.exists()


def test_it_searches_in_no_transaction_for_what_an_undo_brings_back(actor: Actor, extraction: Extraction) -> None:
    before = extraction.provenance["total"]
    edit = edits.set_field(actor, extraction=extraction, where="total", value=999)
    with watch_searches() as depths:
        edits.undo(actor, edit=edit)
    extraction.refresh_from_db()
    assert depths == [0] and extraction.provenance["total"] == before


def test_a_row_is_removed_without_a_search(actor: Actor, extraction: Extraction) -> None:
    where = row_at(extraction, 0)
    with watch_searches() as depths:
        edits.remove_row(actor, extraction=extraction, where=where)
    assert depths == [] and not any(place.startswith(where) for place in extraction.provenance)


@pytest.mark.django_db(transaction=True)
def test_others_write_while_it_searches(actor: Actor, extraction: Extraction) -> None:
    def write() -> None:
        other = connection.copy()
        with other.cursor() as cursor:
            if other.vendor == "sqlite":
                cursor.execute("PRAGMA busy_timeout = 50")
            cursor.execute("UPDATE documents_document SET name = 'renamed'")
        other.close()

    with watch_searches(write):
        edits.set_field(actor, extraction=extraction, where="total", value=31)
    extraction.document.refresh_from_db()
    assert extraction.document.name == "renamed" and extraction.current["total"] == 31


def test_an_edit_made_meanwhile_keeps_its_value_and_its_proof(
    actor: Actor, member: Callable[[Role], Actor], extraction: Extraction
) -> None:
    others = [lambda: edits.set_field(member(Role.REVIEWER), extraction=again(extraction), where="number", value="Z-9")]

    with watch_searches(lambda: others and others.pop()()) as depths:
        edits.set_field(actor, extraction=extraction, where="total", value=31, hint="1.6")

    assert len(depths) == 3  # one was the other's, and then everything was searched for once more
    assert (extraction.current["number"], extraction.current["total"]) == ("Z-9", 31)
    assert extraction.provenance["number"]["state"] == "not_located"
    assert extraction.provenance["total"]["words"] == "31.00"


def test_the_proof_is_of_what_is_there_when_it_is_stored(actor: Actor, extraction: Extraction) -> None:
    """The second row goes in between, and its amount on the page is free for the first one."""
    first = f"{row_at(extraction, 0)}.amount"
    others = [lambda: edits.remove_row(actor, extraction=again(extraction), where=row_at(extraction, 1))]
    with watch_searches(lambda: others and others.pop()()):
        edits.set_field(actor, extraction=extraction, where=first, value=20.5)
    pages = [(page.number, unpack_words(page)) for page in extraction.reading.pages.all()] if extraction.reading else []
    assert len(extraction.current["items"]) == 1
    assert extraction.provenance[first] == locate(extraction.current, SCHEMA, pages)[first].as_json()


def test_it_ends_where_others_never_stop(actor: Actor, extraction: Extraction) -> None:
    """After so many searches what was found for the value itself is good enough: nobody is refused."""

    def verify_or_not() -> None:
        row = again(extraction)
        mark: Any = edits.unverify if row.verifications.filter(cleared_at=None).exists() else edits.verify
        mark(actor, extraction=row, where="number")

    with watch_searches(verify_or_not) as depths:
        edits.set_field(actor, extraction=extraction, where="total", value=31, hint="1.6")
    assert len(depths) == 3
    assert extraction.provenance["total"]["words"] == "31.00"


def test_a_result_that_is_put_has_the_proof_of_each_of_its_values(actor: Actor, extraction: Extraction) -> None:
    before = extraction.provenance
    result = values.strip_row_ids(extraction.current)
    edits.set_result(actor, extraction=extraction, result={**result, "total": None, "items": []})
    extraction.refresh_from_db()
    edits.set_result(actor, extraction=extraction, result=result)
    extraction.refresh_from_db()
    assert values.strip_row_ids(extraction.current) == result
    amounts = [extraction.provenance[f"{row_at(extraction, at)}.amount"]["words"] for at in (0, 1)]
    assert amounts == ["10.00", "20.50"] and extraction.provenance["total"] == before["total"]


def again(extraction: Extraction) -> Extraction:
    return extractions.get_newest_summary(extraction.document) or extraction
