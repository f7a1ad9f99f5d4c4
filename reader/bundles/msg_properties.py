"""Properties of an Outlook message ([MS-OXMSG], [MS-OXOCAL]): texts in streams of their own, times in one of all."""

import datetime
import struct
from collections.abc import Iterator

import olefile

from reader.encodings import DecodedText, decode_text

UNICODE, ANSI, BINARY = "001F", "001E", "0102"
SENT, START, END = 0x0039, 0x0060, 0x0061
TIME, NUMBER = 0x0040, 0x0003
# Code pages of strings that are not Unicode (PidTagMessageCodepage, PidTagInternetCodepage).
CODE_PAGES = (0x3FFD, 0x3FDE)
CODE_PAGE_NAMES = {65001: "utf-8", 20127: "ascii", 28591: "cp1252", 20866: "koi8-r", 21866: "koi8-u", 51932: "euc_jp"}
# These have no number of their own in every file: the number by which a file lists its own.
PLACE, APPOINTMENT_START, APPOINTMENT_END = 0x8208, 0x820D, 0x820E
NAMES = "__nameid_version1.0/__substg1.0_00030102"
FIRST_NAMED, NAME_BYTES = 0x8000, 8
# The first part of a message's fixed properties.
HEAD_BYTES, PROPERTY_BYTES = 32, 16
EPOCH = datetime.datetime(1601, 1, 1, tzinfo=datetime.UTC)


def read_text(ole: olefile.OleFileIO, number: str, folder: str = "") -> str:
    return decode_property(ole, number, folder).text


def decode_property(ole: olefile.OleFileIO, number: str, folder: str = "") -> DecodedText:
    start = f"{folder}/" if folder else ""
    if data := read_stream(ole, f"{start}__substg1.0_{number}{UNICODE}"):
        return DecodedText(data.decode("utf-16-le", "replace").strip("\0 "), "utf-16-le")
    data = read_stream(ole, f"{start}__substg1.0_{number}{ANSI}").strip(b"\0 ")
    return decode_text(data, declared=find_code_page(ole)) if data else DecodedText("", "")


def find_code_page(ole: olefile.OleFileIO) -> str:
    """Python's name of the encoding that the message says its strings have; empty where it says nothing."""
    numbers = {name: value & 0xFFFFFFFF for name, value in list_fixed(ole, NUMBER)}
    page = next((numbers[name] for name in CODE_PAGES if numbers.get(name)), 0)
    return CODE_PAGE_NAMES.get(page, f"cp{page}") if page else ""


def read_stream(ole: olefile.OleFileIO, name: str) -> bytes:
    if not ole.exists(name):
        return b""
    with ole.openstream(name) as stream:
        data: bytes = stream.read()
    return data


def read_times(ole: olefile.OleFileIO) -> dict[int, str]:
    """By number, in UTC."""
    moments = ((name, ticks) for name, ticks in list_fixed(ole, TIME) if 0 < ticks < 1 << 60)
    return {
        name: (EPOCH + datetime.timedelta(microseconds=ticks // 10)).strftime("%Y-%m-%d %H:%M UTC")
        for name, ticks in moments
    }


def list_fixed(ole: olefile.OleFileIO, kind: int) -> Iterator[tuple[int, int]]:
    """The properties of a fixed length that are of a kind: number and value, in eight bytes."""
    properties = read_stream(ole, "__properties_version1.0")
    for at in range(HEAD_BYTES, len(properties) - PROPERTY_BYTES + 1, PROPERTY_BYTES):
        tag, _, value = struct.unpack_from("<IIQ", properties, at)
        if tag & 0xFFFF == kind:
            yield tag >> 16, value


def read_named_numbers(ole: olefile.OleFileIO) -> dict[int, int]:
    """The number that each name that is a number has in this file."""
    names = read_stream(ole, NAMES)
    entries = (struct.unpack_from("<IHH", names, at) for at in range(0, len(names) - NAME_BYTES + 1, NAME_BYTES))
    return {name: FIRST_NAMED + index for name, kind, index in entries if not kind & 1}


def describe_appointment(ole: olefile.OleFileIO) -> dict[str, str]:
    """When and where, of an invitation or an appointment; what it does not say is empty."""
    times, named = read_times(ole), read_named_numbers(ole)
    place = named.get(PLACE)
    return {
        "Start": times.get(named.get(APPOINTMENT_START, START)) or times.get(START, ""),
        "End": times.get(named.get(APPOINTMENT_END, END)) or times.get(END, ""),
        "Place": read_text(ole, f"{place:04X}") if place is not None else "",
    }
