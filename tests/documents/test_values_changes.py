import pytest

from documents.values import Edit, Kind, Origin, change_at, changes_to, current, on_wire, removal_at, same
from kit.errors import NotFound

STORED = {
    "total": 5,
    "rows": [{"row_id": f"r{n}", "value": {"sku": f"X{n}", "n": n}} for n in range(3)],
}


def apply_all(changes):
    edits = [Edit(c.where, c.old, c.new, Origin.PERSON, seq, c.kind) for seq, c in enumerate(changes)]
    return current(STORED, edits)


def test_it_turns_a_path_into_one_change():
    change = change_at(STORED, "rows.1.n", 9)
    assert (change.where, change.old, change.new, change.kind) == ("rows[r1].n", 1, 9, Kind.SET)


def test_it_adds_a_row_one_past_the_end():
    change = change_at(STORED, "rows.3", {"sku": "X3", "n": 3})
    assert change.kind is Kind.ADD_ROW
    assert on_wire(apply_all([change]))["rows"][3] == {"sku": "X3", "n": 3}


def test_it_adds_a_row_from_one_of_its_fields():
    assert on_wire(apply_all([change_at(STORED, "rows.3.sku", "X3")]))["rows"][3] == {"sku": "X3"}


@pytest.mark.parametrize("path", ["rows.4", "rows.4.sku", "rows.-1", "total.x"])
def test_it_refuses_a_position_further_out(path):
    with pytest.raises(NotFound):
        change_at(STORED, path, 1)


def test_it_removes_rows_only():
    assert removal_at(STORED, "rows.0").where == "rows[r0]"
    with pytest.raises(NotFound):
        removal_at(STORED, "total")


def test_it_finds_nothing_to_do_for_the_same_result():
    assert changes_to(STORED, on_wire(STORED)) == []


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
    wanted = {"total": 6, "rows": rows}
    assert on_wire(apply_all(changes_to(STORED, wanted))) == wanted


def test_it_removes_the_row_that_went_not_the_last_one():
    wanted = {"total": 5, "rows": [{"sku": "X0", "n": 0}, {"sku": "X2", "n": 2}]}
    assert [(c.where, c.kind) for c in changes_to(STORED, wanted)] == [("rows[r1]", Kind.REMOVE_ROW)]


def test_it_tells_true_from_one():
    assert not same(True, 1)
    assert same(1, 1.0)
    assert not same("1", 1)
    assert same({"a": [1, None]}, {"a": [1.0, None]})
