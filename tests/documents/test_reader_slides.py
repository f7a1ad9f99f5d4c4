"""Slides look like slides: boxes at their places, on a page of the slide's size."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from reader.layout.blocks import Slide
from reader.layout.typesetter import Typesetter
from reader.office import odf
from reader.office.presentations import pptx
from reader.office.presentations.places import Area, Frame, read_frame
from reader.pages import Limits
from reader.words import Word
from tests.documents.laid_out import lay_out
from tests.documents.office_files import CONTENT_TYPES, open_document, pack, paragraph, relations

LIMITS = Limits(10_000_000, 20, 1_000_000)
POINT = 12_700


def area(x: float, y: float, width: float, height: float, name: str = "a:xfrm") -> str:
    """In points."""
    x, y, width, height = (round(each * POINT) for each in (x, y, width, height))
    return f'<{name}><a:off x="{x}" y="{y}"/><a:ext cx="{width}" cy="{height}"/></{name}>'


def box(text: str, place: str = "", *, kind: str = "", size: int = 1800) -> str:
    named = f'<p:ph type="{kind}"/>' if kind else ""
    run = f'<a:r><a:rPr sz="{size}"/><a:t>{text}</a:t></a:r>'
    return f"<p:sp><p:nvSpPr><p:nvPr>{named}</p:nvPr></p:nvSpPr><p:spPr>{place}</p:spPr><p:txBody><a:p>{run}</a:p></p:txBody></p:sp>"


def slide(shapes: str, *, layout: str = "", notes: str = "", picture: bytes = b"", size: str = "") -> bytes:
    """960 by 540 points."""
    others = {"layout": "slideLayout", "notes": "notesSlide", "picture": "image"}
    parts = {
        "ppt/slides/slide0.xml": f"<p:sld><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>",
        "ppt/slides/_rels/slide0.xml.rels": relations(*((kind, f"../{name}.xml") for name, kind in others.items())),
        "ppt/layout.xml": f"<p:sldLayout><p:cSld><p:spTree>{layout}</p:spTree></p:cSld></p:sldLayout>",
        "ppt/notes.xml": f"<p:notes><p:cSld><p:spTree>{notes}</p:spTree></p:cSld></p:notes>" if notes else "<p:notes/>",
        "ppt/picture.xml": picture,
    }
    extent = size or f'<p:sldSz cx="{960 * POINT}" cy="{540 * POINT}"/>'
    main = f'<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r0"/></p:sldIdLst>{extent}</p:presentation>'
    named = relations(("slide", "slides/slide0.xml"))
    return pack(CONTENT_TYPES | {"ppt/presentation.xml": main, "ppt/_rels/presentation.xml.rels": named} | parts)


def read(data: bytes) -> dict[str, Word]:
    return {word.text: word for word in lay_out(data).read(1, "text-layer").words}


def at(word: Word, source: tuple[float, float] = (960.0, 540.0)) -> tuple[int, int]:
    """Where it begins, in points."""
    return round(word.x0 * source[0]), round(word.y0 * source[1])


def test_a_box_stands_where_it_says_on_a_page_of_the_slides_size() -> None:
    data = slide(box("Left", area(100, 50, 300, 60)) + box("Right", area(600, 400, 300, 60)))
    assert lay_out(data).sizes == [(960.0, 540.0)]
    words = read(data)
    assert (at(words["Left"]), at(words["Right"])) == ((104, 52), (604, 402))


def test_what_has_no_place_has_that_of_its_layout_or_stands_below() -> None:
    layout = box("Click here", area(50, 30, 800, 80), kind="title")
    words = read(slide(box("Plan", kind="ctrTitle", size=4000) + box("lost"), layout=layout))
    assert at(words["Plan"])[0] == 54 and "Click" not in words
    source = lay_out(slide(box("Plan", kind="title") + box("lost"), layout=layout))
    assert source.sizes[0][1] > 540 and read(slide(box("a", area(0, 0, 90, 30)) + box("lost")))["lost"].y0 > 0.9


def test_places_inside_of_a_group_become_places_on_the_slide() -> None:
    inner = area(0, 0, 100, 100).replace("</a:xfrm>", '<a:chOff x="0" y="0"/><a:chExt cx="1270" cy="1270"/></a:xfrm>')
    shapes = f"<p:grpSp><p:grpSpPr>{inner}</p:grpSpPr>{box('in', area(0.05, 0.05, 0.05, 0.05))}</p:grpSp>"
    assert at(read(slide(shapes))["in"]) == (54, 52)
    assert read_frame(None, Frame(2, 2, 5, 5)).place(Area(1, 1, 1, 1)) == Area(7, 7, 2, 2)


def test_text_that_does_not_fit_is_set_smaller_then_goes_on_below() -> None:
    words = read(slide(box("word " * 60, area(100, 100, 200, 100))))
    assert words["word"].y1 - words["word"].y0 < 0.03
    source = lay_out(slide(box(" ".join(f"w{number}" for number in range(3000)), area(100, 100, 200, 100))))
    last = [word.text for number in range(1, len(source.sizes) + 1) for word in source.read(number, "text-layer").words]
    assert last == [f"w{number}" for number in range(3000)]


@pytest.mark.parametrize("place", [area(5000, 5000, 10, 10), area(-900, -900, 10, 10), area(0, 0, 99999, 99999)])
def test_what_stands_beside_the_slide_is_drawn_at_its_edge(place: str) -> None:
    word = read(slide(box("kept", place)))["kept"]
    assert 0 <= word.x0 < word.x1 <= 1 and 0 <= word.y0 < word.y1 <= 1


@pytest.mark.parametrize("size", ['<p:sldSz cx="1" cy="99999999999"/>', '<p:sldSz cx="x" cy=""/>', "<p:other/>"])
def test_a_slide_of_no_sensible_size_has_the_usual_one(size: str) -> None:
    assert lay_out(slide(box("x", area(0, 0, 90, 30)), size=size)).sizes == [(720.0, 540.0)]


def test_a_table_and_a_picture_stand_where_they_say_and_notes_below() -> None:
    cells = "".join(f"<a:tc>{paragraph(text).replace('w:', 'a:')}</a:tc>" for text in ("Item", "12.50"))
    table = f"<p:graphicFrame>{area(300, 200, 300, 40, 'p:xfrm')}<a:tbl><a:tr>{cells}</a:tr></a:tbl></p:graphicFrame>"
    drawn = io.BytesIO()
    Image.new("RGB", (40, 20), "black").save(drawn, "PNG")
    shown = f'<p:pic><p:blipFill><a:blip r:embed="r2"/></p:blipFill><p:spPr>{area(600, 300, 200, 100)}</p:spPr></p:pic>'
    data = slide(table + shown, notes=box("say this"), picture=drawn.getvalue())
    [page] = Typesetter(5).set(pptx.read_blocks(io.BytesIO(data), LIMITS))
    words = {word.text: word for word in page.words}
    assert (round(words["Item"].x), words["Item"].cell, words["12.50"].cell) == (305, "1.1.1", "1.1.2")
    assert [tuple(picture[:4]) for picture in page.pictures] == [(600.0, 300.0, 200.0, 100.0)]
    assert words["say"].y > 540 and page.height > 540


def test_slides_of_opendocument() -> None:
    layout = (
        '<style:page-layout style:name="L"><style:page-layout-properties fo:page-width="20cm" fo:page-height="10cm"/>'
        "</style:page-layout>"
    )
    frame = '<draw:frame svg:x="{}cm" svg:y="{}cm" svg:width="8cm" svg:height="3cm"{}><draw:text-box>{}</draw:text-box></draw:frame>'
    shapes = frame.format(1, 1, ' presentation:class="title"', "<text:p>Plan</text:p>")
    shapes += f"<draw:g>{frame.format(11, 6, '', '<text:list><text:list-item><text:p>first</text:p></text:list-item></text:list>')}</draw:g>"
    notes = "<presentation:notes><draw:frame><draw:text-box><text:p>say this</text:p></draw:text-box></draw:frame></presentation:notes>"
    page = f'<draw:page draw:master-page-name="M">{shapes}{notes}</draw:page>'
    master = '<style:master-page style:name="M" style:page-layout-name="L"/>'
    data = open_document("presentation", page, margins=f"{layout}{master}")
    [block] = odf.read_blocks(io.BytesIO(data), LIMITS)
    assert isinstance(block, Slide) and (round(block.width), round(block.height)) == (567, 283)
    source = lay_out(data)
    words = {word.text: word for word in source.read(1, "text-layer").words}
    assert list(words) == ["Plan", "first", "say", "this"]
    width = source.sizes[0][0]
    assert (round(words["Plan"].x0 * width), round(words["first"].x0 * width)) == (32, 316)
