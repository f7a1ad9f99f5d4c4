"""Invitations that a mail carries beside its text."""

import pytest

from reader.bundles import invitations
from reader.gaps import Gap
from reader.layout.blocks import Heading, Paragraph
from tests.documents.laid_out import lay_out, list_rows

CALENDAR = """BEGIN:VCALENDAR
METHOD:REQUEST
BEGIN:VTIMEZONE
DTSTART:19700101T000000
END:VTIMEZONE
BEGIN:VEVENT
UID:1@b.c
SUMMARY:Acceptance\\, roof
DTSTART;TZID=Europe/Berlin:20260301T100000
DTEND:20260301T113000Z
LOCATION:Hall 3\\; gate B
ORGANIZER;CN="Weber; Ina":mailto:ina@b.c
ATTENDEE;PARTSTAT=NEEDS-ACTION:MAILTO:ap@example.org
DESCRIPTION:Bring order PO-4711\\nand the pla
 ns.
BEGIN:VALARM
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
END:VCALENDAR
"""
ROWS = [
    "Invitation: Acceptance, roof",
    "Start: 2026-03-01 10:00 Europe/Berlin",
    "End: 2026-03-01 11:30 UTC",
    "Place: Hall 3; gate B",
    "Organizer: Weber; Ina <ina@b.c>",
    "Attendee: ap@example.org",
    "Description: Bring order PO-4711 and the plans.",
]
BESIDE_A_PAGE = """From: a@b.c
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=A

--A
Content-Type: text/html

<p>See you there.</p>
--A
Content-Type: text/calendar; method=REQUEST

{0}
--A--
"""
ALONE = """From: a@b.c
MIME-Version: 1.0
Content-Type: text/calendar

{0}"""


@pytest.mark.parametrize(("mail", "text"), [(BESIDE_A_PAGE, ["See you there."]), (ALONE, [])])
def test_an_invitation_stands_behind_the_text_of_its_mail(mail: str, text: list[str]) -> None:
    assert list_rows(mail.format(CALENDAR).encode())[2:] == [*text, *ROWS]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("DTSTART;VALUE=DATE:20260301", "Start: 2026-03-01"),
        ("DTSTART:soon", "Start: soon"),
        ("DUE:20260301T0900", "Due: 20260301T0900"),
        ("ATTENDEE;CN=a@b.c:mailto:a@b.c", "Attendee: a@b.c"),
        ("LOCATION:a\\\\nb", "Place: a\\nb"),
    ],
)
def test_what_is_odd_stays_as_it_stands(line: str, text: str) -> None:
    assert list(invitations.list_blocks(f"BEGIN:VEVENT\n{line}\nEND:VEVENT")) == [Paragraph(text)]


def test_what_is_no_calendar_says_nothing_and_of_very_many_entries_the_first_are_read() -> None:
    assert list(invitations.list_blocks("END:X\nEND:X\nSUMMARY:outside\n:\n;;=")) == []
    blocks = list(invitations.list_blocks("BEGIN:VEVENT\nSUMMARY:a\nEND:VEVENT\n" * 501))
    assert blocks == [*[Heading("Invitation: a", 3)] * 500, Gap("attachment", invitations.MORE)]


def test_signs_that_part_nothing_take_no_long_time() -> None:
    assert list(invitations.list_blocks("BEGIN:VEVENT\nATTENDEE" + ";a=" * 100_000)) == []


def test_files_and_entries_of_a_calendar_that_are_not_read_are_named() -> None:
    entry = "BEGIN:VEVENT\nSUMMARY:a\n{}END:VEVENT\n"
    attached = entry.format("ATTACH;ENCODING=BASE64;VALUE=BINARY:JVBERi0x\nCOMMENT:Gate 4\nEXDATE:20260101\n")
    many = entry.format("") * (invitations.MAX_EVENTS + 1)
    for entries, reason in ((attached, "A file is attached"), (many, "The calendar has more than 500")):
        [gap] = lay_out(f"BEGIN:VCALENDAR\n{entries}END:VCALENDAR\n".encode()).gaps
        assert gap.reason.startswith(reason)
    rows = list_rows(f"BEGIN:VCALENDAR\n{attached}END:VCALENDAR\n".encode())
    assert rows == ["Invitation: a", "Comment: Gate 4", "Except on: 2026-01-01"]
