"""Numbers that Word sets by itself, equations, charts and chunks of other kinds."""

import pytest

from reader.office.word.counting import write_count
from tests.documents.laid_out import lay_out, list_rows
from tests.documents.office_files import CONTENT_TYPES, cell, docx, pack, paragraph, relations
from tests.documents.test_workbooks import CHART


def level(at: int, text: str, form: str = "decimal", others: str = "") -> str:
    return f'<w:lvl w:ilvl="{at}"><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/>{others}</w:lvl>'


def group(number: int, *levels: str) -> str:
    return f'<w:abstractNum w:abstractNumId="{number}">{"".join(levels)}</w:abstractNum>'


def listed(number: int, of: int, others: str = "") -> str:
    return f'<w:num w:numId="{number}"><w:abstractNumId w:val="{of}"/>{others}</w:num>'


def item(text: str, number: int | None, at: int | None = 0, style: str = "") -> str:
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    places = (f'<w:ilvl w:val="{at}"/>' if at is not None else "") + (
        f'<w:numId w:val="{number}"/>' if number is not None else ""
    )
    return paragraph(text, f"{named}<w:numPr>{places}</w:numPr>" if places else named)


def test_clauses_have_the_numbers_that_word_shows() -> None:
    clauses = group(
        1,
        level(0, "%1.", others='<w:start w:val="3"/>'),
        level(1, "%1.%2"),
        level(2, "(%3)", "lowerLetter"),
        level(3, "%4)", "lowerRoman", '<w:lvlRestart w:val="0"/>'),
    )
    numbering = clauses + group(2, level(0, "-", "bullet")) + listed(7, 1) + listed(8, 2)
    body = [
        item("Term", 7),
        item("Runs", 7, 1),
        item("Notice", 7, 1),
        item("in writing", 7, 2),
        item("on paper", 7, 3),
        item("remark", 8),
        item("by post", 7, 2),
        item("Liability", 7),
        item("Capped", 7, 1),
        item("signed", 7, 2),
        item("twice", 7, 3),
    ]
    assert list_rows(docx("".join(body), numbering=numbering)) == [
        "3. Term",
        "3.1 Runs",
        "3.2 Notice",
        "(a) in writing",
        "i) on paper",
        "\u2022 remark",
        "(b) by post",
        "4. Liability",
        "4.1 Capped",
        "(a) signed",
        "ii) twice",
    ]


def test_lists_of_one_group_count_together_unless_one_begins_anew() -> None:
    again = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    numbering = group(1, level(0, "%1.")) + listed(1, 1) + listed(2, 1) + listed(3, 1, again)
    body = "".join(item(text, number) for text, number in zip("abcd", (1, 2, 3, 3), strict=True))
    assert list_rows(docx(body, numbering=numbering)) == ["1. a", "2. b", "5. c", "6. d"]


def test_styles_bring_their_numbers_and_legal_ones_are_in_digits() -> None:
    styles = (
        '<w:style w:styleId="h1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:styleId="h2"><w:name w:val="heading 2"/><w:basedOn w:val="h1"/><w:pPr><w:numPr><w:ilvl w:val="1"/>'
        '</w:numPr></w:pPr></w:style><w:style w:styleId="own"><w:basedOn w:val="h2"/></w:style>'
    )
    levels = level(0, "Article %1", "upperRoman", '<w:pStyle w:val="h1"/>') + level(1, "%1.%2", others="<w:isLgl/>")
    body = (
        item("Scope", None, None, "h1")
        + item("Parts", None, None, "h2")
        + item("Goods", None, None, "own")
        + item("not numbered", 0, None, "h2")
        + item("Price", None, None, "h1")
    )
    rows = list_rows(docx(body, styles=styles, numbering=group(1, levels) + listed(1, 1)))
    assert rows == ["Article I Scope", "1.1 Parts", "1.2 Goods", "not numbered", "Article II Price"]


def test_numbers_stand_in_cells_and_struck_out_paragraphs_count_for_nothing() -> None:
    one = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    struck = (
        f"<w:p><w:pPr>{one}<w:rPr><w:del/></w:rPr></w:pPr><w:del><w:r><w:delText>old</w:delText></w:r></w:del></w:p>"
    )
    row = f"<w:tr>{cell('left').replace('<w:pPr>', f'<w:pPr>{one}')}{cell('right')}</w:tr>"
    body = f"{paragraph('first', one)}{struck}<w:tbl>{row}</w:tbl>{paragraph('', one)}{paragraph('last', one)}"
    rows = list_rows(docx(body, numbering=group(1, level(0, "%1.")) + listed(1, 1)))
    assert rows == ["1. first", "2. left | right", "3.", "4. last"]


@pytest.mark.parametrize(
    ("form", "counts"),
    [
        ("decimalZero", "01 02 10"),
        ("upperLetter", "A B J"),
        ("lowerRoman", "i ii x"),
        ("ordinal", "1st 2nd 10th"),
        ("ordinalText", "First Second Tenth"),
        ("cardinalText", "One Two Ten"),
        ("japaneseCounting", "一 二 十"),
        ("decimalEnclosedCircle", "① ② ⑩"),
        ("russianLower", "а б к"),
        ("of a later time", "1 2 10"),
    ],
)
def test_counts_are_written_in_their_form(form: str, counts: str) -> None:
    assert " ".join(write_count(number, form) for number in (1, 2, 10)) == counts


def test_counts_beyond_the_letters() -> None:
    assert write_count(28, "lowerLetter") == "bb" and write_count(1994, "upperRoman") == "MCMXCIV"
    assert write_count(23, "japaneseCounting") == "二十三" and write_count(42, "ordinalText") == "Forty-second"


def run(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


@pytest.mark.parametrize(
    ("equation", "line"),
    [
        (
            f"<m:f><m:num>{run('1734.56')}</m:num><m:den>{run('12')}</m:den></m:f>{run('=144.55')}",
            "(1734.56)/(12)=144.55",
        ),
        (f"<m:sSup><m:e>{run('x')}</m:e><m:sup>{run('2')}</m:sup></m:sSup>", "x^2"),
        (f"<m:rad><m:deg/><m:e>{run('a+b')}</m:e></m:rad>", "√(a+b)"),
        (
            f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{run("i=1")}</m:sub><m:sup>{run("n")}</m:sup>'
            f"<m:e>{run('i')}</m:e></m:nary>",
            "∑_(i=1)^n(i)",
        ),
        (f"<m:d><m:e>{run('a')}</m:e><m:e>{run('b')}</m:e></m:d>", "(a|b)"),
        (f"<m:m><m:mr><m:e>{run('1')}</m:e><m:e>{run('2')}</m:e></m:mr></m:m>", "[1, 2]"),
    ],
)
def test_equations_stand_in_one_line(equation: str, line: str) -> None:
    assert list_rows(docx(f"<w:p><m:oMathPara><m:oMath>{equation}</m:oMath></m:oMathPara></w:p>")) == [line]


def make_chunks(**chunks: bytes) -> bytes:
    named = relations(*(("aFChunk", f"{name}.dat") for name in chunks))
    body = "".join(f'<w:altChunk r:id="r{at}"/>' for at in range(len(chunks)))
    main = f"<w:document><w:body>{paragraph('own')}{body}</w:body></w:document>"
    parts = {"word/document.xml": main, "word/_rels/document.xml.rels": named}
    return pack(CONTENT_TYPES | parts | {f"word/{name}.dat": data for name, data in chunks.items()})


def test_chunks_of_other_kinds_are_read_or_a_gap() -> None:
    data = make_chunks(
        page=b"<html><body><p>Net 12.50</p></body></html>",
        text=b"plain line",
        rtf=b"{\\rtf1 from rtf}",
        mail=b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n"
        b"Content-Transfer-Encoding: quoted-printable\n\n<html><p>Due=20now</p></html>\n--b--\n",
        piece=b"<p>only <b>a piece</b></p>",
        other=docx(paragraph("from Word")),
        broken=b"\x00\x01\x02\x03" * 9,
    )
    assert list_rows(data) == ["own", "Net 12.50", "plain line", "from rtf", "Due now", "only a piece", "from Word"]
    [gap] = lay_out(data).gaps
    assert gap.kind == "embedded" and gap.part == "broken.dat"


def test_a_chunk_that_holds_itself_ends() -> None:
    data = make_chunks(a=b"x")
    for _ in range(6):
        data = make_chunks(a=data)
    assert list_rows(data) == ["own"] * 4
    assert [gap.kind for gap in lay_out(data).gaps] == ["embedded"]


def test_drawings_of_words_are_read_and_objects_of_other_programs_named() -> None:
    drawing = '<w:p><w:r><w:drawing><dgm:relIds r:dm="r0"/></w:drawing></w:r></w:p>'
    point = "<dgm:pt><dgm:t><a:p><a:r><a:t>{}</a:t></a:r></a:p></dgm:t></dgm:pt>"
    parts = {
        "word/document.xml": f"<w:document><w:body>{drawing}</w:body></w:document>",
        "word/_rels/document.xml.rels": relations(("diagramData", "diagrams/d.xml"), ("oleObject", "embeddings/o.bin")),
        "word/diagrams/d.xml": f"<dgm:dataModel>{point.format('Order')}{point.format('Deliver')}</dgm:dataModel>",
        "word/embeddings/o.bin": b"\xd0\xcf",
    }
    data = pack(CONTENT_TYPES | parts)
    assert list_rows(data) == ["Order", "Deliver"]
    [gap] = lay_out(data).gaps
    assert (gap.kind, gap.part) == ("embedded", "o.bin")


def test_charts_of_a_text_are_tables() -> None:
    drawing = '<w:p><w:r><w:drawing><c:chart r:id="r0"/></w:drawing></w:r></w:p>'
    parts = {
        "word/document.xml": f"<w:document><w:body>{drawing}</w:body></w:document>",
        "word/_rels/document.xml.rels": relations(("chart", "charts/chart1.xml")),
        "word/charts/chart1.xml": f"<c:chartSpace>{CHART}</c:chartSpace>",
    }
    assert list_rows(pack(CONTENT_TYPES | parts)) == ["Sales", " | North", "Q1 | 1,204.5", "Q2 | 88.0"]
