"""Outlook messages (MSG, [MS-OXMSG]): an OLE file whose streams bear the numbers of properties."""

import datetime
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import olefile

from documents.backends.reader.bundles.parts import Part, list_attachments
from documents.backends.reader.bundles.plain_texts import ShownWords
from documents.backends.reader.failures import Unreadable, make_damage_error
from documents.backends.reader.layout.blocks import Block, Heading, Line, Note, Paragraph
from documents.backends.reader.markup import html
from documents.backends.reader.pages import Limits

SUBJECT, SENDER, SENDER_ADDRESS, TO, CC, BODY, HTML = "0037", "0C1A", "5D01", "0E04", "0E03", "1000", "1013"
LONG_NAME, SHORT_NAME, CONTENT, CONTENT_ID = "3707", "3704", "3701", "3712"
UNICODE, ANSI, BINARY = "001F", "001E", "0102"
SENT = 0x00390040
# Of the first part of a message's fixed properties.
HEAD_BYTES, PROPERTY_BYTES = 32, 16
EPOCH = datetime.datetime(1601, 1, 1, tzinfo=datetime.UTC)
BROKEN = (OSError, ValueError, IndexError, TypeError, struct.error)


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block]:
    with open_message(file) as ole:
        yield from list_blocks(ole)


def list_parts(file: BinaryIO, limits: Limits) -> Iterator[Part]:
    with open_message(file) as ole:
        yield from list_attached(ole)


@contextmanager
def open_message(file: BinaryIO) -> Iterator[olefile.OleFileIO]:
    """What breaks while it is open is damage of the file, too."""
    try:
        with olefile.OleFileIO(file) as ole:
            yield ole
    except BROKEN as error:
        raise make_damage_error("it begins like an Outlook message, but is none") from error


def list_blocks(ole: olefile.OleFileIO) -> Iterator[Block]:
    yield Heading(read_text(ole, SUBJECT) or "(no subject)", 2)
    sender = f"{read_text(ole, SENDER)} {read_text(ole, SENDER_ADDRESS)}".strip()
    facts = {"From": sender, "To": read_text(ole, TO), "Cc": read_text(ole, CC), "Date": read_time_sent(ole)}
    yield from (Paragraph(f"{name}: {text}", address=name) for name, text in facts.items() if text)
    page, text = read_stream(ole, f"__substg1.0_{HTML}{BINARY}"), read_text(ole, BODY)
    if page:
        words, shown = ShownWords(), html.decode_html(page)
        yield from words.collect(html.list_blocks(shown, lambda address: find_picture(ole, address)), shown)
        yield from words.list_others(text)
    elif text:
        yield from (Line(line) for line in text.splitlines())
    else:
        yield Note("[The text of this message is in a form that is not read. Save the message as EML or PDF.]")
    yield from list_attachments(list(list_attached(ole)))


def list_attached(ole: olefile.OleFileIO) -> Iterator[Part]:
    for folder in sorted({path[0] for path in ole.listdir() if path[0].startswith("__attach")}):
        name = read_text(ole, LONG_NAME, folder) or read_text(ole, SHORT_NAME, folder) or "attachment"
        stream = f"{folder}/__substg1.0_{CONTENT}{BINARY}"
        if ole.exists(stream):
            data = read_stream(ole, stream)
            yield Part(name, len(data), lambda data=data: data)  # type: ignore[misc]
        else:
            yield Part(name, 0, refuse_message)


def find_picture(ole: olefile.OleFileIO, address: str) -> bytes:
    """An attachment that the text names by its content id."""
    folders = sorted({path[0] for path in ole.listdir() if path[0].startswith("__attach")})
    name = address[4:] if address[:4].lower() == "cid:" else ""
    folder = next((each for each in folders if name and read_text(ole, CONTENT_ID, each) == name), "")
    return read_stream(ole, f"{folder}/__substg1.0_{CONTENT}{BINARY}") if folder else b""


def refuse_message() -> bytes:
    raise Unreadable("It is a message or an object inside the message, which is not read.")


def read_text(ole: olefile.OleFileIO, number: str, folder: str = "") -> str:
    start = f"{folder}/" if folder else ""
    if data := read_stream(ole, f"{start}__substg1.0_{number}{UNICODE}"):
        return data.decode("utf-16-le", "replace").strip("\0 ")
    return read_stream(ole, f"{start}__substg1.0_{number}{ANSI}").decode("cp1252", "replace").strip("\0 ")


def read_stream(ole: olefile.OleFileIO, name: str) -> bytes:
    if not ole.exists(name):
        return b""
    with ole.openstream(name) as stream:
        data: bytes = stream.read()
    return data


def read_time_sent(ole: olefile.OleFileIO) -> str:
    """In UTC; empty for a draft."""
    properties = read_stream(ole, "__properties_version1.0")
    for at in range(HEAD_BYTES, len(properties) - PROPERTY_BYTES + 1, PROPERTY_BYTES):
        tag, _, ticks = struct.unpack_from("<IIQ", properties, at)
        if tag == SENT and ticks < 1 << 60:
            return (EPOCH + datetime.timedelta(microseconds=ticks // 10)).strftime("%Y-%m-%d %H:%M UTC")
    return ""
