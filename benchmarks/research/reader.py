"""A scripted model that answers questions from the lines it was given alone, and now and then wrongly on purpose.

It searches with the question, chooses the line that holds most of the question's words, and says it with the line's
block id. Of what it gets wrong it knows how, so that the benchmark can look whether people were shown it as proven.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from agent.citations.repairs import REPAIR
from benchmarks.agent_tasks.good_model import GoodModel
from benchmarks.agent_tasks.request import Request
from tests.scripted_model import Reply, calls, says

LINE = re.compile(r"^\[(D\d+:[\d.]+)\] (.+)$", re.M)
WORD = re.compile(r"[\w./-]*\w")
SMALL = frozenset(
    "a an and are did from in is it letter of our that the to us was what where which who write".split()  # noqa: SIM905
)
ENOUGH = 0.34
"""Of the question's words in the chosen line and its document: below, a careful reader says that nothing was found."""
NOTHING = "Nothing about it was found."


class Slip(StrEnum):
    """What is wrong with an answer; a reader that corrects itself does so when it is asked to."""

    NONE = "none"
    NEXT_LINE = "the line beside it"
    OTHER_DOCUMENT = "a line of another document"
    CHANGED = "a changed number or last name"
    RENAMED = "a changed first word"
    INVENTED = "an invented block id"
    ADDED = "an amount of its own"
    UNFOUNDED = "a claim about what no document says"


@dataclass(frozen=True)
class FoundLine:
    document: str
    block: str
    text: str


class Reader(GoodModel):
    """`quotes`: it puts the words of the line between quotation marks. `corrects`: when it is asked to."""

    def ask(self, question: str, *, slip: Slip = Slip.NONE, quotes: bool = True, corrects: bool = False) -> None:
        self.question, self.slip, self.quotes, self.corrects = question, slip, quotes, corrects
        self.play(lambda: iter(()))  # type: ignore[arg-type, return-value]  # counts from here; steps are below

    def next_step(self, request: Request) -> Reply:
        lines = list(list_lines(request))
        repairs = REPAIR.partition(":")[0] in request.text
        if not any(name == "search_documents" for name, _ in request.results) and not has_page(request):
            return calls(("search_documents", {"query": self.question}))
        chosen = choose_line(self.question, lines)
        slip = Slip.NONE if repairs and self.corrects else self.slip
        if slip is Slip.UNFOUNDED and not lines:
            return says(f"{self.question.rstrip('?')}, and it is 9,999.50 euros.")
        if chosen is None and slip is not Slip.UNFOUNDED:
            return says(NOTHING)
        return says(self.write(chosen or lines[0], lines, slip))

    def write(self, line: FoundLine, lines: Sequence[FoundLine], slip: Slip) -> str:
        text, block = line.text, line.block
        if slip is Slip.NEXT_LINE:
            block = next((each.block for each in lines if each.document == line.document and each != line), block)
        if slip is Slip.OTHER_DOCUMENT:
            block = next((each.block for each in lines if each.document != line.document), block)
        if slip is Slip.CHANGED:
            text = change(text)
        if slip is Slip.RENAMED:
            text = rename(text)
        if slip is Slip.INVENTED:
            block = "D99:1.1"
        if slip is Slip.UNFOUNDED:
            text = self.question.rstrip("?")
        said = text.rstrip(".") if not self.quotes or slip is Slip.UNFOUNDED else f"It says “{text.rstrip('.')}”"
        said = said if self.quotes else said.replace(". ", ", ")  # one sentence, which its block id is for
        more = " and comes to 9,999.50 euros" if slip is Slip.ADDED else ""
        return f"{said}{more} [{block}]."


def list_lines(request: Request) -> Iterator[FoundLine]:
    """In the order in which they were given."""
    for name, result in request.results:
        if name == "search_documents" and isinstance(result, dict):
            for row in result.get("results", []):
                for passage in row.get("passages", []):
                    for block, text in LINE.findall(passage["text"]):
                        yield FoundLine(row["filename"], block, text)
    if has_page(request):
        yield from (FoundLine("", block, text) for block, text in LINE.findall(request.text))


def has_page(request: Request) -> bool:
    return '<data kind="document"' in request.text


def choose_line(question: str, lines: Sequence[FoundLine]) -> FoundLine | None:
    """Of the document that says most of the question the line that does; None where that is too little."""
    asked = split(question)
    by_document: dict[str, set[str]] = {}
    for line in lines:
        by_document.setdefault(line.document, set()).update(split(line.text) & asked)
    best = max(lines, key=lambda each: (len(by_document[each.document]), len(split(each.text) & asked)), default=None)
    return best if best and len(by_document[best.document]) >= ENOUGH * len(asked) else None


def split(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(text)} - SMALL


def change(text: str) -> str:
    """Another digit; in a line without one, another name in the place of its last."""
    if digits := re.search(r"\d", text):
        return f"{text[: digits.start()]}{(int(digits[0]) + 1) % 10}{text[digits.end() :]}"
    names = list(re.finditer(r"[A-Z]\w+", text))
    return f"{text[: names[-1].start()]}Zebedee{text[names[-1].end() :]}" if names else text


def rename(text: str) -> str:
    """Another name in the place of its first word with a capital letter."""
    return re.sub(r"[A-Z]\w+", "Zebedee", text, count=1)
