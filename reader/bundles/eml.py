"""Mails (RFC 5322, MIME): who wrote what to whom, the text, and the attachments."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from itertools import count
from typing import BinaryIO
from urllib.parse import unquote

from reader.bundles import cms, invitations
from reader.bundles.mail_parts import (
    LONG_HEADER,
    MAX_HEADER,
    complete_name,
    is_cut,
    is_packed,
    load,
    read_header,
    read_name,
)
from reader.bundles.parts import BundlePart, list_attachments
from reader.bundles.plain_texts import ShownWords
from reader.bundles.unwrapping import unwrap
from reader.encodings import DecodedText, decode_text
from reader.failures import OverLimit
from reader.gaps import Gap
from reader.layout.blocks import Block, Heading, Paragraph, Picture, PlainLine
from reader.markup import html, rtf
from reader.pages import Limits

HEADERS = ("From", "To", "Cc", "Bcc", "Date", "Reply-To")
MAX_PARTS = 20_000
UNNAMED = "attachment"
OTHER_BODIES = ("text/calendar", "text/enriched", "text/richtext")
TAG = re.compile(r"<[^<>]{0,100}>")
BODIES = ("text/plain", "text/html", "text/rtf")
# Other forms of a text, its looks, what a program reads, and the signature beside a signed mail.
NO_FILES = frozenset(
    ("text/calendar", "text/x-amp-html", "text/watch-html", "text/enriched", "text/css", "text/richtext")
)
NO_FILES |= frozenset(("text/rfc822-headers", "application/pgp-signature", "application/pkcs7-signature"))
NO_FILES |= frozenset(("application/x-pkcs7-signature", "message/delivery-status", *BODIES))
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".svg")
CUT = "“{}” arrived cut short: as much as is there was taken. Ask for it again."
CUT_HEADER = "“{}” has more than {:,} letters; the rest of it is left out."
TOO_DEEP = "The mail has more parts inside of parts than are followed."


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block | Gap]:
    mail = parse(file.read())
    yield from unwrap(mail, parse)
    subject = read_header(mail, "Subject")
    yield Heading(subject.text or "(no subject)", 2)
    yield from subject.list_gaps()
    for name in HEADERS:
        header = read_header(mail, name)
        yield from header.list_gaps()
        if header.text:
            yield Paragraph(f"{name}: {header.text}", address=name)
        if header.text.endswith(LONG_HEADER):
            yield Gap("attachment", CUT_HEADER.format(name, MAX_HEADER), None, name)
    pictures = ShownPictures(mail)
    yield from list_bodies(choose_bodies(mail), pictures, limits.encoding)
    yield from pictures.list_others()
    yield from (
        Gap("attachment", CUT.format(read_name(part)), None, read_name(part)) for part in mail.walk() if is_cut(part)
    )
    yield from list_attachments(list(list_parts_of(mail)))


def list_parts(file: BinaryIO, limits: Limits) -> Iterator[BundlePart]:
    mail = parse(file.read())
    unwrap(mail, parse)
    return list_parts_of(mail)


def parse(data: bytes) -> Message:
    numbers = count()

    def add_part() -> Message:
        if next(numbers) > MAX_PARTS:
            raise OverLimit(f"The mail consists of more than {MAX_PARTS:,} parts.")
        return Message()

    try:
        return message_from_bytes(data, add_part)
    except RecursionError:
        raise OverLimit(TOO_DEEP) from None


@dataclass
class Bodies:
    """left_out: other forms of what is shown, and invitations."""

    shown: list[Message] = field(default_factory=list)
    left_out: list[Message] = field(default_factory=list)

    def add(self, other: "Bodies") -> None:
        self.shown += other.shown
        self.left_out += other.left_out

    @property
    def is_page(self) -> bool:
        return any(part.get_content_type() == "text/html" for part in self.shown)


def choose_bodies(mail: Message) -> Bodies:
    """Choose the form with tables and headings among several of one text."""
    bodies = Bodies()
    if isinstance(mail.get_payload(), str) and mail.get_content_maintype() == "multipart":
        # Its parts cannot be told apart, so that it is a text.
        bodies.shown.append(mail)
    elif mail.get_content_maintype() == "multipart":
        forms = [choose_bodies(part) for part in list_children(mail)]
        best = choose_form(forms) if mail.get_content_type() == "multipart/alternative" else None
        for form in forms:
            bodies.add(Bodies([], form.shown + form.left_out) if best and form is not best else form)
    elif mail.get_content_type() in BODIES and not is_attachment(mail):
        bodies.shown.append(mail)
    elif mail.get_content_type() in OTHER_BODIES and not is_attachment(mail):
        bodies.left_out.append(mail)
    return bodies


def choose_form(forms: list[Bodies]) -> Bodies | None:
    """The last one is the best that its sender could make (RFC 2046, 5.1.4)."""
    pages = [form for form in forms if form.is_page]
    return pages[-1] if pages else next((form for form in forms if form.shown), None)


def list_children(mail: Message) -> list[Message]:
    payload = mail.get_payload()
    return [part for part in payload if isinstance(part, Message)] if isinstance(payload, list) else []


def is_attachment(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or bool(part.get_filename())


class ShownPictures:
    """Pictures that a mail brings along for its text, which names them by their Content-ID (RFC 2392)."""

    def __init__(self, mail: Message) -> None:
        parts = [part for part in mail.walk() if is_picture(part) and is_shown_in_text(part)]
        self.parts = {str(part["Content-ID"] or part["Content-Location"]).strip().strip("<>"): part for part in parts}
        self.places = {str(part["Content-Location"]): name for name, part in self.parts.items()}
        self.used: set[str] = set()

    def find(self, address: str) -> bytes:
        name = unquote(address[4:]) if address[:4].lower() == "cid:" else self.places.get(address, "")
        self.used.add(name)
        return load(self.parts[name]) if name in self.parts else b""

    def list_others(self) -> Iterator[Block]:
        """List pictures that no text names, or only one that is not shown."""
        return (Picture(load(part)) for name, part in self.parts.items() if name not in self.used)


def list_bodies(bodies: Bodies, pictures: ShownPictures, chosen: str) -> Iterator[Block | Gap]:
    words = ShownWords()
    for body in bodies.shown:
        decoded = decode_body(body, chosen)
        yield from decoded.list_gaps()
        yield from words.collect(list_body(body, decoded.text, pictures), decoded.text)
    for body in bodies.left_out:
        decoded = decode_body(body, chosen)
        if body.get_content_type() == "text/plain":
            yield from words.list_others(decoded.text)
        elif body.get_content_type() == "text/calendar":
            yield from invitations.list_blocks(decoded.text)
        elif body.get_content_type() in OTHER_BODIES:
            yield from words.list_others(TAG.sub("", decoded.text))


def list_body(body: Message, text: str, pictures: ShownPictures) -> Iterator[Block | Gap]:
    if body.get_content_type() == "text/html":
        return html.list_blocks(text, pictures.find)
    if body.get_content_type() == "text/rtf":
        return rtf.list_blocks(text)
    return (PlainLine(line) for line in text.splitlines())


def decode_body(body: Message, chosen: str) -> DecodedText:
    """A person's choice counts where the mail itself says nothing that can be true."""
    data, declared = load(body), body.get_content_charset() or ""
    is_page = body.get_content_type() == "text/html"
    decoded = html.decode_html(data) if is_page and not declared else decode_text(data, declared=declared)
    return decode_text(data, chosen=chosen) if decoded.guess and chosen else decoded


def list_parts_of(mail: Message) -> Iterator[BundlePart]:
    unnamed = count(1)
    for part in list_files(mail):
        if part.get_content_type() == "message/rfc822":
            yield from (make_mail_part(inner) for inner in list_children(part))
        else:
            yield make_part(part, read_name(part) or f"{UNNAMED}-{next(unnamed)}")


def list_files(mail: Message) -> Iterator[Message]:
    """List the attachments. Pictures that the text shows in their place belong to the text."""
    if mail.get_content_maintype() == "multipart":
        for child in list_children(mail):
            yield from list_files(child)
    elif mail.get_content_type() == "message/rfc822" or is_file(mail):
        yield mail


def is_file(part: Message) -> bool:
    return (is_attachment(part) or part.get_content_type() not in NO_FILES) and not is_shown_in_text(part)


def is_shown_in_text(part: Message) -> bool:
    """Pages that browsers save say where each of their parts was (RFC 2557)."""
    is_placed = bool(part.get("Content-Location")) or (bool(part.get("Content-ID")) and is_picture(part))
    return is_placed and part.get_content_disposition() != "attachment"


def is_picture(part: Message) -> bool:
    """Some programs send them as octets with a name."""
    return part.get_content_maintype() == "image" or (
        part.get_content_type() == "application/octet-stream" and read_name(part).lower().endswith(PICTURES)
    )


def make_part(part: Message, name: str) -> BundlePart:
    """Files that are signed by themselves, as e-invoices are in Italy, are taken out of their signature."""
    name = complete_name(name, part)
    payload = part.get_payload()
    size = len(payload) if isinstance(payload, str) else 0
    size = size * 3 // 4 if is_packed(part) else size
    if name.lower().endswith(".p7m"):
        return BundlePart(name[:-4], size, lambda: cms.unpack_content(load(part)))
    return BundlePart(name, size, lambda: load(part))


def make_mail_part(mail: Message) -> BundlePart:
    try:
        data = mail.as_bytes()
    except RecursionError:
        raise OverLimit(TOO_DEEP) from None
    return BundlePart(f"{read_header(mail, 'Subject').text[:100] or 'message'}.eml", len(data), lambda: data)
