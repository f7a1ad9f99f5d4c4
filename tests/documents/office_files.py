"""Small office files, made part by part."""

import io
import zipfile
from collections.abc import Mapping

import openpyxl

RELATIONS = '<Relationships xmlns="r">{}</Relationships>'
RELATION = '<Relationship Id="r{}" Type="http://x/{}" Target="{}"/>'
CONTENT_TYPES = {"[Content_Types].xml": "<Types/>"}


def pack(parts: Mapping[str, str | bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return data.getvalue()


def relations(*pairs: tuple[str, str]) -> str:
    return RELATIONS.format("".join(RELATION.format(at, kind, target) for at, (kind, target) in enumerate(pairs)))


def docx(body: str, **others: str) -> bytes:
    """others: parts beside the document by their kind, such as `header` or `footnotes`."""
    parts = {f"word/{kind}1.xml": f"<w:{kind}>{content}</w:{kind}>" for kind, content in others.items()}
    named = relations(*((kind, f"{kind}1.xml") for kind in others))
    main = f"<w:document><w:body>{body}</w:body></w:document>"
    return pack(CONTENT_TYPES | {"word/document.xml": main, "word/_rels/document.xml.rels": named} | parts)


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def cell(text: str, properties: str = "") -> str:
    """Of a table of DOCX."""
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"


def pptx(*slides: str) -> bytes:
    ids = "".join(f'<p:sldId id="{256 + at}" r:id="r{at}"/>' for at in range(len(slides)))
    named = relations(*(("slide", f"slides/slide{at}.xml") for at in range(len(slides))))
    parts = {
        f"ppt/slides/slide{at}.xml": f"<p:sld><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
        for at, shapes in enumerate(slides)
    }
    main = f"<p:presentation><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"
    return pack(CONTENT_TYPES | {"ppt/presentation.xml": main, "ppt/_rels/presentation.xml.rels": named} | parts)


def shape(text: str, kind: str = "body") -> str:
    place = f'<p:nvSpPr><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr>'
    return f"<p:sp>{place}<p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"


def open_document(kind: str, body: str, styles: str = "", margins: str = "") -> bytes:
    content = (
        f"<office:document-content><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    )
    masters = f"<office:document-styles><office:master-styles>{margins}</office:master-styles></office:document-styles>"
    media_type = f"application/vnd.oasis.opendocument.{kind}"
    return pack({"mimetype": media_type, "content.xml": content, "styles.xml": masters})


def xlsx(rows: list[list[object]], *, formats: Mapping[str, str] | None = None, hidden: str = "") -> bytes:
    """formats: number formats by cell. hidden: the text of a sheet nobody sees."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Costs 2026"
    for row in rows:
        sheet.append(row)
    for cell, number_format in (formats or {}).items():
        sheet[cell].number_format = number_format
    if hidden:
        other = book.create_sheet("Notes")
        other["C4"], other.sheet_state = hidden, "hidden"
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def add_parts(data: bytes, parts: Mapping[str, str | bytes]) -> bytes:
    """Some more, or in place of those that are there."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return pack({name: archive.read(name) for name in archive.namelist()} | parts)
