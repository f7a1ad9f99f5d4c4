"""Files that only wrap others: Outlook's winmail.dat, and signed files such as the e-invoices of Italy."""

from collections.abc import Iterator
from typing import BinaryIO

from reader.bundles import cms, tnef
from reader.bundles.mail_parts import find_extension
from reader.bundles.parts import BundlePart, make_listing
from reader.encodings import decode_text
from reader.failures import Unreadable
from reader.gaps import Gap
from reader.layout.blocks import Block, Heading, PlainLine
from reader.markup import html, rtf
from reader.markup.plain_lines import list_lines
from reader.pages import Limits

CUT = "The file breaks off: as much of its text and files as is there was taken. Ask for it again."
SIGNED_FILE = "The signed file"


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block | Gap]:
    data = file.read()
    if data.startswith(tnef.SIGNATURE):
        mail = tnef.unpack(data)
        yield from list_text(mail, limits.encoding)
        if mail.is_cut:
            yield Gap("attachment", CUT)
    parts = list_inside(data)
    if parts:
        yield Heading("Files in it", 3)
        yield make_listing(parts)


def list_parts(file: BinaryIO, limits: Limits) -> Iterator[BundlePart]:
    return iter(list_inside(file.read()))


def list_inside(data: bytes) -> list[BundlePart]:
    if data.startswith(tnef.SIGNATURE):
        return [make_part(file.name, file.data) for file in tnef.unpack(data).files]
    return [make_part(SIGNED_FILE, cms.unpack_content(data))]


def make_part(name: str, data: bytes) -> BundlePart:
    if "." not in name:
        try:
            name = f"{name or 'attachment'}.{find_extension(data, '')}"
        except Unreadable:
            name = name or "attachment"
    return BundlePart(name, len(data), lambda: data)


def list_text(mail: tnef.PackedMail, chosen: str) -> Iterator[Block | Gap]:
    """The best of the forms that the text has."""
    if mail.html:
        decoded = html.decode_html(mail.html, chosen)
        yield from decoded.list_gaps()
        yield from html.list_blocks(decoded.text)
    elif mail.text:
        decoded = decode_text(mail.text, chosen=chosen)
        yield from decoded.list_gaps()
        yield from list_lines(decoded.text)
    elif mail.rtf:
        yield from rtf.list_blocks(mail.rtf.decode("latin-1"))
    elif not mail.files:
        yield PlainLine("It holds neither text nor files.")
