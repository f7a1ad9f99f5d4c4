"""Cells of ODS that bear a value and no text: shown as their number format says."""

import pytest

from tests.documents.laid_out import lay_out, list_rows
from tests.documents.office_files import open_document

NUMBER = '<number:number number:decimal-places="{}" number:min-integer-digits="1" {}/>'
TWO = NUMBER.format(2, 'number:grouping="true"')
DAY = '<number:day number:style="long"/><number:text>. </number:text><number:month number:textual="true" {}/>'
HOURS = '<number:hours/><number:text>:</number:text><number:minutes number:style="long"/>'


def formatted(name: str, kind: str, pieces: str, others: str = "") -> str:
    """A number format, and the style of cells that takes it."""
    cell = f'<style:style style:name="c{name}" style:family="table-cell" style:data-style-name="{name}"/>'
    return f'<number:{kind}-style style:name="{name}" {others}>{pieces}</number:{kind}-style>{cell}'


def cell(value: str, kind: str = "float", style: str = "cN", inner: str = "") -> str:
    name = {"date": "date-value", "time": "time-value", "boolean": "boolean-value"}.get(kind, "value")
    return (
        f'<table:table-cell table:style-name="{style}" office:value-type="{kind}" office:{name}="{value}">{inner}'
        "</table:table-cell>"
    )


def sheet(styles: str, *cells: str, columns: str = "") -> bytes:
    row = f"<table:table-row>{''.join(cells)}</table:table-row>"
    return open_document("spreadsheet", f'<table:table table:name="S">{columns}{row}</table:table>', styles)


@pytest.mark.parametrize(
    ("format_style", "value", "kind", "text"),
    [
        (formatted("N", "number", TWO), "1234567.5", "float", "1,234,567.50"),
        (
            formatted("N", "number", NUMBER.format(0, 'number:display-factor="1000"') + "<number:text>k</number:text>"),
            "1734560",
            "float",
            "1735k",
        ),
        (formatted("N", "number", '<number:number number:min-integer-digits="1"/>'), "12.25", "float", "12.25"),
        (
            formatted("N", "number", '<number:number number:decimal-places="0" number:min-integer-digits="5"/>'),
            "451",
            "float",
            "00451",
        ),
        (
            formatted("N", "percentage", NUMBER.format(1, "") + "<number:text>%</number:text>"),
            "0.0725",
            "percentage",
            "7.3%",
        ),
        (
            formatted("N", "number", NUMBER.format(0, "") + "<number:text> % of 5</number:text>"),
            "7",
            "float",
            "7 % of 5",
        ),
        (
            formatted(
                "N", "currency", TWO + "<number:text> </number:text><number:currency-symbol>€</number:currency-symbol>"
            ),
            "99.5",
            "currency",
            "99.50 €",
        ),
        (
            formatted(
                "N",
                "number",
                '<number:fraction number:min-integer-digits="0" number:min-numerator-digits="1" '
                'number:min-denominator-digits="1"/>',
            ),
            "2.5",
            "float",
            "2 1/2",
        ),
        (
            formatted(
                "N",
                "number",
                '<number:scientific-number number:decimal-places="2" number:min-integer-digits="1" '
                'number:min-exponent-digits="2"/>',
            ),
            "12345",
            "float",
            "1.23E+04",
        ),
        (
            formatted(
                "N",
                "date",
                DAY.format('number:style="long"') + '<number:text> "</number:text><number:year number:style="long"/>',
                'number:language="de" number:country="DE"',
            ),
            "2026-03-14",
            "date",
            '14. März "2026',
        ),
        (formatted("N", "time", HOURS, 'number:truncate-on-overflow="false"'), "PT30H15M00S", "time", "30:15"),
        (formatted("N", "time", HOURS), "PT30H15M00S", "time", "6:15"),
        ("", "PT30H15M00S", "time", "30:15:00"),
        ("", "2026-03-14T10:30:00", "date", "2026-03-14 10:30:00"),
        ("", "0.125", "percentage", "12.50%"),
        ("", "true", "boolean", "TRUE"),
    ],
)
def test_a_value_without_a_text_is_shown_by_its_format(format_style: str, value: str, kind: str, text: str) -> None:
    data = sheet(format_style, cell(value, kind))
    assert list_rows(data) == ["S", text] and not lay_out(data).gaps


def test_a_stored_text_goes_before_the_format() -> None:
    assert list_rows(sheet(formatted("N", "number", TWO), cell("5", inner="<text:p>five</text:p>"))) == ["S", "five"]


def test_conditions_choose_the_format_and_its_sign() -> None:
    maps = '<style:map style:condition="value()&gt;=0" style:apply-style-name="P"/>'
    negative = f"<number:text>(</number:text>{TWO}<number:text>)</number:text>{maps}"
    styles = formatted("P", "number", TWO) + formatted("N", "number", negative)
    assert list_rows(sheet(styles, cell("1234.5"), cell("-1234.5"))) == ["S", "1,234.50 | (1,234.50)"]
    maps = maps.replace("&gt;=", "&gt;") + '<style:map style:condition="value()&lt;0" style:apply-style-name="M"/>'
    styles = formatted("P", "number", TWO) + formatted("M", "number", f"<number:text>-</number:text>{TWO}")
    styles += formatted("N", "number", f"<number:text>nil</number:text>{maps}")
    assert list_rows(sheet(styles, cell("1"), cell("-1"), cell("0"))) == ["S", "1.00 | -1.00 | nil"]
    large = '<style:map style:condition="value()&gt;100" style:apply-style-name="P"/>'
    styles = formatted("P", "number", "<number:text>many</number:text>") + formatted("N", "number", TWO + large)
    assert list_rows(sheet(styles, cell("101"), cell("-5"))) == ["S", "many | -5.00"]


def test_cells_take_the_format_of_a_base_or_of_their_column() -> None:
    bases = '<style:style style:name="{}" style:family="table-cell" style:parent-style-name="{}"/>'
    styles = formatted("N", "number", TWO) + bases.format("own", "cN") + bases.format("round", "round")
    columns = '<table:table-column table:number-columns-repeated="2"/><table:table-column table:default-cell-style-name="cN"/>'
    data = sheet(styles, cell("1", style="own"), cell("2", style="round"), cell("3", style=""), columns=columns)
    assert list_rows(data) == ["S", "1.00 | 2 | 3.00"]


def test_a_format_that_is_not_understood_gives_the_plain_value_and_says_so() -> None:
    for pieces in ("<number:week-of-year/>", "<number:minutes/>", "<number:of-a-later-time/>"):
        data = sheet(formatted("N", "date", pieces), cell("5"))
        [gap] = lay_out(data).gaps
        assert (list_rows(data), gap.kind) == (["S", "5"], "format"), pieces
    long = formatted("N", "number", TWO + f"<number:text>{'x' * 10_000}</number:text>")
    assert list_rows(sheet(long, cell("5"))) == ["S", "5"]


def test_a_number_that_its_format_hides_is_a_gap_and_a_zero_is_none() -> None:
    empty = formatted("N", "number", "<number:text></number:text>")
    data = sheet(empty, cell("7"), cell("-7", inner="<text:p/>"), cell("0"), cell("1", style=""))
    [gap] = lay_out(data).gaps
    assert (list_rows(data), gap.kind, gap.part) == (["S", "1"], "hidden", "S")
    assert "2 numbers are hidden by the number format" in gap.reason


def test_a_formula_is_open_only_where_it_came_to_nothing_at_all() -> None:
    formula = '<table:table-cell table:formula="of:=[.A1]" {}</table:table-cell>'
    came = 'office:value-type="string"><text:p/>'
    data = sheet("", cell("1"), formula.format(">"), formula.format(came), cell("2"))
    [gap] = lay_out(data).gaps
    assert (gap.kind, list_rows(data)[1]) == ("formula", "1 | =A1 |  | 2")
    assert "1 formula (B1) was not computed" in gap.reason
