"""The reader's requests: inspect, read, render, pdf, parts, cut."""

import io
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import BinaryIO, cast

from PIL import Image

from kit.json_types import Json, JsonObject
from reader.bundles.parts import BundlePart
from reader.failures import Unreadable
from reader.frames import (
    CutRequest,
    EngineChoice,
    FailureReply,
    InspectReply,
    PageReply,
    PartReply,
    PartsReply,
    PartsRequest,
    PdfReply,
    ReadReply,
    ReadRequest,
    RenderReply,
    RenderRequest,
    Request,
    Rotation,
    TextRequest,
)
from reader.gaps import limit_gaps
from reader.kinds import BUNDLES, Kind
from reader.ocr.recognition import rotate_picture
from reader.opening import open_bundle, open_source
from reader.pages import Limits, PageWords, Source
from reader.pdf.attachments import look_for_files
from reader.pdf.source import PdfSource
from reader.pdf.writer import PICTURES, make_pdf
from reader.sandbox.limits import budget

Reply = tuple[InspectReply | ReadReply | RenderReply | PdfReply | PartsReply | FailureReply, bytes]
FORMATS: dict[str, dict[str, int]] = {
    "webp": {"quality": 80, "method": 2},
    "jpeg": {"quality": 85},
    "png": {"compress_level": 4},
}
MAX_WIDTH = 6000
# WebP ends at 16,383.
MAX_SIDE = 16_000
# In one answer. The longest page alone has half as many.
MAX_WORDS = 100_000
MAX_PARTS = 100
# Bounds the files inside a file in one answer; one alone may be larger.
PARTS_BYTES = 20_000_000
# For the pictures of all pages.
PDF_SECONDS = 60


def answer(request: JsonObject, descriptor: int) -> Reply:
    """descriptor: of the file. Raises Unreadable; KeyError or TypeError for what the parent should not have sent."""
    budget.start()
    with open(descriptor, "rb", closefd=False) as file:
        return REQUESTS[request["do"]](request, file)


def inspect(request: Request, file: BinaryIO) -> Reply:
    with open_request(request, file) as (kind, source):
        has_parts, gaps = kind in BUNDLES, source.gaps
        if kind == "pdf":
            has_parts, more = look_for_files(file, request["password"], make_limits(request))
            gaps = [*gaps, *more]
        return {"kind": kind, "sizes": source.sizes, "gaps": limit_gaps(gaps), "has_parts": has_parts}, b""


def read(request: ReadRequest, file: BinaryIO) -> Reply:
    with open_request(request, file) as (_, source):
        numbers = [check_page(source, number) for number in request["pages"]]
        return {"pages": [read_page(source, number, request["engine"]) for number in numbers]}, b""


def read_page(source: Source, number: int, engine: EngineChoice) -> PageReply:
    budget.start_page()
    return make_reply(source.read(number, engine))


def read_text(request: TextRequest, file: BinaryIO) -> Reply:
    """The first of the pages, and those after it for which there is time. No page is recognized here."""
    latest = time.process_time() + request["milliseconds"] / 1000
    with open_request(request, file) as (_, source):
        pages: list[PageReply] = []
        for number in request["pages"]:
            pages.append(read_text_page(source, check_page(source, number), request["engine"]))
            if time.process_time() >= latest or sum(len(page["words"]) for page in pages) >= MAX_WORDS:
                break
        return {"pages": pages}, b""


def read_text_page(source: Source, number: int, engine: EngineChoice) -> PageReply:
    budget.start_page()
    page = source.read_text(number, engine)
    return make_reply(page or PageWords(number, *source.sizes[number - 1], 0, "", 0, []))


def make_reply(page: PageWords) -> PageReply:
    return {
        "number": page.number,
        "width": page.width,
        "height": page.height,
        "rotation": cast(Rotation, page.rotation),
        "engine": page.engine,
        "confidence": page.confidence,
        "illegible": page.illegible,
        "fault": page.fault,
        "gaps": limit_gaps(page.gaps),
        "words": page.words,
    }


def render(request: RenderRequest, file: BinaryIO) -> Reply:
    with open_request(request, file) as (_, source):
        budget.allow_drawing()
        picture = draw(source, request)
    data = io.BytesIO()
    picture.save(data, request["format"], **FORMATS[request["format"]])
    return {"width": picture.width, "height": picture.height}, data.getvalue()


def make_pdf_reply(request: Request, file: BinaryIO) -> Reply:
    with open_request(request, file) as (kind, source):
        budget.start_page(PDF_SECONDS)
        budget.allow_drawing()
        if kind == "pdf":
            file.seek(0)
            return {"pages": len(source.sizes)}, file.read()
        return {"pages": len(source.sizes)}, make_pdf(kind, source)


def cut_pages(request: CutRequest, file: BinaryIO) -> Reply:
    """Some pages as a PDF: those of a PDF as they are, those of a picture file as pictures."""
    with open_request(request, file) as (kind, source):
        first, last = check_page(source, request["first"]), check_page(source, request["last"])
        budget.start_page(PDF_SECONDS)
        budget.allow_drawing()
        numbers = range(first, last + 1)
        if isinstance(source, PdfSource):
            return {"pages": len(numbers)}, source.copy_pages(numbers)
        if kind not in PICTURES:
            raise Unreadable("Only a PDF or a file of pictures can be split.")
        return {"pages": len(numbers)}, make_pdf(kind, source, numbers)


def draw(source: Source, request: RenderRequest) -> Image.Image:
    """The page, upright after the given turn, in the given width."""
    number, rotation = check_page(source, request["page"]), request["rotation"]
    width, height = source.sizes[number - 1]
    target = min(max(1, request["width"]), MAX_WIDTH)
    before = target if rotation in (0, 180) else max(1, round(target * width / height))
    allowed = int(min((request["max_pixels"] * width / height) ** 0.5, MAX_SIDE * width / height, MAX_SIDE))
    return rotate_picture(source.draw(number, max(1, min(before, allowed))), rotation)


def list_parts(request: PartsRequest, file: BinaryIO) -> Reply:
    """List the parts from `first` on, as many as fit into an answer."""
    replies: list[PartReply] = []
    body = bytearray()
    for part in islice(open_bundle(file, make_limits(request), request["password"]), request["first"], None):
        if len(replies) == MAX_PARTS or len(body) >= PARTS_BYTES:
            return {"parts": replies, "is_last": False}, bytes(body)
        data, reason = load_part(part)
        replies.append({"name": part.name, "size": len(data), "reason": reason})
        body += data
    return {"parts": replies, "is_last": True}, bytes(body)


def load_part(part: BundlePart) -> tuple[bytes, str]:
    try:
        return part.load(), ""
    except Unreadable as error:
        return b"", error.sentence


def make_limits(request: Request) -> Limits:
    return Limits(request["max_bytes"], request["max_pages"], request["max_pixels"], request.get("encoding", ""))


@contextmanager
def open_request(request: Request, file: BinaryIO) -> Iterator[tuple[Kind, Source]]:
    kind, source = open_source(file, request["password"], make_limits(request), as_lines=request.get("as_lines", False))
    try:
        yield kind, source
    finally:
        source.close()


def check_page(source: Source, number: int) -> int:
    if not 1 <= number <= len(source.sizes):
        raise Unreadable(f"The file has no page {number}; it has {len(source.sizes)}.")
    return number


REQUESTS: dict[str, Callable[[Json, BinaryIO], Reply]] = {
    "inspect": inspect,
    "read": read,
    "read_text": read_text,
    "render": render,
    "pdf": make_pdf_reply,
    "parts": list_parts,
    "cut": cut_pages,
}
