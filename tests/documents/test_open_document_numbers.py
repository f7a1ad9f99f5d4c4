"""Numbers that a text of OpenDocument sets before its paragraphs."""

import pytest

from reader.office.open_document.list_styles import LEVELS, ListLevel
from tests.documents.laid_out import list_rows
from tests.documents.office_files import open_document


def level(at: int, form: str, others: str = "", kind: str = "list-level-style-number") -> str:
    return f'<text:{kind} text:level="{at}" style:num-format="{form}" {others}/>'


def style(name: str, *levels: str, others: str = "") -> str:
    return f'<text:list-style style:name="{name}" {others}>{"".join(levels)}</text:list-style>'


def listed(*items: str, name: str = "", others: str = "") -> str:
    named = f'text:style-name="{name}"' if name else ""
    return f"<text:list {named} {others}>{''.join(items)}</text:list>"


def item(*contents: str, others: str = "") -> str:
    """A text is a paragraph; a list stands as it is."""
    inner = "".join(each if each.startswith("<") else f"<text:p>{each}</text:p>" for each in contents)
    return f"<text:list-item {others}>{inner}</text:list-item>"


CLAUSES = style(
    "L1",
    level(1, "1", 'style:num-suffix="." text:start-value="3"'),
    level(2, "1", 'text:display-levels="2"'),
    level(3, "a", 'style:num-prefix="(" style:num-suffix=")"'),
    level(4, "", 'text:bullet-char="-"', "list-level-style-bullet"),
)


def test_clauses_have_the_numbers_that_the_page_shows() -> None:
    inner = listed(item("in writing", "or so"), item("by post", listed(item("stamped"))))
    body = (
        listed(item("Term", listed(item("Runs"), item("Notice", inner))), name="L1")
        + "<text:p>Between</text:p>"
        + listed(item("Liability", listed(item("Capped"))), name="L1", others='text:continue-numbering="true"')
        + listed(item("Anew"), item("seven", others='text:start-value="7"'), item("eight"), name="L1")
    )
    assert list_rows(open_document("text", body, CLAUSES)) == [
        "3. Term",
        "3.1 Runs",
        "3.2 Notice",
        "(a) in writing",
        "or so",
        "(b) by post",
        "\u2022 stamped",
        "Between",
        "4. Liability",
        "4.1 Capped",
        "3. Anew",
        "7. seven",
        "8. eight",
    ]


def test_headings_count_by_the_outline_unless_their_style_turns_it_off() -> None:
    outline = (
        '<text:outline-style style:name="Outline"><text:outline-level-style text:level="1" style:num-format="I"/>'
        '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2" '
        'loext:num-list-format="\u00a7 %1%-%2%:"/></text:outline-style>'
        '<style:style style:name="off" style:family="paragraph" style:list-style-name=""/>'
        '<style:style style:name="based" style:family="paragraph" style:parent-style-name="off"/>'
        '<style:style style:name="round" style:family="paragraph" style:parent-style-name="round"/>'
    )
    heading = '<text:h text:outline-level="{}" text:style-name="{}">{}</text:h>'
    body = "".join(
        heading.format(*each)
        for each in (
            (1, "", "Scope"),
            (2, "round", "<text:number>9.9</text:number>Parts"),
            (1, "based", "Preface"),
            (3, "", "Note"),
            (1, "", "Price"),
            (2, "", "Net"),
        )
    )
    assert list_rows(open_document("text", body, outline)) == [
        "I Scope",
        "\u00a7 I-1: Parts",
        "Preface",
        "Note",
        "II Price",
        "\u00a7 II-1: Net",
    ]


def test_lists_stand_in_cells_go_on_by_name_and_begin_further_in() -> None:
    first = listed(item(listed(item("inner"))), name="L1", others='xml:id="one"')
    goes_on = listed(item("cell"), name="L1", others='text:continue-list="one"')
    cell = f"<table:table-cell>{goes_on}</table:table-cell>"
    head = "<text:list-header><text:p>head</text:p></text:list-header>"
    last = listed(head, item("<text:p/>"), name="L1")
    body = f"{first}<table:table><table:table-row>{cell}</table:table-row></table:table>{last}"
    assert list_rows(open_document("text", body, CLAUSES)) == ["3.1 inner", "4. cell", "head", "3."]


def test_all_levels_of_a_consecutive_list_count_as_one() -> None:
    consecutive = style("C", level(1, "1"), level(2, "1"), others='text:consecutive-numbering="true"')
    body = listed(item("a", listed(item("b"))), item("c"), name="C")
    assert list_rows(open_document("text", body, consecutive)) == ["1 a", "2 b", "3 c"]


@pytest.mark.parametrize(
    ("form", "text"), [("A", "AB"), ("①, ②, ③, ...", "28"), ("一, 二, 三, ...", "二十八"), ("i", "xxviii"), ("ก", "28")]
)
def test_counts_are_written_in_their_form(form: str, text: str) -> None:
    assert ListLevel(form=form).write(28) == text
    assert ListLevel(form="a", letters_repeat=True).write(28) == "bb"


def test_lists_deeper_than_any_level_and_strange_styles_end() -> None:
    strange = style(
        "L1", level(99, "1"), level(0, "1"), level(1, "1", f'text:start-value="{"9" * 400}" text:display-levels="-5"')
    )
    inner = item("deepest")
    for _ in range(60):
        inner = item(listed(inner))
    rows = list_rows(
        open_document("text", listed(inner, item("first"), name="L1", others='text:continue-list="x"'), strange)
    )
    assert rows[1] == "2 first" and len(rows) == 2
    letters = style("L1", level(1, "1", f'style:num-prefix="{"x" * 10_000}"'))
    [row] = list_rows(open_document("text", listed(item("a"), name="L1"), letters))
    assert len(row) <= 100 + LEVELS
