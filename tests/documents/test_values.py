import pytest

from documents.values import (
    add_row_ids,
    find_where,
    get_value,
    get_wire_path,
    iterate_leaves,
    strip_row_ids,
)
from documents.values.open_value import OpenValue
from kit.errors import Invalid, NotFound
from kit.ids import is_id

pytestmark = pytest.mark.servers

RESULT = {"total": 5, "tags": ["a", "b"], "line_items": [{"sku": "X1", "taxes": [{"rate": 20}]}, {"sku": "X2"}]}


def row(row_id: str, value: object) -> dict[str, object]:
    return {"row_id": row_id, "value": value}


STORED = {
    "vendor": {"name": "Kestrel"},
    "line_items": [row("r1", {"sku": "X1", "amount": 1}), row("r2", {"sku": "X2", "amount": 2})],
}


def test_it_reads_on_the_wire_as_it_came():
    assert strip_row_ids(add_row_ids(RESULT)) == RESULT


def test_it_gives_every_array_item_an_id_of_its_own():
    stored = add_row_ids(RESULT)
    rows = [*stored["line_items"], *stored["tags"], *stored["line_items"][0]["value"]["taxes"]]
    assert all(is_id(r["row_id"]) for r in rows)
    assert len({r["row_id"] for r in rows}) == 5


def test_it_keeps_fields_in_the_order_of_the_schema():
    schema = {"properties": {"line_items": {"items": {"properties": {"taxes": {}, "sku": {}}}}, "total": {}}}
    stored = add_row_ids(RESULT, schema)
    assert list(stored) == ["line_items", "total", "tags"]
    assert list(stored["line_items"][0]["value"]) == ["taxes", "sku"]


def test_it_lists_leaves_with_their_addresses():
    assert dict(iterate_leaves(STORED)) == {
        "vendor.name": "Kestrel",
        "line_items[r1].sku": "X1",
        "line_items[r1].amount": 1,
        "line_items[r2].sku": "X2",
        "line_items[r2].amount": 2,
    }


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("vendor.name", "vendor.name"),
        ("line_items.1.amount", "line_items[r2].amount"),
        ("line_items.0", "line_items[r1]"),
        ("line_items", "line_items"),
    ],
)
def test_it_turns_positions_into_row_ids_and_back(path, where):
    assert find_where(STORED, path) == where
    assert get_wire_path(STORED, where) == path


@pytest.mark.parametrize("path", ["line_items.2.amount", "line_items.x", "vendor.name.first", "vendor..name"])
def test_it_refuses_a_path_that_leads_nowhere(path):
    with pytest.raises(NotFound):
        find_where(STORED, path)


def test_a_position_of_thousands_of_digits_is_past_the_end():
    with pytest.raises(NotFound, match="there are 2 rows"):
        find_where(STORED, f"line_items.{'9' * 5000}.sku")


def change(stored, make):
    opened = OpenValue(stored)
    make(opened)
    return opened.close()


def test_it_addresses_a_field_that_a_row_does_not_have_yet():
    where = find_where(STORED, "line_items.0.unit")
    changed = change(STORED, lambda opened: opened.set_value(where, "pc"))
    assert get_value(changed, "line_items[r1].unit") == "pc"


def test_it_changes_a_copy():
    changed = change(STORED, lambda opened: opened.set_value("line_items[r2].amount", 9))
    assert get_value(changed, "line_items[r2].amount") == 9
    assert get_value(STORED, "line_items[r2].amount") == 2


def test_it_makes_a_missing_group_when_a_field_inside_is_set():
    changed = change({"vendor": None}, lambda opened: opened.set_value("vendor.name", "A"))
    assert changed == {"vendor": {"name": "A"}}


def test_it_finds_a_row_by_its_id_after_an_earlier_row_went():
    shorter = change(STORED, lambda opened: opened.remove_row("line_items[r1]"))
    assert get_wire_path(shorter, "line_items[r2].amount") == "line_items.0.amount"
    with pytest.raises(NotFound):
        get_value(shorter, "line_items[r1].sku")


def test_it_appends_rows_at_the_end_even_where_no_list_was():
    longer = change(STORED, lambda opened: opened.append_row("line_items[r3]", {"sku": "X3"}))
    assert [r["row_id"] for r in longer["line_items"]] == ["r1", "r2", "r3"]
    assert change({}, lambda opened: opened.append_row("notes[n1]", "hello")) == {"notes": [row("n1", "hello")]}


@pytest.mark.parametrize("where", ["", "a..b", "a[", "a]b", "a[]"])
def test_it_refuses_what_is_no_address(where):
    with pytest.raises(Invalid):
        get_value(STORED, where)
