"""Properties of an Outlook message ([MS-OXMSG], [MS-OXOCAL]): texts in streams of their own, times in one of all."""

import datetime
import struct

import olefile

UNICODE, ANSI, BINARY = "001F", "001E", "0102"
SENT, START, END = 0x0039, 0x0060, 0x0061
TIME = 0x0040
# These have no number of their own in every file: the number by which a file lists its own.
PLACE, APPOINTMENT_START, APPOINTMENT_END = 0x8208, 0x820D, 0x820E
NAMES = "__nameid_version1.0/__substg1.0_00030102"
FIRST_NAMED, NAME_BYTES = 0x8000, 8
# The first part of a message's fixed properties.
HEAD_BYTES, PROPERTY_BYTES = 32, 16
EPOCH = datetime.datetime(1601, 1, 1, tzinfo=datetime.UTC)


def read_text(ole: olefile.OleFileIO, number: str, folder: str = "") -> str:
    start = f"{folder}/" if folder else ""
    if data := read_stream(ole, f"{start}__substg1.0_{number}{UNICODE}"):
        return data.decode("utf-16-le", "replace").strip("\0 ")
    return read_stream(ole, f"{start}__substg1.0_{number}{ANSI}").decode("cp1252", "replace").strip("\0 ")


def read_stream(ole: olefile.OleFileIO, name: str) -> bytes:
    if not ole.exists(name):
        return b""
    with ole.openstream(name) as stream:
        data: bytes = stream.read()
    return data


def read_times(ole: olefile.OleFileIO) -> dict[int, str]:
    """By number, in UTC."""
    properties = read_stream(ole, "__properties_version1.0")
    times = {}
    for at in range(HEAD_BYTES, len(properties) - PROPERTY_BYTES + 1, PROPERTY_BYTES):
        tag, _, ticks = struct.unpack_from("<IIQ", properties, at)
        if tag & 0xFFFF == TIME and 0 < ticks < 1 << 60:
            moment = EPOCH + datetime.timedelta(microseconds=ticks // 10)
            times[tag >> 16] = moment.strftime("%Y-%m-%d %H:%M UTC")
    return times


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
