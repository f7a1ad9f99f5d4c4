"""What the lines that a model names do for the proof of repeated numbers.

    python -m benchmarks.recognition.line_hints [--data DIR]

Made-up documents whose numbers stand in several places: equal sums, equal dates, rows that are printed again on another
page, labels in a language that the schema does not know; and the receipts of DIR, whose totals are printed up to five
times. Each value is located without a line, with the right one, with one of another line, and with the line below the
right one. Right is a value on its line, wrong one on another.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.recognition.locating import pages_from_lines, schema_for
from documents.locate import locate
from documents.locate.leaves import LineHints, LineSpan
from documents.values import add_row_ids, get_wire_path
from reader.words import Word
from tests.documents.words_builder import pages as make_pages

Place = tuple[int, int]
Case = tuple[dict[str, Any], dict[str, Place], list[tuple[int, list[Word]]]]
LABELS = ("Netto", "Brutto", "Anzahlung", "Rest", "Zu zahlen", "Subtotal", "Total", "Tax", "Paid")
FIELDS = ("subtotal", "total", "deposit", "balance", "amount_due")


def make_document(chance: random.Random) -> Case:
    amounts = [chance.randint(100, 9999) / 100 for _ in range(3)]
    rows = [
        {"sku": f"{chance.choice('AB')}-{chance.randint(1, 5)}00", "quantity": chance.randint(1, 3), "amount": amount}
        for amount in chance.choices(amounts, k=chance.randint(3, 30))
    ]
    lines = ["Rechnung 4711", ""]
    fields: dict[str, Any] = {}
    truth: dict[str, Place] = {}
    day = f"2026-0{chance.randint(1, 9)}-1{chance.randint(0, 9)}"
    for name in ("issued", "due"):
        lines.append(f"{chance.choice(('Datum', 'Vom', 'Bis', 'Date'))}   {day}")
        fields[name], truth[name] = day, (1, len(lines))
    table = [f"{row['sku']:<12}{row['quantity']:>6}{row['amount']:>16.2f}" for row in rows]
    pages = [[*lines, *table], ["Kopie", *table]] if chance.random() < 0.5 else [[*lines, *table]]
    which = chance.randint(1, len(pages))
    first = (len(lines) if which == 1 else 1) + 1
    for at in range(len(rows)):
        truth.update({f"items.{at}.{name}": (which, first + at) for name in ("sku", "quantity", "amount")})
    fields["items"] = rows
    for name in chance.sample(FIELDS, 3):
        fields[name] = chance.choice(amounts)
        pages[-1].append(f"{chance.choice(LABELS):<18}{fields[name]:>16.2f}")
        truth[name] = (len(pages), len(pages[-1]))
    return fields, truth, make_pages(*("\n".join(line or "." for line in page) for page in pages))


def read_receipts(data: Path) -> Iterator[Case]:
    """Right is any line that prints the total beside a word for it; the first of them is the line that is named."""
    for path in sorted((data / "ground_truth").glob("sroie_*.json")):
        truth = json.loads(path.read_text())
        pages = pages_from_lines(truth)
        total = str(truth["fields"]["total"]).lstrip("RM$")
        texts: dict[int, str] = {}
        for word in pages[0][1]:
            texts[word.line] = f"{texts.get(word.line, '')} {word.text}".strip()
        named = [line for line, text in texts.items() if "total" in text.casefold() and total in text]
        if named:
            yield {"total": float(total)}, {"total": (1, named[0])}, pages


def name_lines(truth: dict[str, Place], move: Callable[[Place], Place]) -> LineHints:
    spans: dict[str, list[Place]] = {}
    for path, place in truth.items():
        spans.setdefault(path.partition(".")[0], []).append(move(place))
    return {name: (LineSpan(min(places), max(places)),) for name, places in spans.items()}


def judge(case: Case, hints: LineHints) -> dict[str, str]:
    """Of each value whether its place is right."""
    fields, truth, pages = case
    stored = add_row_ids(fields)
    verdicts: dict[str, str] = {}
    for where, place in locate(stored, schema_for(fields), pages, hints).items():
        path = get_wire_path(stored, where)
        page, line = map(int, place.blocks[0].split(".")[:2]) if place.blocks else (0, 0)
        verdicts[path] = "not located" if not page else "right" if (page, line) == truth[path] else "wrong"
    return verdicts


def measure(title: str, cases: list[Case], chance: random.Random) -> None:
    moves: dict[str, Callable[[Place], Place] | None] = {
        "without": None,
        "right lines": lambda place: place,
        "other lines": lambda place: (place[0], chance.randint(1, 40)),
        "one line below": lambda place: (place[0], place[1] + 1),
    }
    for name, move in moves.items():
        counts: Counter[str] = Counter({"right": 0, "wrong": 0, "not located": 0})
        spoilt = 0
        for case in cases:
            before, after = judge(case, {}), judge(case, name_lines(case[1], move) if move else {})
            counts.update(after.values())
            spoilt += sum(1 for path, verdict in after.items() if verdict != "right" == before[path])
        print(f"{title}, {name}: " + ", ".join(f"{state} {number}" for state, number in counts.items()), end="")
        print(f"; right before and no more: {spoilt}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--made-up", type=int, default=150)
    wish = parser.parse_args()
    chance = random.Random(3)
    measure("made up", [make_document(chance) for _ in range(wish.made_up)], chance)
    if wish.data:
        measure("receipts", list(read_receipts(wish.data)), chance)


if __name__ == "__main__":
    main()
