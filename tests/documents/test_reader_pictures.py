"""Pictures inside of office files, web pages and mails: drawn on the page, and read where they are drawn."""

import base64
import io
import zipfile
from email.message import EmailMessage

import pytest
from PIL import Image, ImageDraw

from reader.layout import pictures
from reader.layout.fonts import load_font
from reader.layout.source import LaidOutSource
from reader.markup import html
from reader.words import join_text
from tests.documents.laid_out import lay_out
from tests.documents.mails import OleFile
from tests.documents.office_files import CONTENT_TYPES, open_document, pack, paragraph, relations, shape, xlsx

TEXT = "IBAN DE89 3704 0044"


def draw_png(size: tuple[int, int] = (300, 40), text: str = TEXT) -> bytes:
    picture, data = Image.new("RGB", size, "white"), io.BytesIO()
    ImageDraw.Draw(picture).text((8, 6), text, "black", load_font("regular", 22))
    picture.save(data, "PNG")
    return data.getvalue()


PNG = draw_png()
BLIP = '<a:blip r:embed="r0"/>'


def add_parts(data: bytes, parts: dict[str, bytes]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return pack({name: archive.read(name) for name in archive.namelist()} | parts)


def make_docx(body: str, picture: bytes = PNG) -> bytes:
    parts = {"word/document.xml": f"<w:document><w:body>{body}</w:body></w:document>", "word/media/a.png": picture}
    return pack(CONTENT_TYPES | parts | {"word/_rels/document.xml.rels": relations(("image", "media/a.png"))})


def make_pptx() -> bytes:
    slide = f"<p:sld><p:cSld><p:spTree>{shape('Plan', 'title')}<p:pic>{BLIP}</p:pic></p:spTree></p:cSld></p:sld>"
    main = '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r0"/></p:sldIdLst></p:presentation>'
    named = {"ppt/_rels/presentation.xml.rels": relations(("slide", "slides/slide0.xml"))}
    shown = {"ppt/slides/_rels/slide0.xml.rels": relations(("image", "../media/a.png")), "ppt/media/a.png": PNG}
    return pack(CONTENT_TYPES | {"ppt/presentation.xml": main, "ppt/slides/slide0.xml": slide} | named | shown)


def make_odt() -> bytes:
    frame = '<text:p>Plan<draw:frame><draw:image xlink:href="./Pictures/a.png"/></draw:frame></text:p>'
    return add_parts(open_document("text", frame), {"Pictures/a.png": PNG})


def make_ods() -> bytes:
    cell = "<table:table-cell><text:p>Plan</text:p></table:table-cell>"
    table = f'<table:table table:name="A"><table:table-row>{cell}</table:table-row></table:table>'
    return add_parts(open_document("spreadsheet", table), {"Pictures/a.png": PNG})


def make_html() -> bytes:
    return f"<html><p>Plan</p><img src='data:image/png;base64,{base64.b64encode(PNG).decode()}'></html>".encode()


def make_mail(text: str = "<p>Plan</p><table><tr><td><img src='cid:logo@x'></td></tr></table>") -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = "a@example.com", "b@example.com", "<1@example.com>"
    mail.set_content(text, subtype="html")
    mail.add_related(PNG, maintype="image", subtype="png", cid="<logo@x>")
    return mail.as_bytes()


def make_message() -> bytes:
    """An Outlook one."""
    ole = OleFile()
    ole.add_entry("Root Entry", 5, child=1)
    ole.add_entry("__properties_version1.0", 2, right=2, data=bytes(48))
    ole.add_entry("__substg1.0_10130102", 2, right=3, data=b"<html><p>Plan</p><img src='cid:logo@x'></html>")
    ole.add_entry("__attach_version1.0_#00000000", 1, child=4)
    ole.add_entry("__substg1.0_37010102", 2, right=5, data=PNG)
    ole.add_entry("__substg1.0_3712001F", 2, data="logo@x".encode("utf-16-le"))
    return ole.pack()


KINDS = {
    "docx": lambda: make_docx(paragraph("Plan") + f"<w:p><w:r><w:drawing>{BLIP}</w:drawing></w:r></w:p>"),
    "pptx": make_pptx,
    "xlsx": lambda: add_parts(xlsx([["Plan"]]), {"xl/media/image1.png": PNG}),
    "odt": make_odt,
    "ods": make_ods,
    "html": make_html,
    "eml": make_mail,
    "eml without its place": lambda: make_mail("<p>Plan</p>"),
    "msg": make_message,
}


def find_ink(source: LaidOutSource) -> tuple[float, float]:
    """The places of the first dark pixel of the picture, in fractions."""
    [placed] = source.pages[0].pictures
    return placed.x / source.pages[0].width, placed.y / source.pages[0].height


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_picture_says_is_in_the_text_where_it_is_drawn(kind: str) -> None:
    source = lay_out(KINDS[kind]())
    first = source.read_text(1, "auto")
    assert first and first.engine == "" and "Plan" in join_text(first.words) and "IBAN" not in join_text(first.words)
    page = source.read(1, "auto")
    assert page.engine == "layout+rapidocr" and TEXT.replace(" ", "") in join_text(page.words).replace(" ", "")
    left, top = find_ink(source)
    first_word = next(word for word in page.words if "IBAN" in word.text)
    assert left < first_word.x0 < left + 0.05 and top < first_word.y0 < first_word.y1 < top + 0.05
    drawn = source.draw(1, 595).convert("L")
    width, height = drawn.size
    edges = first_word.x0 * width, first_word.y0 * height, first_word.x1 * width, first_word.y1 * height
    assert drawn.crop([round(edge) for edge in edges]).getextrema()[0] < 100


def test_the_text_alone_waits_for_no_picture() -> None:
    page = lay_out(make_html()).read_text(1, "text-layer")
    assert page and (page.engine, join_text(page.words)) == ("layout", "Plan")


def test_a_picture_in_a_box_or_a_cell_is_shown_once() -> None:
    run = f"<w:p><w:r><w:drawing>{BLIP}</w:drawing></w:r></w:p>"
    box = f"<w:p><w:r><w:drawing><w:txbxContent>{run}</w:txbxContent></w:drawing></w:r></w:p>"
    table = f"<w:tbl><w:tr><w:tc>{run}</w:tc></w:tr></w:tbl>"
    assert [len(lay_out(make_docx(part)).pages[0].pictures) for part in (run, box, table)] == [1, 1, 1]


@pytest.mark.parametrize("picture", [b"\x01\0\0\0 a drawing for Windows", PNG[:30], b"<svg/>"], ids=str)
def test_what_cannot_be_drawn_is_a_note(picture: bytes) -> None:
    source = lay_out(make_docx(paragraph("Plan") + f"<w:p><w:r>{BLIP}</w:r></w:p>", picture))
    assert not source.pages[0].pictures and source.pages[0].words[-1].text == "[picture]"
    assert join_text(source.read(1, "auto").words) == "Plan"


def test_one_that_breaks_off_costs_nothing_else() -> None:
    source = lay_out(make_docx(paragraph("Plan") + f"<w:p><w:r>{BLIP}</w:r></w:p>", PNG[:-60]))
    assert join_text(source.read(1, "auto").words) == "Plan" and source.draw(1, 200).size == (200, 283)


def test_a_pixel_that_counts_readers_is_not_set() -> None:
    source = lay_out(make_docx(paragraph("Plan") + f"<w:p><w:r>{BLIP}</w:r></w:p>", draw_png((1, 1), "")))
    assert not source.pages[0].pictures and [word.text for word in source.pages[0].words] == ["Plan"]


def test_large_ones_fit_on_the_page_and_small_ones_keep_their_size() -> None:
    assert pictures.measure_picture(draw_png((3000, 600))) == (499, pytest.approx(99.8))
    assert pictures.measure_picture(draw_png((100, 4000))) == (12.5, 500)
    assert pictures.measure_picture(draw_png((80, 40))) == (60, 30)


def test_nothing_is_fetched_for_a_picture() -> None:
    text = "<p>Plan</p><img src='http://example.com/a.png' alt='logo'><img src='file:///etc/passwd'>"
    assert [type(block).__name__ for block in html.list_blocks(text)] == ["Paragraph", "Note"]


def test_all_pictures_of_a_page_together_are_bounded() -> None:
    blocks = html.list_blocks("<img src='cid:a'>" * 50, lambda address: bytes(1_000_000))
    assert sum(type(block).__name__ == "Picture" for block in blocks) == 40
