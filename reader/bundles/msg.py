"""Outlook messages (MSG, [MS-OXMSG]): an OLE file whose streams bear the numbers of properties."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import olefile

from reader.bundles import tnef
from reader.bundles.msg_properties import (
    BINARY,
    SENT,
    decode_property,
    describe_appointment,
    read_stream,
    read_text,
    read_times,
)
from reader.bundles.parts import BundlePart, list_attachments
from reader.bundles.plain_texts import ShownWords
from reader.encodings import decode_text
from reader.failures import Unreadable, make_damage_error
from reader.gaps import Gap
from reader.layout.blocks import Block, Heading, Note, Paragraph, PlainLine
from reader.markup import html, rtf
from reader.pages import Limits

SUBJECT, SENDER, SENDER_ADDRESS, TO, CC, BODY = "0037", "0C1A", "5D01", "0E04", "0E03", "1000"
HTML, RTF = "1013", "1009"
LONG_NAME, SHORT_NAME, CONTENT, CONTENT_ID = "3707", "3704", "3701", "3712"
MESSAGE_CLASS = "001A"
# Messages that are about a time and a place.
MEETINGS = ("IPM.Schedule.Meeting", "IPM.Appointment")
BROKEN = (OSError, ValueError, IndexError, TypeError, struct.error)


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block | Gap]:
    with open_message(file) as ole:
        yield from list_blocks(ole, limits.encoding)


def list_parts(file: BinaryIO, limits: Limits) -> Iterator[BundlePart]:
    with open_message(file) as ole:
        yield from list_attached(ole)


@contextmanager
def open_message(file: BinaryIO) -> Iterator[olefile.OleFileIO]:
    """Take what breaks while it is open for damage of the file, too."""
    try:
        with olefile.OleFileIO(file) as ole:
            yield ole
    except BROKEN as error:
        raise make_damage_error("it begins like an Outlook message, but is none") from error


def list_blocks(ole: olefile.OleFileIO, chosen: str) -> Iterator[Block | Gap]:
    yield Heading(read_text(ole, SUBJECT) or "(no subject)", 2)
    sender = f"{read_text(ole, SENDER)} {read_text(ole, SENDER_ADDRESS)}".strip()
    facts = {"From": sender, "To": read_text(ole, TO), "Cc": read_text(ole, CC), "Date": read_times(ole).get(SENT, "")}
    if read_text(ole, MESSAGE_CLASS).startswith(MEETINGS):
        facts |= describe_appointment(ole)
    yield from (Paragraph(f"{name}: {text}", address=name) for name, text in facts.items() if text)
    yield from list_text(ole, chosen)
    yield from list_attachments(list(list_attached(ole)))


def list_text(ole: olefile.OleFileIO, chosen: str) -> Iterator[Block | Gap]:
    """The best of the forms that the text has, and what only its plain one says."""
    page, plain = read_stream(ole, f"__substg1.0_{HTML}{BINARY}"), decode_property(ole, BODY)
    packed = b"" if page or plain.text else read_stream(ole, f"__substg1.0_{RTF}{BINARY}")
    if plain.guess and chosen:
        plain = decode_text(plain.text.encode(plain.guess, "replace"), chosen=chosen)
    yield from plain.list_gaps()
    if page:
        decoded, words = html.decode_html(page, chosen), ShownWords()
        yield from decoded.list_gaps()
        shown = html.list_blocks(decoded.text, lambda address: find_picture(ole, address))
        yield from words.collect(shown, decoded.text)
        yield from words.list_others(plain.text)
    elif plain.text:
        yield from (PlainLine(line) for line in plain.text.splitlines())
    elif packed:
        yield from rtf.list_blocks(tnef.unpack_rtf(packed).decode("latin-1"))
    else:
        yield Note("[This message holds no text.]")


def list_attached(ole: olefile.OleFileIO) -> Iterator[BundlePart]:
    for folder in sorted({path[0] for path in ole.listdir() if path[0].startswith("__attach")}):
        name = read_text(ole, LONG_NAME, folder) or read_text(ole, SHORT_NAME, folder) or "attachment"
        stream = f"{folder}/__substg1.0_{CONTENT}{BINARY}"
        if ole.exists(stream):
            data = read_stream(ole, stream)
            yield BundlePart(name, len(data), lambda data=data: data)  # type: ignore[misc]
        else:
            yield BundlePart(name, 0, refuse_message)


def find_picture(ole: olefile.OleFileIO, address: str) -> bytes:
    """An attachment that the text names by its content id."""
    folders = sorted({path[0] for path in ole.listdir() if path[0].startswith("__attach")})
    name = address[4:] if address[:4].lower() == "cid:" else ""
    folder = next((each for each in folders if name and read_text(ole, CONTENT_ID, each) == name), "")
    return read_stream(ole, f"{folder}/__substg1.0_{CONTENT}{BINARY}") if folder else b""


def refuse_message() -> bytes:
    raise Unreadable("It is a message or an object inside the message, which is not read.")
