"""A contract of sixty pages in two versions with known changes, set on pages in any width."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from accounts.models import Organization
from documents.models import Document, Page, Reading
from reader.words import Word, number_rows, pack

SUBJECTS = ("The supplier", "The customer", "Either party", "The operator", "The carrier", "The auditor")
DUTIES = (
    "keeps records of every delivery under order {number} and shows them within {days} days of a request",
    "pays each undisputed invoice of lot {number} within {days} days after it has been received in writing",
    "names a person who answers questions about site {number} and replaces that person within {days} days",
    "insures the goods of store {number} against fire and water for at least {days} months after the handover",
    "repairs defects that are found at unit {number}, at its own cost and in no more than {days} working days",
)
CLAUSES, SENTENCES = 130, 6


def make_sentence(clause: int, at: int) -> str:
    number = clause * 10 + at
    return f"{SUBJECTS[number % 6]} {DUTIES[(clause + at) % 5].format(number=1000 + number, days=10 + number % 50)}."


def make_contract(count: int = CLAUSES) -> list[list[str]]:
    """Gives each clause as its heading and its sentences."""
    return [
        [f"Duty {clause}", *(make_sentence(clause, at) for at in range(SENTENCES))] for clause in range(1, count + 1)
    ]


@dataclass(frozen=True)
class KnownChange:
    """`was` and `now` are words of the passage in either text; empty where it stands in one alone."""

    kind: str
    matter: str
    was: str
    now: str


def change_contract(clauses: Sequence[Sequence[str]]) -> tuple[list[list[str]], list[KnownChange]]:
    """A second version, and what is different in it. A clause that moves and one that is new give most others another
    number, which is no change."""
    changed = [list(clause) for clause in clauses]
    expected = []

    def put(clause: int, at: int, was: str, now: str, matter: str) -> None:
        assert was in changed[clause][at], changed[clause][at]
        changed[clause][at] = changed[clause][at].replace(was, now, 1)
        expected.append(KnownChange("changed", matter, f"[-{was.strip()}-]", f"{{+{now.strip()}+}}"))

    put(9, 1, " 10 ", " 21 ", "number")
    put(30, 1, "days", "weeks", "text")
    put(44, 2, " 11 ", " twenty-five ", "number")
    put(66, 2, "fire and water", "storm and theft", "text")
    put(80, 1, "lot", "batch", "text")
    put(90, 2, " 1911 ", " 1911, ", "signs")
    changed[40][3] += " This does not apply in the month of August."
    expected.append(KnownChange("added", "text", "", "This does not apply in the month of August."))
    gone = changed[55].pop(2)
    expected.append(KnownChange("removed", "number", gone, ""))
    moved = changed.pop(100)
    changed.insert(20, moved)
    expected.append(KnownChange("moved", "text", moved[1][:30], moved[1][:30]))
    changed.insert(70, ["Escrow of the source code", "An agent of both keeps the source code for a decade."])
    expected.append(KnownChange("added", "text", "", "Escrow of the source code"))
    expected.append(KnownChange("added", "text", "", "An agent of both keeps the source code for a decade."))
    return changed, expected


def number_clauses(clauses: Sequence[Sequence[str]]) -> list[str]:
    paragraphs = []
    for number, (heading, *sentences) in enumerate(clauses, 1):
        paragraphs += [f"{number}. {heading}", *(f"{number}.{at} {text}" for at, text in enumerate(sentences, 1))]
    return paragraphs


def set_lines(paragraphs: Sequence[str], width: int) -> list[str]:
    return [line for text in paragraphs for line in [*textwrap.wrap(text, width), ""]]


def set_pages(
    paragraphs: Sequence[str],
    *,
    width: int = 80,
    height: int = 44,
    head: str = "",
    foot: str = "Page {page} of {count}",
    misread: Callable[[str], str] = str,
    flags: int = 0,
) -> list[list[Word]]:
    """The words of each page."""
    lines = set_lines(paragraphs, width)
    pages = [lines[at : at + height] for at in range(0, len(lines), height)]
    printed = [[head, "", *lines, "", foot.format(page=at, count=len(pages))] for at, lines in enumerate(pages, 1)]
    return [number_rows(_place(lines, width, misread, flags)) for lines in printed]


def _place(lines: Sequence[str], width: int, misread: Callable[[str], str], flags: int) -> list[Word]:
    words = []
    for row, line in enumerate(lines):
        top, at = 0.03 + row * 0.019, 0
        for text in line.split():
            left = 0.08 + 0.84 * at / width
            right = left + 0.84 * len(text) / width
            words.append(Word(misread(text), left, top, right, top + 0.014, flags=flags))
            at += len(text) + 1
    return words


def store_pages(organization: Organization, name: str, pages: Sequence[Sequence[Word]]) -> Document:
    """A document that was read as these words."""
    document = Document.objects.create(organization=organization, name=name, sha256="0", size=1, file="x")
    reading = Reading.objects.create(
        document=document, number=1, status="completed", page_count=len(pages), pages_read=len(pages)
    )
    Page.objects.bulk_create(
        Page(reading=reading, number=at, width=600, height=800, engine="test", words=pack(words))
        for at, words in enumerate(pages, 1)
    )
    return document
