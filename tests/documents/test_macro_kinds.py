"""Files with macros and templates are taken as the files that they are otherwise; nothing in them is run."""

import io
import zipfile

from documents.catalog.media_types import MEDIA_TYPES
from reader.layout.blocks import Note
from reader.office import docx as docx_reader
from reader.office.presentations import pptx as pptx_reader
from reader.pages import Limits
from tests.documents.laid_out import list_rows
from tests.documents.office_files import CONTENT_TYPES, docx, pack, paragraph, relations
from tests.documents.test_workbooks import CHART

LIMITS = Limits(1_000_000, 5, 1_000_000)


def test_macro_kinds_and_templates_are_taken() -> None:
    kinds = [
        "docm",
        "dotx",
        "dotm",
        "xlsm",
        "xltx",
        "xltm",
        "pptm",
        "ppsx",
        "ppsm",
        "potx",
        "potm",
        "ott",
        "ots",
        "otp",
        "fodt",
        "fods",
        "fodp",
    ]
    assert len({MEDIA_TYPES[kind] for kind in kinds}) == len(kinds)


def test_macros_are_named_and_not_run() -> None:
    with zipfile.ZipFile(io.BytesIO(docx(paragraph("text")))) as plain:
        parts = {name: plain.read(name) for name in plain.namelist()}
    *_, last = docx_reader.read_blocks(io.BytesIO(pack(parts | {"word/vbaProject.bin": b"\xd0\xcf"})), LIMITS)
    assert last == Note("[macros in the file are not run]")


def test_charts_and_comments_of_slides_are_read_with_their_authors() -> None:
    slide = '<p:sld><p:cSld><p:spTree><p:graphicFrame><c:chart r:id="r0"/></p:graphicFrame></p:spTree></p:cSld></p:sld>'
    comments = '<p:cmLst><p:cm authorId="0"><p:text>Check this</p:text></p:cm></p:cmLst>'
    parts = {
        "ppt/presentation.xml": '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r0"/></p:sldIdLst></p:presentation>',
        "ppt/_rels/presentation.xml.rels": relations(("slide", "slides/s.xml"), ("commentAuthors", "authors.xml")),
        "ppt/authors.xml": '<p:cmAuthorLst><p:cmAuthor id="0" name="Ada"/></p:cmAuthorLst>',
        "ppt/slides/s.xml": slide,
        "ppt/slides/_rels/s.xml.rels": relations(("chart", "../charts/c.xml"), ("comments", "../comments/c.xml")),
        "ppt/charts/c.xml": f"<c:chartSpace>{CHART}</c:chartSpace>",
        "ppt/comments/c.xml": comments,
    }
    data = pack(CONTENT_TYPES | parts)
    assert list_rows(data) == ["Sales", " | North", "Q1 | 1,204.5", "Q2 | 88.0", "[Ada] Check this"]
    assert len(list(pptx_reader.read_blocks(io.BytesIO(data), LIMITS))) == 1
