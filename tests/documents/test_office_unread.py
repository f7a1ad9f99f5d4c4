"""Things that office files show and that are not read: each is named."""

import struct

import pytest

from tests.documents.laid_out import lay_out, list_rows
from tests.documents.office_files import (
    CONTENT_TYPES,
    RELATIONS,
    add_parts,
    docx,
    pack,
    paragraph,
    pptx,
    relations,
    shape,
)

CHUNK = '<w:altChunk r:id="r0"/>'
BLIP = '<w:p><w:r><w:drawing><a:blip r:embed="r0"/></w:drawing></w:r></w:p>'
# The head of an enhanced metafile ([MS-EMF] 2.3.4.2).
EMF = struct.pack("<II32x4sI", 1, 88, b" EMF", 0x10000) + bytes(40)
OWN = "<p:sp><p:spPr/><p:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></p:txBody></p:sp>"


def word(body: str, *related: tuple[str, str], **parts: str | bytes) -> bytes:
    """parts: their content by their name in the folder `word/`."""
    main = {"word/document.xml": f"<w:document><w:body>{paragraph('Total 12.50')}{body}</w:body></w:document>"}
    named = {f"word/{name.replace('_', '.')}": content for name, content in parts.items()}
    return pack(CONTENT_TYPES | main | {"word/_rels/document.xml.rels": relations(*related)} | named)


def with_relation(kind: str) -> bytes:
    relation = f'<Relationship Id="r7" Type="http://x/relationships/{kind}" Target="b.docx" TargetMode="External"/>'
    return pack(
        CONTENT_TYPES
        | {
            "word/document.xml": f"<w:document><w:body>{paragraph('Total 12.50')}</w:body></w:document>",
            "word/_rels/document.xml.rels": RELATIONS.format(relation),
        }
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (with_relation("video"), "The file has a film"),
        (with_relation("subDocument"), "A part of this document is kept in another file"),
        (with_relation("ctrlProp"), "A sheet has check boxes, lists or buttons"),
        (word(BLIP), "1 picture is not in the file"),
        (word(BLIP, ("image", "a.emf"), a_emf=EMF), "1 picture is of a kind that is not drawn here"),
        (word('<w:altChunk r:id="r7"/>'), "A part of another kind, which lies elsewhere"),
        (
            word('<w:altChunk r:id="r0"/>', ("aFChunk", "a.txt"), a_txt="Счёт на оплату".encode("cp1251")),
            "Read as Cyri",
        ),
    ],
)
def test_it_is_a_gap(data: bytes, reason: str) -> None:
    [gap] = lay_out(data).gaps
    assert gap.reason.startswith(reason)
    assert list_rows(data)[0] == "Total 12.50"


@pytest.mark.parametrize("kind", ["image", "hyperlink", "theme", "settings"])
def test_ordinary_parts_are_none(kind: str) -> None:
    assert not lay_out(with_relation(kind)).gaps


def test_a_preview_beside_a_table_is_none() -> None:
    assert not lay_out(word(BLIP, ("image", "a.svm"), a_svm=b"VCLMTF\1\0" + bytes(40))).gaps


def test_files_in_files_in_files_are_bounded_together() -> None:
    inner = docx(paragraph("depth 0"))
    for depth in (1, 2, 3):
        body = paragraph(f"depth {depth}") + CHUNK * 40
        inner = word(body, ("aFChunk", "c.docx"), c_docx=inner)
    assert {gap.part for gap in lay_out(inner).gaps} == {"c.docx"}
    assert sum(row.startswith("depth") for row in list_rows(inner)) <= 201


def test_a_part_in_a_cell_is_read() -> None:
    cell = f'<w:tbl><w:tr><w:tc>{paragraph("cell")}<w:altChunk r:id="r0"/></w:tc></w:tr></w:tbl>'
    data = word(cell, ("aFChunk", "c.html"), c_html="<html><p>In the piece 55.00</p></html>")
    assert list_rows(data) == ["Total 12.50", "cell", "In the piece 55.00"]


@pytest.mark.parametrize(("shows", "texts"), [("", ["MASTER", "LAYOUT", "Offer"]), ("0", ["Offer"])])
def test_words_of_the_template_are_read_where_the_slide_shows_them(shows: str, texts: list[str]) -> None:
    slide = f"<p:sld showMasterSp='{shows}'><p:cSld><p:spTree>{shape('Offer')}</p:spTree></p:cSld></p:sld>"
    tree = "<p:{0}><p:cSld><p:spTree>{1}{2}</p:spTree></p:cSld></p:{0}>"
    parts = {
        "ppt/slides/slide0.xml": slide,
        "ppt/slides/_rels/slide0.xml.rels": relations(("slideLayout", "../l.xml")),
        "ppt/l.xml": tree.format("sldLayout", OWN.format("LAYOUT"), shape("Click to edit")),
        "ppt/_rels/l.xml.rels": relations(("slideMaster", "m.xml")),
        "ppt/m.xml": tree.format("sldMaster", OWN.format("MASTER"), shape("Click to edit", "title")),
    }
    assert list_rows(add_parts(pptx(shape("Offer")), parts)) == texts


def test_a_sheet_that_is_one_chart_is_read() -> None:
    names = "<sheet name='S' r:id='r0'/><sheet name='Sales' r:id='r1'/>"
    series = "<c:ser><c:cat><c:strCache><c:pt idx='0'><c:v>Q1</c:v></c:pt></c:strCache></c:cat>"
    series += "<c:val><c:numCache><c:pt idx='0'><c:v>77.5</c:v></c:pt></c:numCache></c:val></c:ser>"
    data = pack(
        CONTENT_TYPES
        | {
            "xl/workbook.xml": f"<workbook><sheets>{names}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": relations(("worksheet", "s.xml"), ("chartsheet", "c.xml")),
            "xl/s.xml": "<worksheet><sheetData><row r='1'><c r='A1'><v>1</v></c></row></sheetData></worksheet>",
            "xl/c.xml": "<chartsheet><drawing r:id='r0'/></chartsheet>",
            "xl/_rels/c.xml.rels": relations(("drawing", "d.xml")),
            "xl/d.xml": "<xdr:wsDr><c:chart r:id='r0'/></xdr:wsDr>",
            "xl/_rels/d.xml.rels": relations(("chart", "chart.xml")),
            "xl/chart.xml": f"<c:chart><c:plotArea><c:barChart>{series}</c:barChart></c:plotArea></c:chart>",
        }
    )
    assert any("77.5" in row for row in list_rows(data))
