"""Signed and encrypted data (CMS, RFC 5652), as S/MIME and Italian e-invoices bring them: the content, taken out.

No signature is checked. Lengths may be left open (BER, X.690 8.1.3.6), so every element is walked to its end.
"""

import zlib
from base64 import b64decode
from binascii import Error as NoBase64
from collections.abc import Iterator
from typing import NamedTuple

from reader.failures import Unreadable, make_damage_error
from reader.kinds import AUTHENTICATED, COMPRESSED, ENVELOPED, SIGNED

SEQUENCE, OCTETS, OCTETS_IN_PARTS, CONTENT, IDENTIFIER = 0x30, 0x04, 0x24, 0xA0, 0x06
MAX_DEPTH = 16
MAX_ELEMENTS = 100_000
# Limit what compressed data becomes; no mail program of today writes it.
MAX_UNPACKED = 40_000_000
ENCRYPTED = "It is encrypted; only its receiver can open it. Save it from the mail program without encryption."


class Encrypted(Unreadable):
    def __init__(self) -> None:
        super().__init__(ENCRYPTED)


class Element(NamedTuple):
    """`end`: of its content; `after`: where the next one begins."""

    tag: int
    start: int
    end: int
    after: int


def unpack_content(data: bytes) -> bytes:
    """Raises Encrypted, and Unreadable for what is damaged or signs something that stands elsewhere."""
    return Walker(data if data[:1] == b"\x30" else decode_armour(data)).unpack()


def decode_armour(data: bytes) -> bytes:
    lines = [line for line in data.split() if not line.startswith(b"-----") and not line.endswith(b"-----")]
    try:
        return b64decode(b"".join(lines))
    except NoBase64 as error:
        raise make_damage_error("it is no signed data") from error


class Walker:
    """Goes through the elements of one file; each is counted."""

    def __init__(self, data: bytes) -> None:
        self.data, self.count = data, 0

    def unpack(self) -> bytes:
        try:
            kind, content = self.take_content(self.read(0, len(self.data), 0))
            if kind in (ENVELOPED, AUTHENTICATED):
                raise Encrypted
            if kind not in (SIGNED, COMPRESSED) or content is None:
                raise Unreadable("It holds no signed content.")
            # Before compressed content stands how it is compressed.
            sequences = [each for each in self.list_inside(content) if each.tag == SEQUENCE]
            _, inner = self.take_content(sequences[kind == COMPRESSED])
            if inner is None:
                raise Unreadable("It is a signature alone: what it signs is elsewhere.")
            octets = b"".join(self.iterate_octets(inner, 0))
            return unpack_zlib(octets) if kind == COMPRESSED else octets
        except IndexError as error:
            raise make_damage_error("its signed data ends early") from error

    def take_content(self, outer: Element) -> tuple[bytes, Element | None]:
        """The identifier of a ContentInfo, and the element in its [0]."""
        inside = list(self.list_inside(outer))
        name = self.data[inside[0].start : inside[0].end]
        wrapped = next((each for each in inside[1:] if each.tag == CONTENT), None)
        return name, next(self.list_inside(wrapped), None) if wrapped else None

    def iterate_octets(self, element: Element, depth: int) -> Iterator[bytes]:
        if element.tag == OCTETS:
            yield self.data[element.start : element.end]
        elif element.tag == OCTETS_IN_PARTS and depth < MAX_DEPTH:
            for part in self.list_inside(element):
                yield from self.iterate_octets(part, depth + 1)

    def list_inside(self, outer: Element) -> Iterator[Element]:
        at = outer.start
        while at < outer.end:
            element = self.read(at, outer.end, 0)
            yield element
            at = element.after

    def read(self, at: int, limit: int, depth: int) -> Element:
        """Raises IndexError past the end."""
        self.count += 1
        if depth > MAX_DEPTH or self.count > MAX_ELEMENTS:
            raise make_damage_error("its signed data is nested too deep, or in too many pieces")
        tag, length, start = self.data[at], self.data[at + 1], at + 2
        if length == 0x80:
            return self.read_open(tag, start, limit, depth)
        if length > 0x80:
            size = length & 0x7F
            length = int.from_bytes(self.data[start : start + size])
            start += size
        if start + length > limit:
            raise IndexError(start)
        return Element(tag, start, start + length, start + length)

    def read_open(self, tag: int, start: int, limit: int, depth: int) -> Element:
        at = start
        while self.data[at : at + 2] != b"\0\0":
            at = self.read(at, limit, depth + 1).after
        return Element(tag, start, at, at + 2)


def unpack_zlib(data: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        unpacked = unpacker.decompress(data, MAX_UNPACKED)
    except zlib.error as error:
        raise make_damage_error("its compressed data is broken") from error
    if unpacker.unconsumed_tail:
        raise Unreadable(f"It unpacks to more than {MAX_UNPACKED // 1_000_000} MB.")
    return unpacked
