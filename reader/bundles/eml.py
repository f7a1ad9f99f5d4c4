"""Mails (RFC 5322, MIME): who wrote what to whom, the text, and the attachments."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from itertools import count
from typing import BinaryIO
from urllib.parse import unquote

from reader.bundles import invitations
from reader.bundles.parts import BundlePart, list_attachments
from reader.bundles.plain_texts import ShownWords
from reader.failures import OverLimit
from reader.layout.blocks import Block, Heading, Paragraph, Picture, PlainLine
from reader.markup import html
from reader.pages import Limits

HEADERS = ("From", "To", "Cc", "Bcc", "Date", "Reply-To")
MAX_HEADER = 10_000
MAX_PARTS = 20_000
UNNAMED = "attachment"
EXTENSIONS = {
    "application/pdf": "pdf",
    "image/jpeg": "jpg",
    "image/png": "png",
    "text/html": "html",
    "text/csv": "csv",
    "text/plain": "txt",
}
TOO_DEEP = "The mail has more parts inside of parts than are followed."


def read_blocks(file: BinaryIO, limits: Limits) -> Iterator[Block]:
    mail = parse(file)
    subject = read_header(mail, "Subject")
    yield Heading(subject or "(no subject)", 2)
    for name in HEADERS:
        if text := read_header(mail, name):
            yield Paragraph(f"{name}: {text}", address=name)
    pictures = ShownPictures(mail)
    yield from list_bodies(choose_bodies(mail), pictures)
    yield from pictures.list_others()
    yield from list_attachments(list(list_parts_of(mail)))


def list_parts(file: BinaryIO, limits: Limits) -> Iterator[BundlePart]:
    return list_parts_of(parse(file))


def parse(file: BinaryIO) -> Message:
    numbers = count()

    def add_part() -> Message:
        if next(numbers) > MAX_PARTS:
            raise OverLimit(f"The mail consists of more than {MAX_PARTS:,} parts.")
        return Message()

    try:
        return message_from_bytes(file.read(), add_part)
    except RecursionError:
        raise OverLimit(TOO_DEEP) from None


def read_header(mail: Message, name: str) -> str:
    """Decoded; what is no valid encoding stays as it stands there."""
    texts = [str(value)[:MAX_HEADER] for value in mail.get_all(name) or []]
    return " ".join(decode_words(" ".join(text.split())) for text in texts)


def decode_words(text: str) -> str:
    try:
        pieces = decode_header(text)
        return "".join(
            piece if isinstance(piece, str) else piece.decode(charset or "utf-8", "replace")
            for piece, charset in pieces
        )
    except (HeaderParseError, LookupError, ValueError):
        return text


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
    if mail.get_content_maintype() == "multipart":
        forms = [choose_bodies(part) for part in list_children(mail)]
        best = choose_form(forms) if mail.get_content_type() == "multipart/alternative" else None
        for form in forms:
            bodies.add(Bodies([], form.shown + form.left_out) if best and form is not best else form)
    elif mail.get_content_type() in ("text/plain", "text/html") and not is_attachment(mail):
        bodies.shown.append(mail)
    elif mail.get_content_type() == "text/calendar" and not is_attachment(mail):
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
        parts = (part for part in mail.walk() if part.get_content_maintype() == "image" and is_shown_in_text(part))
        self.parts = {str(part["Content-ID"]).strip().strip("<>"): part for part in parts}
        self.used: set[str] = set()

    def find(self, address: str) -> bytes:
        name = unquote(address[4:]) if address[:4].lower() == "cid:" else ""
        self.used.add(name)
        return load(self.parts[name]) if name in self.parts else b""

    def list_others(self) -> Iterator[Block]:
        """List pictures that no text names, or only one that is not shown."""
        return (Picture(load(part)) for name, part in self.parts.items() if name not in self.used)


def list_bodies(bodies: Bodies, pictures: ShownPictures) -> Iterator[Block]:
    words = ShownWords()
    for body in bodies.shown:
        text = decode_text(body)
        if body.get_content_type() == "text/html":
            yield from words.collect(html.list_blocks(text, pictures.find), text)
        else:
            yield from words.collect(PlainLine(line) for line in text.splitlines())
    for body in bodies.left_out:
        if body.get_content_type() == "text/plain":
            yield from words.list_others(decode_text(body))
        elif body.get_content_type() == "text/calendar":
            yield from invitations.list_blocks(decode_text(body))


def decode_text(body: Message) -> str:
    data = body.get_payload(decode=True)
    charset = body.get_content_charset() or "utf-8"
    try:
        return data.decode(charset, "replace") if isinstance(data, bytes) else str(data)
    except LookupError:
        return data.decode("utf-8", "replace") if isinstance(data, bytes) else ""


def list_parts_of(mail: Message) -> Iterator[BundlePart]:
    """List the attachments. Pictures that the text shows in their place belong to the text."""
    if mail.get_content_maintype() == "multipart":
        for child in list_children(mail):
            yield from list_parts_of(child)
    elif mail.get_content_type() == "message/rfc822":
        yield from (make_mail_part(inner) for inner in list_children(mail))
    elif is_attachment(mail) and not is_shown_in_text(mail):
        yield make_part(mail)


def is_shown_in_text(part: Message) -> bool:
    return bool(part.get("Content-ID")) and part.get_content_disposition() != "attachment"


def make_part(part: Message) -> BundlePart:
    name = decode_words(part.get_filename() or "")
    if not name:
        name = f"{UNNAMED}.{EXTENSIONS.get(part.get_content_type(), 'bin')}"
    payload = part.get_payload()
    is_packed = str(part.get("Content-Transfer-Encoding", "")).strip().lower() == "base64"
    size = len(payload) if isinstance(payload, str) else 0
    return BundlePart(name, size * 3 // 4 if is_packed else size, lambda: load(part))


def load(part: Message) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def make_mail_part(mail: Message) -> BundlePart:
    try:
        data = mail.as_bytes()
    except RecursionError:
        raise OverLimit(TOO_DEEP) from None
    return BundlePart(f"{read_header(mail, 'Subject')[:100] or 'message'}.eml", len(data), lambda: data)
