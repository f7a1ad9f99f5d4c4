"""Whole results of many values: stored together, with work that grows with their number alone."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection

from accounts.actor import Actor
from accounts.models import AuditEntry
from documents import values
from documents.extractions import edits, extraction_view
from documents.extractions.edits import fields
from documents.locate import locate
from documents.models import Extraction, FieldEdit
from documents.values import add_row_ids, get_value, has_value, list_changes, strip_row_ids
from documents.values.addresses import get_wire_path, iterate_leaves, map_wire_paths
from documents.values.aligning import align
from documents.values.open_value import OpenValue
from documents.views.value_counts import EditedPlaces, count_values
from kit.errors import Invalid, NotFound, TooLarge
from reader.words import Word, number_rows
from tests.documents.plain_values import append_row, remove_row, set_value
from tests.documents.test_edits import store_extraction

Table = Callable[[int], Extraction]


@pytest.fixture
def table(actor: Actor) -> Table:
    """An extraction with so many rows of two values."""

    def make(rows: int) -> Extraction:
        items = [{"sku": f"A-{row}", "amount": row} for row in range(rows)]
        return store_extraction(actor, {"number": "1", "total": 1, "items": items})

    return make


def raise_amounts(extraction: Extraction, first: int = 1000) -> Any:
    """The same with the amounts of the first rows raised by one."""
    result = strip_row_ids(extraction.current)
    rows = [{**row, "amount": row["amount"] + (at < first)} for at, row in enumerate(result["items"])]
    return {**result, "items": rows}


def statements_to_put(actor: Actor, extraction: Extraction, first: int) -> int:
    statements: list[str] = []

    def count(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        statements.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(count):
        edits.replace_result(actor, extraction=extraction, result=raise_amounts(extraction, first), verified=True)
    return len(statements)


def count_seconds(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


def test_many_values_take_hardly_more_statements_than_few(actor: Actor, table: Table) -> None:
    extraction = table(200)
    few, many = statements_to_put(actor, extraction, 2), statements_to_put(actor, extraction, 200)
    assert many <= few + 15


def test_a_thousand_values_take_seconds_and_not_minutes(actor: Actor, table: Table) -> None:
    extraction = table(750)
    result = {**raise_amounts(extraction), "items": [{"sku": "x", "amount": 5}] * 750}
    assert count_seconds(lambda: edits.set_result(actor, extraction=extraction, result=result)) < 10
    assert extraction.edits.count() == 1499 and strip_row_ids(extraction.current) == result


def test_each_value_is_an_edit_and_all_are_one_entry_of_the_log(actor: Actor, table: Table) -> None:
    extraction = table(3)
    stored = edits.set_result(actor, extraction=extraction, result=raise_amounts(extraction))
    assert [edit.number for edit in stored] == [1, 2, 3]
    assert list(FieldEdit.objects.values_list("old", "new", "user")) == [(at, at + 1, actor.user.pk) for at in range(3)]
    entry = AuditEntry.objects.get(action="edited")
    assert entry.detail == {"changes": 3, "first": 1, "last": 3}
    edits.set_result(actor, extraction=extraction, result=raise_amounts(extraction))
    assert [edit.number for edit in extraction.edits.order_by("number")] == [1, 2, 3, 4, 5, 6]


def test_nothing_changed_leaves_nothing_behind(actor: Actor, table: Table) -> None:
    extraction = table(3)
    version = extraction.version
    assert edits.set_result(actor, extraction=extraction, result=strip_row_ids(extraction.current)) == []
    extraction.refresh_from_db()
    assert extraction.version == version and not AuditEntry.objects.filter(action="edited").exists()


def test_verifications_end_where_values_change_and_nowhere_else(actor: Actor, table: Table) -> None:
    extraction = table(3)
    first, second, _ = [f"items[{row['row_id']}]" for row in extraction.current["items"]]
    for where in ("", "number", first, f"{first}.amount", f"{first}.sku", f"{second}.amount"):
        edits.verify(actor, extraction=extraction, where=where)
    result = strip_row_ids(extraction.current)
    result["items"][0]["amount"] = 99
    edits.set_result(actor, extraction=extraction, result=result)
    left = extraction.verifications.filter(cleared_at=None).values_list("where", flat=True)
    assert set(left) == {"number", f"{first}.sku", f"{second}.amount"}


def test_a_verification_inside_of_what_changed_ends_with_it(actor: Actor, table: Table) -> None:
    extraction = table(2)
    row = f"items[{extraction.current['items'][0]['row_id']}]"
    edits.verify(actor, extraction=extraction, where=f"{row}.amount")
    edits.remove_row(actor, extraction=extraction, where=row)
    assert not extraction.verifications.filter(cleared_at=None).exists()


def test_more_changes_than_there_may_be_at_once_are_refused(
    actor: Actor, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fields, "MAX_CHANGED", 3)
    extraction = table(4)
    with pytest.raises(TooLarge, match="This changes 4 values, and 3 is the most at once"):
        edits.set_result(actor, extraction=extraction, result=raise_amounts(extraction))
    result = strip_row_ids(extraction.current)
    with pytest.raises(TooLarge, match="This changes 4 values"):  # two rows of two
        edits.set_result(
            actor, extraction=extraction, result={**result, "items": [*result["items"], *result["items"][:2]]}
        )
    assert not extraction.edits.exists()


def some_place(chance: random.Random, stored: Any) -> str:
    where = chance.choice([where for where, _ in iterate_leaves(stored)] or ["a"])
    cut = chance.randrange(1, len(where) + 1)
    return chance.choice([where, where[:cut].rstrip(".["), f"{where}.x", "new.inner", "rows[r9].n", "rows[r1]", "rows"])


def outcome(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except (Invalid, NotFound) as error:
        return type(error)


def change_both(chance: random.Random, stored: Any, opened: OpenValue, where: str) -> Any:
    """The stored value after a change of some kind, which the open one has had too."""
    value, row = chance.choice([1, None, {"k": 2}, add_row_ids([7, 8])]), f"{where}[n{chance.randrange(10**9)}]"
    changes: list[tuple[Callable[[], Any], Callable[[], Any]]] = [
        (lambda: set_value(stored, where, value), lambda: opened.set_value(where, value)),
        (lambda: append_row(stored, row, value), lambda: opened.append_row(row, value)),
        (lambda: remove_row(stored, where), lambda: opened.remove_row(where)),
    ]
    on_stored, on_opened = chance.choice(changes)
    after, failure = outcome(on_stored), outcome(on_opened)
    if not isinstance(after, type):
        return after
    assert failure is after, where
    return stored


def look(has_value: Callable[[str], bool], get_value: Callable[[str], Any], where: str) -> tuple[Any, Any]:
    return outcome(lambda: has_value(where)), outcome(lambda: get_value(where))


@pytest.mark.parametrize("seed", range(60))
def test_an_open_value_is_changed_as_a_stored_one(seed: int) -> None:
    chance = random.Random(seed)
    stored = {"a": None, "b": {"c": 1}, "rows": [{"row_id": f"r{at}", "value": {"n": at, "in": []}} for at in range(3)]}
    opened = OpenValue(stored)
    for _ in range(30):
        where = some_place(chance, stored)
        stored = change_both(chance, stored, opened, where)
        assert opened.close() == stored
        assert look(opened.has, opened.get, where) == look(
            partial(has_value, stored), partial(get_value, stored), where
        )


def covers(before: list[str], after: list[str]) -> bool:
    blocks = align(before, after)
    ends = [(0, 0), *((block[1], block[3]) for block in blocks)]
    starts = [*((block[0], block[2]) for block in blocks), (len(before), len(after))]
    return ends == starts


@pytest.mark.parametrize("seed", range(40))
def test_two_lists_are_aligned_without_gaps(seed: int) -> None:
    chance = random.Random(seed)
    before, after = ([chance.choice("abcdef") for _ in range(chance.randrange(400))] for _ in range(2))
    assert covers(before, after)


def test_rows_of_a_long_table_keep_their_ids_where_others_are_taken_out() -> None:
    stored = add_row_ids({"rows": [{"n": at} for at in range(1000)]})
    new_values = {"rows": [{"n": at} for at in range(1000) if at not in (3, 400, 401, 998)]}
    changes = list_changes(stored, new_values)
    removed = {f"rows[{stored['rows'][at]['row_id']}]" for at in (3, 400, 401, 998)}
    assert {change.where for change in changes} == removed and {change.kind for change in changes} == {"remove_row"}


def test_a_long_table_that_is_sorted_otherwise_keeps_its_rows() -> None:
    stored = add_row_ids({"rows": [{"n": at} for at in range(1000)]})
    changes = list_changes(stored, {"rows": [{"n": at} for at in reversed(range(1000))]})
    assert {change.kind for change in changes} == {"set"}


def test_lists_that_are_hard_to_compare_take_little_computing() -> None:
    stored = add_row_ids({"a": [at % 2 for at in range(1500)]})
    new_values = {"a": [at * at // 3 % 2 for at in range(1500)]}
    assert count_seconds(lambda: list_changes(stored, new_values)) < 2


def page_of(text: str, rows: int) -> list[Word]:
    left = [0.03 + 0.095 * column for column in range(10)]
    words = [Word(text, x, at / rows, x + 0.06, (at + 0.8) / rows) for at in range(rows) for x in left]
    return number_rows(words)


@pytest.mark.parametrize(
    "result",
    [
        {"rows": [{f"c{column}": 0.0 for column in range(10)} for _ in range(150)]},
        {"list": [0.0] * 1500},
        {f"field {number}": 0.0 for number in range(1500)},
    ],
    ids=["table", "list", "fields"],
)
def test_a_page_of_zeros_is_searched_in_no_time(result: dict[str, Any]) -> None:
    stored, pages = add_row_ids(result), [(at, page_of("0.00", 50)) for at in (1, 2, 3)]
    assert count_seconds(lambda: locate(stored, {}, pages)) < 4


def test_a_value_in_too_many_places_to_compare_is_not_located() -> None:
    pages = [(1, page_of("0.00", 60))]
    located = locate({f"field {number}": 0.0 for number in range(600)}, {}, pages)
    assert {location.state for location in located.values()} == {values.State.NOT_LOCATED}
    assert "Several places say this value and none is clearly this field's." in {
        location.note for location in located.values()
    }


def long_table(rows: int) -> Extraction:
    current = add_row_ids({"rows": [{"n": at} for at in range(rows)]})
    return Extraction(schema_revision_id="any", result=current, current=current)


def test_a_table_of_many_edits_is_shown_in_time_that_grows_with_its_length(actor: Actor, table: Table) -> None:
    extraction, many = table(2), long_table(4000)
    Extraction.objects.update(result=many.result, current=many.current)
    extraction.refresh_from_db()
    places = [where for where, _ in iterate_leaves(many.current)]
    FieldEdit.objects.bulk_create(
        FieldEdit(extraction=extraction, number=number, where=where, origin=FieldEdit.Origin.PERSON)
        for number, where in enumerate(places, start=1)
    )
    began = time.process_time()
    leaves_shown = extraction_view.build_view(extraction).leaves
    assert time.process_time() - began < 4
    assert [leaf.version for leaf in leaves_shown if leaf.wire_path.startswith("rows")] == list(range(1, 4001))


def test_a_table_of_many_edits_is_counted_in_time_that_grows_with_its_length() -> None:
    many = long_table(8000)
    edited = EditedPlaces(places={where for where, _ in iterate_leaves(many.current)}, result=OpenValue(many.result))
    assert count_seconds(lambda: count_values(many, (), edited)) < 3
    assert count_values(many, (), edited).uncertain == 8000


def test_paths_of_a_long_table_are_made_in_time_that_grows_with_its_length() -> None:
    stored = long_table(20_000).current
    assert count_seconds(lambda: map_wire_paths(stored)) < 2
    few = add_row_ids({"a": {"b": [[1, {"c": 2}], None]}, "d": 3, "e": []})
    assert map_wire_paths(few) == {where: get_wire_path(few, where) for where, _ in iterate_leaves(few)}
