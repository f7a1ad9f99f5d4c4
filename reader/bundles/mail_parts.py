"""The bytes and names of a mail's parts, also where a gateway cut them or a machine named nothing."""

import io
import re
from base64 import b64decode
from collections.abc import Iterator
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message

from reader.encodings import DecodedText, decode_text
from reader.failures import Unreadable, make_damage_error
from reader.kinds import HEAD_BYTES, Kind, detect_kind
from reader.office.containers import find_kind

# All headers of one name together hold no more: the addresses of some thousand people.
MAX_HEADER = 100_000
MIN_HEADER = 100
LONG_HEADER = " [the rest of this header is left out]"
NO_BASE64 = re.compile(r"[^A-Za-z0-9+/=]")
# A part with more of them among its letters is no base64.
MAX_OTHERS = 0.1
EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}$")
# They say no more than that a program made the file.
EMPTY_EXTENSIONS = (".bin", ".dat", ".tmp", ".file", ".att")
KIND_EXTENSIONS: dict[Kind, str] = {"jpeg": "jpg", "tiff": "tif", "odf": "odt", "signed": "p7m", "tnef": "dat"}
TYPE_EXTENSIONS = {"text/csv": "csv", "text/calendar": "ics", "text/html": "html", "text/plain": "txt"}
RAW_NAME = re.compile(r'\bfilename="?([^";\r\n]+)|\bname="?([^";\r\n]+)', re.I)


def load(part: Message) -> bytes:
    """Raises Unreadable for base64 that is none. One that was cut gives as much as is there."""
    payload = part.get_payload()
    if is_packed(part) and isinstance(payload, str):
        return decode_base64(payload)
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def is_packed(part: Message) -> bool:
    return str(part.get("Content-Transfer-Encoding", "")).strip().lower() == "base64"


def decode_base64(text: str) -> bytes:
    try:
        return b64decode("".join(text.split()), validate=True)
    except ValueError:
        return decode_broken_base64(text)


def decode_broken_base64(text: str) -> bytes:
    clean = NO_BASE64.sub("", text)
    if len(clean) < (1 - MAX_OTHERS) * len("".join(text.split())):
        raise make_damage_error("its base64 is broken")
    pieces = (piece[: len(piece) - (len(piece) % 4 == 1)] for piece in re.split("=+", clean))
    return b"".join(b64decode(piece + "=" * (-len(piece) % 4)) for piece in pieces)


def is_cut(part: Message) -> bool:
    payload = part.get_payload()
    return is_packed(part) and isinstance(payload, str) and (len(payload) - sum(map(payload.count, " \t\r\n"))) % 4 != 0


def read_header(mail: Message, name: str) -> DecodedText:
    """Decoded; what is no valid encoding stays as it stands there. Of one that is too long its beginning."""
    values = [str(value) for key, value in mail.raw_items() if len(key) == len(name) and key.lower() == name.lower()]
    kept = list(cut_values(values)) if sum(map(len, values)) > MAX_HEADER else values
    pieces = [decode_words(" ".join(value.split())) for value in kept]
    pieces += [DecodedText(LONG_HEADER, "")] if kept != values else []
    guess = next((each.guess for each in pieces if each.guess), "")
    return DecodedText(" ".join(each.text for each in pieces), "", guess)


def cut_values(values: list[str]) -> Iterator[str]:
    room = MAX_HEADER
    for value in values:
        yield value[:room]
        # A header that says nothing takes some room too.
        room -= len(value) + MIN_HEADER
        if room <= 0:
            return


def decode_words(text: str) -> DecodedText:
    """Encoded words (RFC 2047), and bytes beside ASCII as they stand in old mails."""
    try:
        if "=?" not in text and text.isascii():
            return DecodedText(text, "")
        if not text.isascii():
            return decode_text(text.encode("utf-8", "surrogateescape"))
        pieces = [
            DecodedText(piece, "") if isinstance(piece, str) else decode_text(piece, declared=charset or "")
            for piece, charset in decode_header(text)
        ]
    except (HeaderParseError, LookupError, ValueError):
        return DecodedText(text, "")
    guess = next((piece.guess for piece in pieces if piece.guess), "")
    return DecodedText("".join(piece.text for piece in pieces), "", guess)


def read_name(part: Message) -> str:
    """Empty where nothing names it."""
    name = decode_words(part.get_filename() or "").text
    if "\ufffd" not in name:
        return name
    raw = " ".join(str(value) for key, value in part.raw_items() if key.lower().startswith("content-"))
    match = RAW_NAME.search(raw)
    return decode_words((match[1] or match[2]).strip()).text if match else name


def complete_name(name: str, part: Message) -> str:
    """With an extension by the content where the name has none that says anything."""
    if EXTENSION.search(name) and not name.lower().endswith(EMPTY_EXTENSIONS):
        return name
    try:
        extension = find_extension(load(part), part.get_content_type())
    except Unreadable:
        return name
    return f"{name.removesuffix('.')}.{extension}" if not name.lower().endswith(f".{extension}") else name


def find_extension(data: bytes, media_type: str) -> str:
    """Raises Unreadable for what is not read."""
    kind = find_kind(io.BytesIO(data), detect_kind(data[:HEAD_BYTES]))
    if kind == "txt" and media_type in TYPE_EXTENSIONS:
        return TYPE_EXTENSIONS[media_type]
    return KIND_EXTENSIONS.get(kind, kind)
