"""Invitations in mails (iCalendar, RFC 5545): what, when, where and with whom, as lines to read."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from reader.gaps import Gap
from reader.layout.blocks import Block, Heading, Paragraph

MAX_EVENTS = 500
ATTACHED = "A file is attached to an entry of the calendar and is not read. Ask for it by itself."
MORE = f"The calendar has more than {MAX_EVENTS} entries; the others are left out."
ENTRIES = ("VEVENT", "VTODO", "VJOURNAL")
LABELS = {
    "DTSTART": "Start",
    "DTEND": "End",
    "DUE": "Due",
    "DURATION": "Duration",
    "RRULE": "Repeats",
    "RDATE": "Also on",
    "EXDATE": "Except on",
    "LOCATION": "Place",
    "STATUS": "Status",
    "ORGANIZER": "Organizer",
    "ATTENDEE": "Attendee",
    "URL": "Link",
    "DESCRIPTION": "Description",
    "CATEGORIES": "Categories",
    "COMMENT": "Comment",
    "CONTACT": "Contact",
}
FOLD = re.compile(r"\r?\n[ \t]")
# A parameter's value may be quoted, with signs in it that part others.
PROPERTY = re.compile(r'(?P<name>[A-Za-z0-9-]+)(?P<parameters>(?:;[^=:;"]+=(?:"[^"]*"|[^";:])*)*):(?P<value>.*)', re.S)
PARAMETER = re.compile(r';([^=:;"]+)=("[^"]*"|[^";:]*)')
MOMENT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?")
ESCAPED = re.compile(r"\\([\\;,nN])")


class Property(NamedTuple):
    name: str
    parameters: dict[str, str]
    value: str


def list_blocks(text: str) -> Iterator[Block | Gap]:
    """List each entry's title and the lines in LABELS, without alarms, time zones and what is between programs."""
    inside: list[str] = []
    entries = 0
    for line in FOLD.sub("", text).splitlines():
        read = parse_line(line)
        if read is None:
            continue
        if read.name == "BEGIN":
            inside.append(read.value.strip().upper())
            entries += inside[-1] in ENTRIES
            if entries > MAX_EVENTS:
                yield Gap("attachment", MORE)
                return
        elif read.name == "END":
            del inside[-1:]
        elif inside and inside[-1] in ENTRIES:
            yield from list_property(read)


def parse_line(line: str) -> Property | None:
    match = PROPERTY.fullmatch(line)
    if match is None:
        return None
    parameters = {name.upper(): value.strip('"') for name, value in PARAMETER.findall(match["parameters"])}
    return Property(match["name"].upper(), parameters, match["value"])


def list_property(read: Property) -> Iterator[Block | Gap]:
    if read.name == "ATTACH" and read.parameters.get("VALUE", "").upper() == "BINARY":
        yield Gap("attachment", ATTACHED)
    elif read.name == "ATTACH":
        yield Paragraph(f"Attachment: {unescape(read.value)}")
    elif read.name == "SUMMARY":
        yield Heading(f"Invitation: {unescape(read.value)}", 3)
    elif label := LABELS.get(read.name):
        yield Paragraph(f"{label}: {describe_value(read)}")


def describe_value(read: Property) -> str:
    if moment := MOMENT.fullmatch(read.value.strip()):
        return describe_moment(moment, read.parameters.get("TZID", ""))
    if read.name in ("ORGANIZER", "ATTENDEE"):
        address = re.sub("^mailto:", "", read.value.strip(), flags=re.I)
        name = read.parameters.get("CN", "")
        return f"{name} <{address}>" if name and name != address else address
    return unescape(read.value)


def describe_moment(moment: re.Match[str], zone: str) -> str:
    """A day, or a day with its time in the zone that stands beside it; without one it is the reader's own."""
    year, month, day, hour, minute, utc = moment.groups()
    date = f"{year}-{month}-{day}"
    return " ".join(filter(None, [date, f"{hour}:{minute}", "UTC" if utc else zone])) if hour else date


def unescape(text: str) -> str:
    return " ".join(ESCAPED.sub(lambda sign: " " if sign[1] in "nN" else sign[1], text).split())
