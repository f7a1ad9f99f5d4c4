"""`python -m benchmarks.research.states [--answers 300]`: whole answers, of which every third is wrong on purpose.

Each answer has some sentences about one document of `statements.toml`, in a shape that models write: paragraphs, lists,
headings, rows of a table, emphasis. A wrong answer has one wrong sentence: another role, number, day, name or order,
something that was added, the opposite. Printed are the states of its sentences, and how many answers were asked for
again. No model and no database is asked.
"""

from __future__ import annotations

import argparse
import random
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

from benchmarks.instruments import embedded

if __name__ == "__main__":
    embedded.start()

from agent.citations.sentences import Sentence, list_cited_sentences
from agent.citations.statements.checking import State, Verdict, check_statement
from agent.citations.statements.proofs import Proof
from benchmarks.research.matters import SURNAMES, TOWNS

STATEMENTS = Path(__file__).with_name("statements.toml")
FIRST_NAMES = "Anna Bruno Carla Dario Elena Felix Greta Henri Irma Jonas".split()  # noqa: SIM905
SHAPES = ("{}", "- {}", "## {}", "| {} |", "**{}**", "> {}")
SENTENCES, WRONG_EACH = 3, 3


@dataclass(frozen=True)
class Answer:
    """`lines` of its document by their number; `wrong` is the text of the one wrong sentence, or empty."""

    text: str
    lines: Mapping[int, str]
    wrong: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=300)
    parser.add_argument("--show", action="store_true", help="sentences that are right and not proven, and why")
    wish = parser.parse_args()
    answers = list(make_answers(random.Random(35), wish.answers))
    states: dict[bool, Counter[State]] = {True: Counter(), False: Counter()}
    asked_again, began = Counter[bool](), time.process_time()
    for answer in answers:
        verdicts = [(each, check(each, answer.lines)) for each in list_cited_sentences(answer.text)]
        asked_again[bool(answer.wrong)] += any(verdict.missing and verdict.asks_again for _, verdict in verdicts)
        for sentence, verdict in verdicts:
            is_right = not answer.wrong or answer.wrong != sentence.statement.strip(" -#|*>.")
            states[is_right][verdict.state] += 1
            is_odd = verdict.state is (State.UNSUPPORTED if is_right else State.PROVEN)
            if is_odd or (wish.show and is_right and verdict.gap):
                because = verdict.gap or "; ".join(verdict.missing)
                print(f"{'right' if is_right else 'wrong'}, {verdict.state}: {sentence.text} ({because})")
    spent = (time.process_time() - began) / sum(each.total() for each in states.values()) * 1000
    print(f"{len(answers)} answers, {sum(bool(each.wrong) for each in answers)} of them wrong")
    print(f"{'sentences':12} {'all':>6} {' '.join(f'{state:>18}' for state in State)}")
    for is_right, title in ((True, "right"), (False, "wrong")):
        counts = states[is_right]
        print(f"{title:12} {counts.total():6} {' '.join(f'{counts[state]:18}' for state in State)}")
    print(f"right ones that are cited, not checked: {states[True][State.NOT_CHECKED] / states[True].total():.1%}")
    print(f"asked for again: {asked_again[False]} right answers, {asked_again[True]} wrong ones")
    print(f"{spent:.2f} ms of CPU a sentence")


def check(sentence: Sentence, lines: Mapping[int, str]) -> Verdict:
    number = int(sentence.blocks[0].rpartition(".")[2])
    beside = {f"D1:1.{at}": line for at, line in lines.items() if at != number}
    return check_statement(sentence.statement, [Proof(lines[number], "document.pdf", beside, f"r.1.{number}")])


def make_answers(chooser: random.Random, count: int) -> Iterator[Answer]:
    documents = tomllib.loads(STATEMENTS.read_text(encoding="utf-8"))["document"]
    for at in range(count):
        document = documents[at % len(documents)]
        values = make_values(chooser)
        lines = {number: line.format(**values) for number, line in enumerate(document["lines"], start=1)}
        chosen = chooser.sample(document["right"], SENTENCES)
        wrong = ""
        if at % WRONG_EACH == WRONG_EACH - 1:
            wrong = document["wrong"][at // (WRONG_EACH * len(documents)) % len(document["wrong"])]
            chosen[chooser.randrange(SENTENCES)] = wrong
        text = "\n\n".join(write(each.format(**values), chooser.choice(SHAPES)) for each in chosen)
        yield Answer(text, lines, wrong.format(**values).partition(" ")[2].rstrip(".") if wrong else "")


def write(numbered: str, shape: str) -> str:
    number, _, text = numbered.partition(" ")
    end = "." if text.endswith(".") else ""
    return shape.format(f"{text.removesuffix('.')} [D1:1.{number}]{end}")


def make_values(chooser: random.Random) -> dict[str, str]:
    names = list_names(chooser)
    amount, day = Decimal(chooser.randrange(300, 900)), date(2024, 1, 1) + timedelta(days=chooser.randrange(900))
    net = Decimal(chooser.randrange(10_000, 90_000)) / 100
    tax = (net / 5).quantize(net)
    return {
        **dict(zip(("payer", "payee", "other"), names, strict=True)),
        "amount": f"{amount}.00",
        "more": f"{amount * 3:,}.00",
        "net": f"{net}",
        "tax": f"{tax}",
        "gross": f"{net + tax}",
        "day": f"{day:%d.%m.%Y}",
        "later": f"{day + timedelta(days=chooser.randrange(100, 900)):%d.%m.%Y}",
        "number": str(chooser.randrange(2, 30)),
        "count": str(chooser.randrange(13, 90)),
        "code": f"INV-{chooser.randrange(1000, 9999)}",
        "town": chooser.choice(TOWNS),
    }


def list_names(chooser: random.Random) -> Sequence[str]:
    firsts, families = chooser.sample(FIRST_NAMES, 3), chooser.sample(SURNAMES, 3)
    return [f"{first} {family}" for first, family in zip(firsts, families, strict=True)]


if __name__ == "__main__":
    main()
