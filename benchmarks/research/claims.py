"""`python -m benchmarks.research.claims`: sentences about 2,000 letters against the line that each names, by rules.

For each letter sentences that its lines prove, word for word and in words of one's own, and the same sentences with one
thing changed: a digit, the day, a name at the beginning, in the middle and at the end, the line. Printed are the shares
that are proven, cited and not checked, and unsupported, with one that should not be. No model and no database is asked:
`agent.citations.statements.checking`.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

from benchmarks.instruments import embedded

if __name__ == "__main__":
    embedded.start()

from agent.citations.statements.checking import State, check_statement
from agent.citations.statements.proofs import Proof
from benchmarks.research.letters import Letter, make_letters

WRITER, NUMBER, DAY, MATTER, AMOUNT = 1, 2, 3, 7, 8


class Claim(NamedTuple):
    """`line` of the letter is the one that the sentence names. `is_right`: whether it says it."""

    kind: str
    text: str
    line: int
    is_right: bool


def main() -> None:
    chooser = random.Random(9)
    letters = make_letters(random.Random(7))
    claims = [(letter, claim) for letter in letters for claim in make_claims(letter, chooser.choice(letters))]
    shown: dict[tuple[bool, str], Counter[State]] = {}
    examples: dict[tuple[bool, str], str] = {}
    began = time.process_time()
    for letter, claim in claims:
        state = check(letter, claim)
        shown.setdefault((claim.is_right, claim.kind), Counter())[state] += 1
        if state == (State.UNSUPPORTED if claim.is_right else State.PROVEN):
            examples.setdefault((claim.is_right, claim.kind), f"“{claim.text}” by “{letter.lines[claim.line - 1]}”")
    spent = (time.process_time() - began) / len(claims) * 1000
    for is_right, title in (
        (True, "sentences that their line says"),
        (False, "sentences that their line does not say"),
    ):
        head = " ".join(f"{state:>18}" for state in State)
        print(f"\n{title:42} {'asked':>7} {head}   otherwise, for example")
        rows = {kind: states for (right, kind), states in shown.items() if right is is_right}
        for kind, states in {**rows, "all": sum(rows.values(), Counter())}.items():
            shares = " ".join(f"{states[state] / states.total():18.4f}" for state in State)
            print(f"{kind:42} {states.total():7,} {shares}   {examples.get((is_right, kind), '')}")
    print(f"\n{spent:.2f} ms of CPU a sentence")


def check(letter: Letter, claim: Claim) -> State:
    beside = {f"D1:1.{at}": line for at, line in enumerate(letter.lines, start=1) if at != claim.line}
    return check_statement(claim.text, [Proof(letter.lines[claim.line - 1], letter.name, beside)]).state


def make_claims(letter: Letter, other: Letter) -> Iterator[Claim]:
    for line in (WRITER, NUMBER, DAY, MATTER, AMOUNT):
        yield Claim("word for word", letter.lines[line - 1], line, True)
        yield Claim("as a quotation", f"It says “{letter.lines[line - 1].rstrip('.')}”.", line, True)
    for line, texts in write_freely(letter).items():
        yield from (Claim("in words of one's own", text, line, True) for text in texts)
    yield from list_wrong(letter, other)


def write_freely(letter: Letter) -> dict[int, Sequence[str]]:
    """By the number of the line that each sentence is about."""
    return {
        WRITER: (
            f"{letter.writer} wrote it from {letter.town}.",
            f"The sender is {letter.writer}.",
            f"According to the letterhead, {letter.writer} lives in {letter.town}.",
        ),
        NUMBER: (f"Reference: {letter.number}", f"{letter.number} is the number of the letter."),
        DAY: (f"Dated {letter.day:%d %B %Y}, it is the first one.", f"Written on {letter.day:%Y-%m-%d}."),
        AMOUNT: (f"Payment of {letter.amount} euros is asked for.", f"Costs come to EUR {letter.amount}."),
    }


def list_wrong(letter: Letter, other: Letter) -> Iterator[Claim]:
    for line, texts in write_freely(rewrite(letter, other)).items():
        yield from (Claim("the facts of another letter", text, line, False) for text in texts)
    yield Claim("another name at the beginning", f"{other.writer} wrote it from {letter.town}.", WRITER, False)
    yield Claim("one word of another name at the beginning", f"Zebedee {letter.writer.split()[-1]}.", WRITER, False)
    yield Claim("an invented name alone at the beginning", f"Zebedee {decapitalize(letter.wording)}", MATTER, False)
    yield Claim("a first name alone at the beginning", f"Peter {decapitalize(letter.wording)}", MATTER, False)
    yield Claim("another name at the end", f"The sender of it is {other.writer}.", WRITER, False)
    for line in (NUMBER, DAY, AMOUNT):
        text = letter.lines[line - 1]
        at = next(at for at, char in enumerate(text) if char.isdigit())
        yield Claim("another digit", f"{text[:at]}{(int(text[at]) + 1) % 10}{text[at + 1 :]}", line, False)
    yield Claim("another currency", f"Payment of {letter.amount} dollars is asked for.", AMOUNT, False)
    yield Claim("another unit", f"A discount of {letter.amount} % is given.", AMOUNT, False)
    for line, text in ((MATTER, letter.lines[MATTER - 1]), (AMOUNT, letter.lines[AMOUNT - 1])):
        yield Claim("the line beside", text, line - 1, False)
        yield Claim("the line of the writer", text, WRITER, False)


def rewrite(letter: Letter, other: Letter) -> Letter:
    """With the facts of the other one, and where these are the same with others."""
    amount = other.amount if other.amount != letter.amount else "9,999.99"
    day = other.day if other.day != letter.day else letter.day + timedelta(days=1)
    number = other.number if other.number != letter.number else "AZ-1999/0001"
    writer = other.writer if other.writer != letter.writer else "Zebedee Ziegler"
    return replace(letter, writer=writer, number=number, day=day, amount=amount)


def decapitalize(text: str) -> str:
    return f"{text[0].lower()}{text[1:]}"


if __name__ == "__main__":
    main()
