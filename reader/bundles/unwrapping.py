"""Mails whose text and files are wrapped by a program: signed ones (S/MIME, RFC 8551) and Outlook's winmail.dat."""

from base64 import encodebytes
from collections.abc import Callable, Iterator
from email.message import Message

from reader.bundles import cms, tnef
from reader.bundles.mail_parts import load, read_name
from reader.failures import Unreadable
from reader.gaps import Gap

MAX_DEPTH = 4
SIGNED_TYPES = ("application/pkcs7-mime", "application/x-pkcs7-mime")
TNEF_TYPES = ("application/ms-tnef", "application/vnd.ms-tnef")
WINMAIL, PGP_TYPE = "winmail.dat", "multipart/encrypted"
# No program gives these to it.
CONTAINING_WORDS = ("text/plain", "text/html", "multipart/mixed", "multipart/alternative", "multipart/related")
ENCRYPTED = "A part of this mail is encrypted. Only its receiver can open it: save it unencrypted, or forward it."
CUT = "“winmail.dat” breaks off: as much of its text and files as is there was taken. Ask for it again."
DAMAGED = "Outlook packed files into “winmail.dat”, which is damaged. Ask for them as ordinary attachments."


def unwrap(mail: Message, parse: Callable[[bytes], Message]) -> list[Gap]:
    """Put what is wrapped in the place of its wrapping; give a gap for what cannot be opened."""
    gaps: list[Gap] = []
    waiting = [(part, 0) for part in mail.walk() if is_wrapping(part)]
    needs_text = bool(waiting) and not any(has_text(part) for part in mail.walk())
    for part, depth in waiting:
        if depth < MAX_DEPTH and (children := list(open_part(part, parse, gaps, needs_text))):
            replace(part, children)
            waiting += [(inner, depth + 1) for child in children for inner in child.walk() if is_wrapping(inner)]
    return gaps


def is_wrapping(part: Message) -> bool:
    kind = part.get_content_type()
    return kind in (*SIGNED_TYPES, *TNEF_TYPES, PGP_TYPE) or (
        kind not in CONTAINING_WORDS and read_name(part).lower() == WINMAIL
    )


def has_text(part: Message) -> bool:
    payload = part.get_payload()
    is_text = part.get_content_type() in ("text/plain", "text/html") and not part.get_filename()
    return is_text and isinstance(payload, str) and bool(payload.strip())


def open_part(part: Message, parse: Callable[[bytes], Message], gaps: list[Gap], needs_text: bool) -> Iterator[Message]:
    kind, name = part.get_content_type(), read_name(part).lower()
    try:
        if kind == PGP_TYPE:
            raise cms.Encrypted
        if kind in SIGNED_TYPES and name in ("", "smime.p7m", "smime.p7"):
            yield parse(cms.unpack_content(load(part)))
        elif kind in TNEF_TYPES or name == WINMAIL:
            packed = tnef.unpack(load(part))
            yield from list_packed(packed, needs_text)
            gaps += [Gap("attachment", CUT, None, WINMAIL)] if packed.is_cut else []
    except cms.Encrypted:
        gaps.append(Gap("encrypted", ENCRYPTED))
        yield make_part("multipart/mixed", b"")
    except Unreadable:
        if kind in TNEF_TYPES or name == WINMAIL:
            gaps.append(Gap("attachment", DAMAGED, None, WINMAIL))


def list_packed(mail: tnef.PackedMail, needs_text: bool) -> Iterator[Message]:
    texts = (("text/html", mail.html), ("text/plain", mail.text), ("text/rtf", mail.rtf))
    forms = [make_part(kind, data) for kind, data in texts if data.strip()]
    yield from forms[:1] if needs_text else []
    for file in mail.files:
        part = make_part("application/octet-stream", file.data)
        part.add_header("Content-Disposition", "attachment", filename=file.name)
        yield part
    if not forms and not mail.files:
        raise Unreadable("It holds neither text nor files.")


def make_part(kind: str, data: bytes) -> Message:
    part = Message()
    part["Content-Type"], part["Content-Transfer-Encoding"] = kind, "base64"
    part.set_payload(encodebytes(data).decode("ascii") if data else [])
    return part


def replace(part: Message, children: list[Message]) -> None:
    for name in ("Content-Type", "Content-Disposition", "Content-Transfer-Encoding"):
        del part[name]
    part["Content-Type"] = "multipart/mixed"
    part.set_payload([*children])
