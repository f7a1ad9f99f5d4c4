"""Streams of a PDF that hold files, unpacked without PDFium and within a bound (ISO 32000-1, 7.4)."""

import re
import zlib
from base64 import a85decode
from collections.abc import Callable

from reader.failures import OverLimit, Unreadable
from reader.pdf.structure import PlacedObject, Structure

FILTER = re.compile(rb"/Filter\s*(?:\[([^\]]*)\]|(/\w+))")
NAME = re.compile(rb"/(\w+)")
LENGTH = re.compile(rb"/Length\s+([0-9]{1,10})(?!\s+[0-9]+\s+R)")
NO_HEX = re.compile(rb"[^0-9A-Fa-f]")
FAILED = "Its content cannot be unpacked."
# DEFLATE packs no better (https://zlib.net/zlib_tech.html).
BEST_RATIO = 1032


def unpack_file(structure: Structure, stream: PlacedObject, room: int) -> bytes:
    """Raises OverLimit for more bytes than `room`, Unreadable for a filter that no program puts on files."""
    data = read_raw(structure, stream)
    for name in list_filters(stream):
        if name not in DECODERS:
            raise Unreadable(FAILED)
        data = DECODERS[name](data, room)
    if len(data) > room:
        raise OverLimit(f"It unpacks to more than {room / 1e6:.0f} MB.")
    return data


def is_bomb(structure: Structure, stream: PlacedObject, room: int) -> bool:
    try:
        if len(list_filters(stream)) > 1 or len(read_raw(structure, stream)) * BEST_RATIO > room:
            unpack_file(structure, stream, room)
    except OverLimit:
        return True
    except Unreadable:
        # It is one that only PDFium takes out, or none that anybody does.
        return False
    return False


def list_filters(stream: PlacedObject) -> list[bytes]:
    match = FILTER.search(stream.dictionary)
    return NAME.findall(match[1] or match[2] or b"") if match else []


def read_raw(structure: Structure, stream: PlacedObject) -> bytes:
    if stream.stream is None:
        raise Unreadable(FAILED)
    length = LENGTH.search(stream.dictionary)
    end = structure.data.find(b"endstream", stream.stream + (int(length[1]) if length else 0))
    return structure.data[stream.stream : max(stream.stream, end)].removesuffix(b"\n").removesuffix(b"\r")


def inflate(data: bytes, room: int) -> bytes:
    inflater = zlib.decompressobj()
    try:
        unpacked = inflater.decompress(data, room + 1)
    except zlib.error as error:
        raise Unreadable(FAILED) from error
    if not inflater.eof and len(unpacked) <= room:
        raise Unreadable(FAILED)
    return unpacked


def decode_hex(data: bytes, room: int) -> bytes:
    digits = NO_HEX.sub(b"", data.partition(b">")[0])
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())


def decode_85(data: bytes, room: int) -> bytes:
    try:
        return a85decode(data.partition(b"~>")[0].removeprefix(b"<~"), ignorechars=b" \t\n\r\v\0\f")
    except ValueError as error:
        raise Unreadable(FAILED) from error


DECODERS: dict[bytes, Callable[[bytes, int], bytes]] = {
    b"FlateDecode": inflate,
    b"Fl": inflate,
    b"ASCIIHexDecode": decode_hex,
    b"AHx": decode_hex,
    b"ASCII85Decode": decode_85,
    b"A85": decode_85,
}
