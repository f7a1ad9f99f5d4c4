"""winmail.dat (TNEF, [MS-OXTNEF]): attributes of level, id, length, data and sum; Outlook packs a mail's files so."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from reader.failures import OverLimit, make_damage_error

SIGNATURE = b"\x78\x9f\x3e\x22"
BODY, PROPERTIES = 0x800C, 0x9003
NEXT_FILE, TITLE, DATA, FILE_PROPERTIES = 0x9002, 0x8010, 0x800F, 0x9005
# PidTagBody, PidTagHtml, PidTagRtfCompressed, PidTagAttachLongFilename, PidTagAttachDataObject ([MS-OXPROPS]).
PLAIN, HTML, RTF, LONG_NAME, OBJECT = 0x1000, 0x1013, 0x1009, 0x3707, 0x3701
# Bytes of a value of each type that has no length of its own ([MS-OXCDATA] 2.11.1), filled up to four.
FIXED = {0x2: 4, 0x3: 4, 0x4: 4, 0x5: 8, 0x6: 8, 0x7: 8, 0xA: 4, 0xB: 4, 0x14: 8, 0x40: 8, 0x48: 16}
STRING, WIDE, OBJECT_TYPE, BINARY = 0x1E, 0x1F, 0x0D, 0x102
MULTIPLE, NAMED = 0x1000, 0x8000
MAX_FILES, MAX_VALUES = 2_000, 100_000
MAX_RTF = 12_000_000
# Every compressed text may refer back to this ([MS-OXRTFCP] 2.1.2.1).
DICTIONARY = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor "
    b"MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n"
    b"\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)


class PackedFile(NamedTuple):
    name: str
    data: bytes


@dataclass
class PackedMail:
    """`rtf`: unpacked."""

    text: bytes = b""
    html: bytes = b""
    rtf: bytes = b""
    files: list[PackedFile] = field(default_factory=list)
    is_cut: bool = False


def unpack(data: bytes) -> PackedMail:
    """Raises Unreadable for what is damaged from its beginning, OverLimit for too many files."""
    if not data.startswith(SIGNATURE):
        raise make_damage_error("it is named as Outlook names packed files, but is none")
    mail = PackedMail()
    for name, value, is_whole in iterate_attributes(data):
        take_attribute(mail, name, value)
        mail.is_cut |= not is_whole
    return mail


def iterate_attributes(data: bytes) -> Iterator[tuple[int, bytes, bool]]:
    """Yields the name, the value and whether that is whole."""
    at = len(SIGNATURE) + 2
    while at + 9 <= len(data):
        name, _, length = struct.unpack_from("<xHHI", data, at)
        yield name, data[at + 9 : at + 9 + length], at + 9 + length <= len(data)
        at += 9 + length + 2


def take_attribute(mail: PackedMail, name: int, value: bytes) -> None:
    if name == BODY:
        mail.text = value.rstrip(b"\0")
    elif name == PROPERTIES:
        take_texts(mail, dict(iterate_properties(value)))
    elif name == NEXT_FILE:
        if len(mail.files) == MAX_FILES:
            raise OverLimit(f"It holds more than {MAX_FILES:,} files.")
        mail.files.append(PackedFile("", b""))
    elif mail.files and name in (TITLE, DATA, FILE_PROPERTIES):
        mail.files[-1] = take_file(mail.files[-1], name, value)


def take_texts(mail: PackedMail, values: dict[int, bytes]) -> None:
    mail.text, mail.html = values.get(PLAIN, mail.text), values.get(HTML, b"")
    mail.rtf = unpack_rtf(values.get(RTF, b""))


def take_file(file: PackedFile, name: int, value: bytes) -> PackedFile:
    if name == TITLE:
        return file._replace(name=file.name or value.rstrip(b"\0").decode("cp1252", "replace"))
    if name == DATA:
        return file._replace(data=value)
    values = dict(iterate_properties(value))
    long_name = values.get(LONG_NAME, b"").decode("utf-8", "replace")
    # An object begins with the id of its interface, which is that of a packed mail or of a plain stream.
    return PackedFile(long_name or file.name, file.data or values.get(OBJECT, b"")[16:])


def iterate_properties(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and value; texts as UTF-8. Ends at the first that is broken or of a type that is not known."""
    try:
        (count,), at = struct.unpack_from("<I", data, 0), 4
        for _ in range(min(count, MAX_VALUES)):
            kind, number = struct.unpack_from("<HH", data, at)
            at = skip_name(data, at + 4) if number >= NAMED else at + 4
            values, at = read_values(data, at, kind)
            yield number, values
    except (struct.error, KeyError):
        return


def skip_name(data: bytes, at: int) -> int:
    """A GUID, then a number or a text."""
    is_text, length = struct.unpack_from("<II", data, at + 16)
    return at + 24 + (fill_up(length) if is_text else 0)


def read_values(data: bytes, at: int, kind: int) -> tuple[bytes, int]:
    """The first of them. Raises KeyError for a type that is not known."""
    base, count = kind & ~MULTIPLE, 1
    is_long = base in (STRING, WIDE, OBJECT_TYPE, BINARY)
    if is_long or kind & MULTIPLE:
        (count,), at = struct.unpack_from("<I", data, at), at + 4
    first = b""
    for number in range(min(count, MAX_VALUES)):
        if is_long:
            (length,), at = struct.unpack_from("<I", data, at), at + 4
        else:
            length = FIXED[base]
        first = first if number else data[at : at + length]
        at += fill_up(length)
        if at > len(data) + 3:
            break
    if base == WIDE:
        first = first.decode("utf-16-le", "replace").encode()
    return first.rstrip(b"\0") if base in (STRING, WIDE) else first, at


def fill_up(length: int) -> int:
    return -(-length // 4) * 4


def unpack_rtf(data: bytes) -> bytes:
    """Compressed RTF ([MS-OXRTFCP] 2.2): eight times a letter, or a place and a length in the last 4,096 bytes."""
    if len(data) < 16 or data[8:12] not in (b"LZFu", b"MELA"):
        return b""
    if data[8:12] == b"MELA":
        return data[16:]
    window, out, at = bytearray(DICTIONARY.ljust(4096, b" ")), bytearray(), 16
    place = len(DICTIONARY)
    while at < len(data) and len(out) < MAX_RTF:
        flags, at = data[at], at + 1
        for bit in range(8):
            piece = data[at : at + 1]
            if flags >> bit & 1:
                if at + 2 > len(data):
                    return bytes(out)
                reference = data[at] << 8 | data[at + 1]
                source, length = reference >> 4, (reference & 15) + 2
                if source == place:
                    return bytes(out)
                at += 2
            else:
                source, length, at = -1, len(piece), at + 1
            for step in range(length):
                byte = piece[0] if source < 0 else window[(source + step) % 4096]
                window[place] = byte
                out.append(byte)
                place = (place + 1) % 4096
    return bytes(out)
