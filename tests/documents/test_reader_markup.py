"""Text with a structure: words with their addresses, and what is refused or read as plain text instead."""

import json
import tempfile
from pathlib import Path

import pytest

from reader.failures import OverLimit, Unreadable
from reader.kinds import detect_kind
from reader.opening import find_kind
from reader.pool.readers import get_pool
from tests.documents.laid_out import lay_out, list_addresses, list_rows, list_words


def test_json_values_bear_their_pointers() -> None:
    data = b'{"invoice": {"a/b~c": 12.50, "big": 10000000000000000000.10, "tags": ["x", {"y": null}], "paid": true}}'
    addresses = list_addresses(data)
    assert addresses["12.50"] == "/invoice/a~1b~0c"
    assert addresses["10000000000000000000.10"] == "/invoice/big"
    assert (addresses["x"], addresses["null"], addresses["true"]) == (
        "/invoice/tags/0",
        "/invoice/tags/1/y",
        "/invoice/paid",
    )


def test_a_list_of_like_objects_is_a_table() -> None:
    rows = [{"sku": "A-1", "price": 1.5}, {"sku": "B-2", "qty": 3}]
    assert list_rows(json.dumps({"rows": rows}).encode()) == [
        "rows:",
        "  sku | price | qty",
        "  A-1 | 1.5 | ",
        "  B-2 |  | 3",
    ]
    assert list_addresses(json.dumps(rows).encode())["B-2"] == "/1/sku"


def test_lines_of_json_are_one_list() -> None:
    assert list_addresses(b'{"total": 1}\n\n{"total": 22, "more": [1]}\n')["22"] == "/1/total"


def test_a_key_that_stands_twice_is_shown_twice() -> None:
    assert list_rows(b'{"a": 1, "a": 2}') == ["a: 1", "a: 2"]


def test_what_only_begins_like_json_is_text() -> None:
    assert list_rows(b"[2026-03-01] the server started\n{") == ["[2026-03-01] the server started", "{"]


def test_yaml_is_shown_as_written_with_the_pointers_of_its_values() -> None:
    data = b"---\ninvoice:\n  number: INV-1\n  lines:\n    - sku: A-7\n    - B-8\nx: &a [1, 2]\ny: *a\n"
    addresses = list_addresses(data)
    assert (addresses["INV-1"], addresses["A-7"]) == ("/invoice/number", "/invoice/lines/0/sku")
    assert (addresses["B-8"], addresses["*a"]) == ("/invoice/lines/1", "/y")


def test_broken_yaml_is_text() -> None:
    assert list_rows(b"---\na: [1\nb: }") == ["---", "a: [1", "b: }"]


def test_xml_elements_and_attributes_bear_their_paths() -> None:
    data = b'<?xml version="1.0"?><I xmlns:c="urn:x"><c:ID>INV-1</c:ID><l n="7"><p>1.20</p></l><l><p>3.40 <b>x</b> tail</p></l></I>'
    addresses = list_addresses(data)
    assert (addresses["INV-1"], addresses["7"], addresses["1.20"]) == ("/I/c:ID", "/I/l[1]/@n", "/I/l[1]/p")
    assert (addresses["3.40"], addresses["tail"]) == ("/I/l[2]/p/text()", "/I/l[2]/p/text()")


@pytest.mark.parametrize(
    "data",
    [
        b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
        b'<?xml version="1.0"?><x>broken',
    ],
)
def test_xml_that_is_broken_or_declares_entities_is_read_as_its_text(data: bytes) -> None:
    assert "".join(list_rows(data)).replace(" ", "") == data.decode().replace(" ", "")


def test_html_is_headings_lists_tables_and_fields() -> None:
    data = b"""<!DOCTYPE html><title>no</title><style>p{}</style><h1>Invoice</h1><p>Number: <b>INV</b>-1<br>of today</p>
    <ul><li>one<ul><li>two</ul></ul><table><tr><th>Item<th>Sum<tr><td colspan=2>both</table>
    <input value="typed"><input type=hidden value="secret"><select><option>first<option selected>second</select>
    <p hidden>unseen</p><p style="display: none">unseen too</p><script>alert('x')</script><pre>a   b</pre>"""
    assert list_rows(data) == [
        "Invoice",
        "Number: INV-1",
        "of today",
        "\u2022 one",
        "\u2022 two",
        "Item | Sum",
        "both",
        "typed second",
        "a | b",
    ]


def test_a_table_that_only_places_others_is_no_table() -> None:
    data = b"<html><table><tr><td><table><tr><td>a<td>b</table><td><p>side by side</table>"
    assert list_rows(data) == ["a | b", "side by side"]


def test_html_is_decoded_as_it_says() -> None:
    data = '<html><meta charset="iso-8859-2"><p>Žluťoučký kůň'.encode("iso-8859-2")
    assert list_rows(data) == ["Žluťoučký kůň"]


def test_rtf_is_its_text_and_its_tables() -> None:
    data = rb"{\rtf1\ansi Invoice INV-1\par Sum: 12.50 \u8364?\par {\*\template http://x.invalid/t}\trowd A\cell B\cell\row 1\cell 2\cell\row\pard end}"
    assert list_rows(data) == ["Invoice INV-1", "Sum: 12.50 \u20ac", "A | B", "1 | 2", "end"]


def test_rtf_keeps_headers_boxes_notes_and_footers() -> None:
    data = rb"""{\rtf1\ansi\ansicpg1250{\fonttbl{\f0\fcharset238 Arial;}}
{\header\f0 Kov\'e1\'f8 Ltd\par}{\headerf\f0 Kov\'e1\'f8 Ltd\par}{\footer Page 1\par}
Total 12.50{\footnote net of VAT}\par \u-3913?\tab point\par
{\shp{\*\shpinst{\sp{\sn x}{\sv y}}{\shptxt valid until June\par}}}{\pict 0a0b}end}"""
    rows = ["Ková\u0159 Ltd", "Total 12.50", "\u2022 point", "end", "valid until June", "net of VAT", "Page 1"]
    assert list_rows(data) == rows


def test_rtf_of_notes_inside_of_notes_is_gone_through_a_few_times() -> None:
    data = b"{\\rtf1 Total " + b"{\\footnote deep " * 200 + b"}" * 200 + b"}"
    assert list_rows(data) == ["Total", "deep", "deep", "deep"]


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000,
        b"[" * 150 + b"1" + b"]" * 150,
        b"---\n" + b"[" * 150 + b"]" * 150,
        b'<?xml version="1.0"?>' + b"<a>" * 300 + b"</a>" * 300,
        b"<html>" + b"<div>" * 5000 + b"deep",
    ],
)
def test_it_refuses_what_is_nested_too_deep(data: bytes) -> None:
    with pytest.raises(OverLimit, match="nested more than"):
        lay_out(data)


@pytest.mark.parametrize("data", [b"<html><p> </p>", b"{\\rtf1 }", b"<html><img alt='x'>"])
def test_it_says_when_there_is_no_text(data: bytes) -> None:
    if b"img" in data:
        assert list_words(data) == []
    else:
        with pytest.raises(Unreadable, match="holds no text"):
            lay_out(data)


def test_html_inside_other_text_is_that_text() -> None:
    assert detect_kind(b"see <html> for more") == "txt"


def test_csv_is_a_sheet_whose_words_know_their_cells() -> None:
    data = b'Item;Amount\r\n"Pipe; copper";10906.37\r\n;\r\nPaper;1.50\r\n'
    assert list_rows(data) == ["Item | Amount", "Pipe; copper | 10906.37", "Paper | 1.50"]
    assert list_addresses(data)["10906.37"] == "B2"


@pytest.mark.parametrize(
    "data",
    [
        b"Dear Ada, thanks\nKind regards, Bob",
        b"one line; no more",
        b"a;b\nc",
        b"no delimiter\nat all",
    ],
)
def test_text_with_commas_is_no_csv(data: bytes) -> None:
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        assert find_kind(file) == "txt"


def test_a_csv_that_breaks_off_is_text() -> None:
    data = b"a;b\n1;2\n" * 30 + b'3;"' + b"x" * 200_000
    assert list_rows(data)[0] == "a;b"


def test_a_web_page_inside_of_a_drawing_is_said_to_be_left_out(tmp_path: Path) -> None:
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><text y="20">Total</text>{}</svg>'
    inside = (
        '<g><foreignObject width="9" height="9"><p xmlns="http://www.w3.org/1999/xhtml">606</p></foreignObject></g>'
    )
    (tmp_path / "plain.svg").write_text(drawing.format(""))
    (tmp_path / "mixed.svg").write_text(drawing.format(inside))
    plain, mixed = (get_pool().inspect(tmp_path / name) for name in ("plain.svg", "mixed.svg"))
    assert not plain.gaps and [gap.kind for gap in mixed.gaps] == ["embedded"]
