import pytest

from documents.values import (
    Edit,
    EditKind,
    Origin,
    compute_current,
    is_same,
    list_changes,
    make_change,
    strip_row_ids,
)
from kit.errors import NotFound

STORED = {
    "total": 5,
    "rows": [{"row_id": f"r{n}", "value": {"sku": f"X{n}", "n": n}} for n in range(3)],
}


def apply_all(changes):
    edits = [Edit(c.where, c.old, c.new, Origin.PERSON, seq, c.kind) for seq, c in enumerate(changes)]
    return compute_current(STORED, edits)


def test_it_turns_a_path_into_one_change():
    change = make_change(STORED, "rows.1.n", 9)
    assert (change.where, change.old, change.new, change.kind) == ("rows[r1].n", 1, 9, EditKind.SET)


def test_it_adds_a_row_one_past_the_end():
    change = make_change(STORED, "rows.3", {"sku": "X3", "n": 3})
    assert change.kind is EditKind.ADD_ROW
    assert strip_row_ids(apply_all([change]))["rows"][3] == {"sku": "X3", "n": 3}


def test_it_adds_a_row_from_one_of_its_fields():
    assert strip_row_ids(apply_all([make_change(STORED, "rows.3.sku", "X3")]))["rows"][3] == {"sku": "X3"}


@pytest.mark.parametrize("path", ["rows.4", "rows.4.sku", "rows.-1", "total.x"])
def test_it_refuses_a_position_further_out(path):
    with pytest.raises(NotFound):
        make_change(STORED, path, 1)


def test_it_finds_nothing_to_do_for_the_same_result():
    assert list_changes(STORED, strip_row_ids(STORED)) == []


@pytest.mark.parametrize(
    "rows",
    [
        [{"sku": "X0", "n": 7}, {"sku": "X1", "n": 1}, {"sku": "X2", "n": 2}],
        [{"sku": "X0", "n": 0}, {"sku": "X2", "n": 2}],
        [{"sku": "X0", "n": 0}, {"sku": "X1", "n": 1}, {"sku": "X2", "n": 2}, {"sku": "X3", "n": 3}],
        [{"sku": "new", "n": 1}, {"sku": "X0", "n": 0}, {"sku": "X1", "n": 1}, {"sku": "X2", "n": 2}],
        [{"sku": "X2", "n": 2}, {"sku": "X1", "n": 1}, {"sku": "X0", "n": 0}],
        [],
    ],
)
def test_it_reads_as_wanted_after_its_changes(rows):
    new_values = {"total": 6, "rows": rows}
    assert strip_row_ids(apply_all(list_changes(STORED, new_values))) == new_values


def test_it_removes_the_row_that_went_not_the_last_one():
    new_values = {"total": 5, "rows": [{"sku": "X0", "n": 0}, {"sku": "X2", "n": 2}]}
    assert [(c.where, c.kind) for c in list_changes(STORED, new_values)] == [("rows[r1]", EditKind.REMOVE_ROW)]


def test_it_tells_true_from_one():
    assert not is_same(True, 1)
    assert is_same(1, 1.0)
    assert not is_same("1", 1)
    assert is_same({"a": [1, None]}, {"a": [1.0, None]})
