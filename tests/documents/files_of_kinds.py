"""The same invoice as a file of every kind that is laid out here: all that it prints has to be read."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.documents.mails import make_archive, make_mail, make_message
from tests.documents.office_files import cell, docx, open_document, paragraph, pptx, shape, xlsx
from tests.documents.wrapped_mails import make_tnef

HEAD = ("Article", "Description", "Quantity", "Price")
LINES = [
    (
        f"A-{1000 + number}",
        f"Pipe no. {number} of copper, {number + 10} mm",
        str(number % 9 + 1),
        f"{number * 7}.{number:02}",
    )
    for number in range(1, 13)
]
FACTS = ("Ostrava Tools s.r.o.", "INV-2026-4711", "2026-05-17", "CZ65 0800 0000 1920 0014 5399")
# What a person sees on the paper, cell by cell.
VALUES = (*FACTS, *HEAD, *(value for line in LINES for value in line))


def make_docx() -> bytes:
    rows = "".join(f"<w:tr>{''.join(map(cell, line))}</w:tr>" for line in (HEAD, *LINES))
    return docx("".join(map(paragraph, FACTS)) + f"<w:tbl>{rows}</w:tbl>")


def make_xlsx() -> bytes:
    return xlsx([[fact] for fact in FACTS] + [list(line) for line in (HEAD, *LINES)])


def make_pptx() -> bytes:
    slides = [LINES[at : at + 8] for at in range(0, len(LINES), 8)]
    first = "".join(map(shape, (*FACTS, *HEAD)))
    return pptx(first, *("".join(shape(value) for line in slide for value in line) for slide in slides))


def make_odt() -> bytes:
    facts = "".join(f"<text:p>{fact}</text:p>" for fact in FACTS)
    return open_document("text", f"{facts}<table:table>{_make_rows()}</table:table>")


def make_ods() -> bytes:
    facts = "".join(f"<table:table-row>{_make_cell(fact)}</table:table-row>" for fact in FACTS)
    return open_document("spreadsheet", f'<table:table table:name="Costs">{facts}{_make_rows()}</table:table>')


def _make_rows() -> str:
    rows = ("".join(map(_make_cell, line)) for line in (HEAD, *LINES))
    return "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)


def _make_cell(text: str) -> str:
    return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'


def make_rtf() -> bytes:
    rows = "".join(
        "\\trowd" + "".join(f"\\cellx{at}000" for at in range(1, 5)) + _make_rtf_cells(line) for line in _table()
    )
    return ("{\\rtf1\\ansi " + "".join(f"{fact}\\par " for fact in FACTS) + rows + "}").encode()


def _make_rtf_cells(line: tuple[str, ...]) -> str:
    return "\\intbl " + "".join(f"{value}\\cell " for value in line) + "\\row "


def _table() -> list[tuple[str, ...]]:
    return [HEAD, *LINES]


def make_html() -> bytes:
    rows = "".join("<tr>" + "".join(f"<td>{value}</td>" for value in line) + "</tr>" for line in _table())
    return (
        "<html><body>" + "".join(f"<p>{fact}</p>" for fact in FACTS) + f"<table>{rows}</table></body></html>"
    ).encode()


def make_csv() -> bytes:
    rows = [*((fact, "", "", "") for fact in FACTS), *_table()]
    return "\n".join(";".join(f'"{value}"' for value in row) for row in rows).encode()


def make_json() -> bytes:
    lines = [dict(zip(HEAD, line, strict=True)) for line in LINES]
    return json.dumps({"facts": FACTS, "lines": lines}).encode()


def make_yaml() -> bytes:
    lines = "".join(
        f"- {', '.join(f'{name}: {value}' for name, value in zip(HEAD, line, strict=True))}\n" for line in LINES
    )
    return ("---\n" + "".join(f"- {fact}\n" for fact in FACTS) + lines).encode()


def make_xml() -> bytes:
    lines = "".join(
        f"<line>{''.join(f'<{n}>{v}</{n}>' for n, v in zip(HEAD, line, strict=True))}</line>" for line in LINES
    )
    return (
        "<?xml version='1.0'?><invoice>" + "".join(f"<fact>{fact}</fact>" for fact in FACTS) + f"{lines}</invoice>"
    ).encode()


def make_text() -> bytes:
    return "\n".join([*FACTS, *("   ".join(line) for line in _table())]).encode()


def make_eml() -> bytes:
    text = make_html().decode().removeprefix("<html><body>").removesuffix("</body></html>")
    return make_mail(("a.txt", b"x"), text=text)


def make_msg() -> bytes:
    return make_message("Invoice", make_text().decode(), ("a.txt", b"x"))


def make_packed_mail() -> bytes:
    return make_tnef(("a.txt", b"x"), text=make_text())


def make_invitation() -> bytes:
    described = make_text().decode().replace(",", "\\,").replace("\n", "\\n")
    lines = ("BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:1", "DTSTART:20260314T090000Z", "SUMMARY:Invoice")
    return "\r\n".join([*lines, f"DESCRIPTION:{described}", "END:VEVENT", "END:VCALENDAR", ""]).encode()


def make_zip() -> bytes:
    """Its pages list what is in it."""
    return make_archive(*((f"{value}.txt", b"x") for value in VALUES))


KINDS: dict[str, Callable[[], bytes]] = {
    "docx": make_docx,
    "xlsx": make_xlsx,
    "pptx": make_pptx,
    "odf": make_odt,
    "ods": make_ods,
    "rtf": make_rtf,
    "html": make_html,
    "csv": make_csv,
    "json": make_json,
    "yaml": make_yaml,
    "xml": make_xml,
    "txt": make_text,
    "eml": make_eml,
    "msg": make_msg,
    "tnef": make_packed_mail,
    "ics": make_invitation,
    "zip": make_zip,
}
