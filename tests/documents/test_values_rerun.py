import random

import pytest

from documents.values import (
    Edit,
    EditKind,
    Location,
    Origin,
    State,
    add_row_ids,
    carry_edits,
    compute_current,
    match_rows,
    rerun,
    strip_row_ids,
)


def make_stored(prefix, *rows):
    return {"rows": [{"row_id": f"{prefix}{n}", "value": value} for n, value in enumerate(rows)]}


def at(**lines):
    return {
        f"rows[{row_id}].sku": Location(State.EXACT, 1, ((0.1, line * 0.02, 0.2, line * 0.02 + 0.01),), "x")
        for row_id, line in lines.items()
    }


def edit(where, new, kind=EditKind.SET, origin=Origin.PERSON, seq=1):
    return Edit(where, None, new, origin, seq, kind)


OLD = make_stored("a", {"sku": "X1", "n": 1}, {"sku": "X2", "n": 2})


def test_it_matches_rows_by_their_fields_when_the_order_changed():
    new = make_stored("b", {"sku": "X2", "n": 2}, {"sku": "X1", "n": 1})
    assert match_rows(OLD, {}, new, {}) == {"a0": "b1", "a1": "b0"}


def test_it_matches_rows_by_their_lines_when_the_values_differ():
    new = make_stored("b", {"sku": "XI", "n": 7}, {"sku": "XZ", "n": 8})
    matches = match_rows(OLD, at(a0=5, a1=6), new, at(b0=5, b1=6))
    assert matches == {"a0": "b0", "a1": "b1"}


def test_it_matches_rows_of_two_readings_that_see_a_line_a_little_differently():
    old, new = make_stored("a", {"sku": "X1"}, {"sku": "X1"}), make_stored("b", {"sku": "XI"}, {"sku": "X1"})
    assert match_rows(old, at(a0=5, a1=6), new, at(b0=5.1, b1=6.1)) == {"a0": "b0", "a1": "b1"}


@pytest.mark.parametrize(
    ("equal", "only_old", "only_new", "pairs"), [(1000, 500, 500, True), (1000, 500, 501, False), (1, 1, 1, False)]
)
def test_a_row_needs_half_of_its_fields_in_common(equal, only_old, only_new, pairs):
    """1000 of 2000 are enough, 1000 of 2001 are not."""
    same = {f"same{n}": n for n in range(equal)}
    old = make_stored("a", {**same, **{f"old{n}": n for n in range(only_old)}})
    new = make_stored("b", {**same, **{f"new{n}": n for n in range(only_new)}})
    assert match_rows(old, {}, new, {}) == ({"a0": "b0"} if pairs else {})


def test_it_leaves_a_row_alone_that_fits_two_others():
    old = make_stored("a", {"sku": "X1", "n": 1, "unit": "pc"})
    new = make_stored("b", {"sku": "X1", "n": 1, "unit": "m"}, {"sku": "X1", "n": 1, "unit": "kg"})
    assert match_rows(old, {}, new, {}) == {}


def test_it_pairs_twins_in_their_order():
    old = make_stored("a", {"sku": "X1"}, {"sku": "X1"})
    assert match_rows(old, {}, make_stored("b", {"sku": "X1"}, {"sku": "X1"}), {}) == {"a0": "b0", "a1": "b1"}


def test_it_tells_twins_apart_by_their_lines():
    old, new = make_stored("a", {"sku": "X1"}, {"sku": "X1"}), make_stored("b", {"sku": "X1"}, {"sku": "X1"})
    assert match_rows(old, at(a0=5, a1=6), new, at(b0=6, b1=5)) == {"a0": "b1", "a1": "b0"}


def test_it_matches_rows_inside_rows():
    old = make_stored("a", {"sku": "X1", "taxes": [{"row_id": "t0", "value": {"rate": 20, "code": "S"}}]})
    new = make_stored("b", {"sku": "X1", "taxes": [{"row_id": "u0", "value": {"rate": 20, "code": "S"}}]})
    assert match_rows(old, {}, new, {}) == {"a0": "b0", "t0": "u0"}


def test_it_carries_a_human_edit_to_the_matching_row():
    new = make_stored("b", {"sku": "X2", "n": 2}, {"sku": "X1", "n": 5})
    carried = carry_edits([edit("rows[a0].n", 9)], match_rows(OLD, at(a0=3), new, at(b1=3)), new)
    assert [(e.where, e.old, e.new) for e in carried.edits] == [("rows[b1].n", 5, 9)]


def test_it_shows_an_edit_whose_row_is_gone_as_a_conflict():
    new = make_stored("b", {"sku": "X2", "n": 2})
    carried = carry_edits([edit("rows[a0].n", 9)], match_rows(OLD, {}, new, {}), new)
    assert carried.edits == ()
    assert carried.conflicts[0].edit.where == "rows[a0].n"


def test_it_carries_edits_outside_of_rows_as_they_are():
    carried = carry_edits([edit("total", 9)], match_rows({}, {}, {"total": 1}, {}), {"total": 1})
    assert [(e.where, e.old, e.new) for e in carried.edits] == [("total", 1, 9)]


def test_it_leaves_edits_by_rule_behind():
    carried = carry_edits([edit("total", 9, origin=Origin.AGENT_RULE)], match_rows({}, {}, {}, {}), {"total": 1})
    assert carried.edits == carried.conflicts == ()


def test_it_keeps_a_row_that_a_person_added():
    new = make_stored("b", {"sku": "X1", "n": 1})
    edits = [edit("rows[p]", {"sku": "P"}, EditKind.ADD_ROW), edit("rows[p].n", 4, seq=2)]
    old = compute_current(OLD, edits)
    carried = carry_edits(edits, match_rows(old, {}, new, {}), new)
    assert strip_row_ids(compute_current(new, carried.edits))["rows"] == [{"sku": "X1", "n": 1}, {"sku": "P", "n": 4}]


def test_it_lays_an_added_row_over_the_one_the_new_run_found_itself():
    edits = [edit("rows[p]", {"sku": "P", "n": 4}, EditKind.ADD_ROW)]
    new = make_stored("b", {"sku": "X1", "n": 1}, {"sku": "P", "n": 4, "unit": "pc"})
    carried = carry_edits(edits, match_rows(compute_current(OLD, edits), {}, new, {}), new)
    assert len(strip_row_ids(compute_current(new, carried.edits))["rows"]) == 2


def test_it_removes_again_what_a_person_removed():
    edits = [edit("rows[a0]", None, EditKind.REMOVE_ROW)]
    new = make_stored("b", {"sku": "X1", "n": 1}, {"sku": "X2", "n": 2})
    carried = carry_edits(edits, match_rows(OLD, {}, new, {}), new)
    assert strip_row_ids(compute_current(new, carried.edits))["rows"] == [{"sku": "X2", "n": 2}]
    assert carry_edits(edits, match_rows(OLD, {}, make_stored("b"), {}), make_stored("b")).conflicts == ()


def test_it_matches_a_thousand_rows_quickly():
    old = make_stored("a", *({"sku": f"S{n}", "unit": "pc"} for n in range(1000)))
    new = make_stored("b", *({"sku": f"S{n}", "unit": "pc"} for n in range(1000)))
    assert len(match_rows(old, {}, new, {})) == 1000


def test_tables_that_are_made_to_have_too_many_likely_pairs_are_matched_by_their_rarest_values():
    dice = random.Random(7)
    common = [{f"c{n}": f"{n} {dice.randrange(18)}" for n in range(10)} for _ in range(600)]
    old = add_row_ids({"rows": [*common, {"sku": "only one"}]})
    new = add_row_ids({"rows": [{"sku": "only one"}, *common]})
    pairs = rerun._find_possible_pairs(*[[rerun._get_traits(row, {}) for row in each["rows"]] for each in (old, new)])
    assert len(pairs) <= rerun._MAX_PAIRS and (600, 0) in pairs
