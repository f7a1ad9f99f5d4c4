from documents.values import (
    Edit,
    EditKind,
    Origin,
    compute_current,
    get_value,
    has_value,
    is_protected,
    strip_row_ids,
)

PERSON, APPROVED, RULE = Origin.PERSON, Origin.AGENT_APPROVED, Origin.AGENT_RULE
RUN = {"total": 1, "vendor": {"name": "A"}, "rows": [{"row_id": "r1", "value": {"n": 1}}]}


def edit(where, new, origin, seq, kind=EditKind.SET):
    return Edit(where, None, new, origin, seq, kind)


def test_it_shows_the_run_when_nothing_was_edited():
    assert compute_current(RUN, []) == RUN


def test_it_lets_the_newest_human_value_win():
    edits = [edit("total", 3, APPROVED, 2), edit("total", 2, PERSON, 1)]
    assert compute_current(RUN, edits)["total"] == 3


def test_it_lets_a_rule_win_over_the_run_only():
    assert compute_current(RUN, [edit("total", 4, RULE, 1)])["total"] == 4
    assert compute_current(RUN, [edit("total", 2, PERSON, 1), edit("total", 4, RULE, 2)])["total"] == 2
    assert compute_current(RUN, [edit("total", 4, RULE, 1), edit("total", 2, PERSON, 2)])["total"] == 2


def test_it_keeps_a_field_that_a_person_set_when_a_rule_replaces_its_group():
    edits = [edit("vendor.name", "P", PERSON, 1), edit("vendor", {"name": "R"}, RULE, 2)]
    assert compute_current(RUN, edits)["vendor"]["name"] == "P"


def test_it_adds_and_removes_rows():
    edits = [
        edit("rows[r2]", {"n": 2}, PERSON, 1, EditKind.ADD_ROW),
        edit("rows[r1]", None, PERSON, 2, EditKind.REMOVE_ROW),
    ]
    assert strip_row_ids(compute_current(RUN, edits))["rows"] == [{"n": 2}]


def test_it_adds_a_row_once_however_often_it_is_told():
    added = edit("rows[r2]", {"n": 2}, PERSON, 1, EditKind.ADD_ROW)
    assert len(compute_current(RUN, [added, added])["rows"]) == 2


def test_it_never_lets_a_rule_remove_a_row_with_human_work():
    edits = [edit("rows[r1].n", 7, PERSON, 1), edit("rows[r1]", None, RULE, 2, EditKind.REMOVE_ROW)]
    assert get_value(compute_current(RUN, edits), "rows[r1].n") == 7


def test_it_passes_over_an_edit_in_a_row_that_is_gone():
    edits = [edit("rows[r1]", None, PERSON, 1, EditKind.REMOVE_ROW), edit("rows[r1].n", 7, PERSON, 2)]
    assert not has_value(compute_current(RUN, edits), "rows[r1].n")


def test_it_protects_human_values_and_verifications_from_rules():
    edits = [edit("rows[r1].n", 7, PERSON, 1), edit("total", 4, RULE, 2)]
    assert is_protected("rows[r1]", edits)
    assert is_protected("rows[r1].n", edits)
    assert not is_protected("total", edits)
    assert is_protected("total", edits, ["total"])
    assert not is_protected("rows[r10].n", edits)
