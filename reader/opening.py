"""A file as a source of pages, by what it contains."""

import os
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from typing import Any, BinaryIO

from reader.bundles.parts import BundlePart
from reader.failures import OverLimit, Unreadable
from reader.kinds import BUNDLES, HEAD_BYTES, Kind, detect_kind
from reader.layout.source import LaidOutSource
from reader.pages import Limits, Source
from reader.pdf import attachments, damage, xfa
from reader.pdf.source import PdfSource
from reader.pictures.images import ImageSource
from reader.pictures.parts import check_parts
from reader.texts import TextSource

# By name: each brings libraries that a reader loads with the first file of its kind.
READERS: dict[Kind, str] = {
    "csv": "office.csv_text",
    "json": "markup.json_text",
    "yaml": "markup.yaml_text",
    "xml": "markup.xml_text",
    "html": "markup.html",
    "rtf": "markup.rtf",
    "docx": "office.docx",
    "pptx": "office.presentations.pptx",
    "xlsx": "office.xlsx",
    "xls": "office.xls",
    "ods": "office.ods",
    "odf": "office.odf",
    "eml": "bundles.eml",
    "msg": "bundles.msg",
    "zip": "bundles.archive",
    "tnef": "bundles.wrapped",
    "signed": "bundles.wrapped",
    "ics": "bundles.calendar",
}


def check_size(file: BinaryIO, limits: Limits) -> None:
    size = os.fstat(file.fileno()).st_size
    if size > limits.max_bytes:
        raise OverLimit(f"The file has {size / 1e6:.1f} MB; the limit is {limits.max_bytes / 1e6:.0f} MB.")


def open_source(file: BinaryIO, password: str | None, limits: Limits, *, as_lines: bool = False) -> tuple[Kind, Source]:
    check_size(file, limits)
    kind = "txt" if as_lines else find_kind(file)
    if kind in READERS:
        return kind, LaidOutSource(file, load_module(READERS[kind]).read_blocks, limits)
    if kind == "pdf":
        return kind, open_pdf(file, password, limits)
    if kind == "txt":
        return kind, TextSource(file, limits)
    return kind, open_picture(file, kind, limits)


def open_pdf(file: BinaryIO, password: str | None, limits: Limits) -> PdfSource | LaidOutSource:
    source = PdfSource(file, password, limits)
    if not source.is_placeholder or not xfa.list_data(source.document):
        return source
    with closing(source):
        return LaidOutSource(file, lambda *_: xfa.list_blocks(source.document), limits)


def open_picture(file: BinaryIO, kind: Kind, limits: Limits) -> ImageSource:
    if kind == "svg":
        drawn, gaps = load_module("markup.svg").rasterize(file)
        source = ImageSource(drawn, "png", limits)
        source.gaps += gaps
        return source
    if kind == "heic":
        load_module("pictures.heif")
    check_parts(file, kind)
    return ImageSource(file, kind, limits)


def find_kind(file: BinaryIO) -> Kind:
    head = file.read(HEAD_BYTES)
    kind = detect_kind(head)
    file.seek(0)
    if kind in ("zip", "ole"):
        kind = load_module("office.containers").find_kind(file, kind)
        file.seek(0)
    if kind == "txt" and damage.is_late_pdf(file):
        return "pdf"
    if kind == "txt" and load_module("office.csv_text").is_csv(head):
        return "csv"
    return kind


def open_bundle(file: BinaryIO, limits: Limits, password: str | None = None) -> Iterator[BundlePart]:
    """The files in it. Raises Unreadable for a kind that holds none."""
    check_size(file, limits)
    kind = find_kind(file)
    if kind == "pdf":
        return attachments.list_parts(file, limits, password)
    if kind not in BUNDLES:
        raise Unreadable("The file holds no other files.")
    parts: Iterator[BundlePart] = load_module(READERS[kind]).list_parts(file, limits)
    return parts


def load_module(name: str) -> Any:
    return import_module(f"reader.{name}")
