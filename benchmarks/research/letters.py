"""2,000 made-up letters of one page, and questions in sentences about them.

Amounts are of 300 letters each, and every letter has a twin that differs in its number, its day and its amount alone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from accounts.models import Organization
from benchmarks.research.matters import FILLERS, SURNAMES, TOWNS, WORDINGS
from documents.index.words.indexing import index_document
from documents.models import Document, Page, Reading
from reader.words import Word, pack

DOCUMENTS, QUESTIONS_A_KIND = 2_000, 50
KINDS = ("words", "names", "numbers", "days", "no answer")
VOWELS_FOR_DIGITS = str.maketrans("0123456789", "aeioubdfgk")


@dataclass(frozen=True)
class Letter:
    name: str
    wording: str
    filler: int
    writer: str
    town: str
    number: str
    day: date
    amount: str

    @property
    def lines(self) -> list[str]:
        return [
            f"{self.writer}, {self.town}",
            f"Our reference {self.number}",
            f"Date: {self.day:%d.%m.%Y}",
            *FILLERS[self.filler : self.filler + 3],
            f"{self.wording} {self.town}, {self.writer}.",
            f"The amount is {self.amount} euros.",
            *FILLERS[4:6],
        ]


@dataclass(frozen=True)
class Question:
    """`line` is the line of the letter that answers it."""

    kind: str
    text: str
    letter: Letter | None = None
    line: int = 0


def make_letters(chooser: random.Random) -> list[Letter]:
    letters: list[Letter] = []
    while len(letters) < DOCUMENTS:
        pair = len(letters) // 2
        matter = pair % len(WORDINGS)
        first = f"{chooser.choice('ABCDEFGHKLMNPRSTW')}{pair:03}".lower().translate(VOWELS_FOR_DIGITS).title()
        wording = chooser.choice(WORDINGS[matter])
        writer = f"{first} {chooser.choice(SURNAMES)}"
        town = TOWNS[pair // len(WORDINGS) % len(TOWNS)]
        for at in (len(letters), len(letters) + 1):
            day = date(2019, 1, 1) + timedelta(days=at * 7 % 2_557)
            number = f"AZ-{2019 + at % 7}/{at * 37 % 10_000:04}"
            amount = f"{1 + at % 6},{at % 300:03}.50"
            letters.append(Letter(f"letter {at}.pdf", wording, matter % 3, writer, town, number, day, amount))
    return letters


def make_questions(letters: Sequence[Letter], chooser: random.Random) -> list[Question]:
    """With twins either is right, but where a number or a day tells them apart."""
    questions = []
    for letter in chooser.sample(letters, QUESTIONS_A_KIND):
        words = letter.wording.rstrip(".").lower()
        questions.append(Question("words", f"Where is it said that {words}, in {letter.town}?", letter, 7))
    for letter in chooser.sample(letters, QUESTIONS_A_KIND):
        questions.append(Question("names", f"What did {letter.writer} from {letter.town} write to us?", letter, 1))
    for letter in chooser.sample(letters, QUESTIONS_A_KIND):
        questions.append(Question("numbers", f"Which letter has the reference {letter.number}?", letter, 2))
    for letter in chooser.sample(letters, QUESTIONS_A_KIND):
        text = f"What did {letter.writer} write in the letter of {letter.day:%d.%m.%Y}?"
        questions.append(Question("days", text, letter, 3))
    for number in range(QUESTIONS_A_KIND):
        text = f"What did the shipyard in Reykjavik{number} say about submarine QX-{number:03}?"
        questions.append(Question("no answer", text))
    return questions


def list_right(question: Question) -> set[str]:
    """Names of the letter and, where nothing of the question tells them apart, of its twin."""
    if question.letter is None:
        return set()
    number = int(question.letter.name.removeprefix("letter ").removesuffix(".pdf"))
    alike = {number} if question.kind in ("numbers", "days") else {number, number ^ 1}
    return {f"letter {each}.pdf" for each in alike}


def store_letter(organization: Organization, letter: Letter) -> None:
    """Store and index it as if it had been read."""
    document = Document.objects.create(
        organization=organization,
        name=letter.name,
        sha256="0",
        size=1,
        file="x",
        media_type="application/pdf",
        state="ocr_completed",
    )
    reading = Reading.objects.create(document=document, number=1, status="completed", page_count=1)
    words = [word for at, line in enumerate(letter.lines, start=1) for word in place_line(at, line)]
    Page.objects.create(reading=reading, number=1, width=600, height=800, engine="bench", words=pack(words))
    index_document(document)


def place_line(number: int, text: str) -> list[Word]:
    top = 0.05 + 0.03 * number
    return [
        Word(word, 0.05 + 0.05 * at, top, 0.09 + 0.05 * at, top + 0.02, line=number)
        for at, word in enumerate(text.split())
    ]
