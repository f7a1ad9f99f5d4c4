"""How often rows that are missing are noticed by a printed total, and how often an alarm is false.

    python -m benchmarks.recognition.printed_totals --data DIR [--ocr]

DIR has files/ and ground_truth/ with `fields`; of receipts the rows are the lines with an amount above the first total.
Beside them invoices are made up with what makes sums differ: discounts, taxes, shipping, subtotals of groups, sums that
are carried on, in four languages, on one to four pages. Each is judged with all of its rows, where any alarm is false,
and without one row, without two neighbours, and without the rows of a page.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.recognition.locating import cases, schema_for
from documents.checks.checked_values import CheckedValues
from documents.checks.judging import judge_by_printed_totals
from documents.checks.schema_paths import SchemaPaths
from documents.locate import locate
from documents.locate.printed_sums import collect_printed_sums
from documents.values import add_row_ids
from reader.words import Word
from tests.documents.words_builder import pages as make_pages

WORDS = {
    "en": ("Subtotal", "Total", "Discount 5 %", "Shipping", "VAT 20 %", "Carried forward", "Brought forward", "Paid"),
    "de": (
        "Zwischensumme",
        "Gesamtbetrag",
        "Rabatt 5 %",
        "Versandkosten",
        "MwSt 19 %",
        "Übertrag",
        "Übertrag",
        "Anzahlung",
    ),
    "fr": ("Sous-total", "Total TTC", "Remise 5 %", "Frais de port", "TVA 20 %", "À reporter", "Report", "Acompte"),
    "es": ("Subtotal", "Total", "Descuento 5 %", "Portes", "IVA 21 %", "Suma y sigue", "Suma anterior", "Pagado"),
}
NAMES = (
    "Copper pipe 15 mm",
    "Packing tape",
    "Laser toner",
    "Consulting",
    "Delivery of pallets",
    "Net for fruit",
    "Bolts",
)
Case = tuple[str, dict[str, Any], list[tuple[int, list[Word]]]]


def make_invoice(chance: random.Random) -> Case:
    language = chance.choice(list(WORDS))
    subtotal, total, discount, shipping, tax, carried, brought, paid = WORDS[language]

    def write(words: str, amount: float, sku: str = "", count: int = 0) -> str:
        printed = f"{amount:,.2f}"
        if language != "en":
            printed = printed.translate(str.maketrans(",.", ".,"))
        return f"{sku:<10}{words:<28}{count or '':>6}{printed:>16}"

    head = f"{'No':<10}{'Description':<28}{'Qty':>6}{'Price':>16}"
    rows = [
        {
            "sku": f"{chance.choice('ABC')}{at:03}",
            "description": chance.choice(NAMES),
            "quantity": chance.randint(1, 20),
            "amount": chance.randint(100, 999_999) / 100,
        }
        for at in range(chance.randint(3, 60))
    ]
    lines = [f"Rechnung {chance.randint(1000, 9999)}", head]
    pages, running, group = [lines], 0.0, 0.0
    has_groups, has_carry, is_gross = chance.random() < 0.3, chance.random() < 0.6, chance.random() < 0.3
    for at, row in enumerate(rows):
        if len(lines) > 22:
            lines += [write(carried, running)] * has_carry
            lines = [head, *[write(brought, running)] * has_carry]
            pages.append(lines)
        lines.append(write(row["description"], row["amount"], row["sku"], row["quantity"]))
        running, group = running + row["amount"], group + row["amount"]
        if has_groups and at % 7 == 6:
            lines.append(write(subtotal, group))
            group = 0.0
    after = running
    lines += [write(subtotal, running)] * (not is_gross)
    for word, share in ((discount, -0.05), (shipping, 0.0), (tax, 0.2)):
        if chance.random() < 0.5:
            change = round(after * share, 2) if share else chance.randint(500, 5000) / 100
            after += change
            lines.append(write(word, change))
    lines.append(write(total, after))
    if chance.random() < 0.2:
        lines += [write(paid, after / 2), write(total, after / 2)]
    fields: dict[str, Any] = {"line_items": rows}
    if chance.random() < 0.7:
        fields["total"] = round(after, 2)
    return f"made up, {language}", fields, make_pages(*("\n".join(page) for page in pages))


def take_rows(name: str, fields: dict[str, Any], pages: list[tuple[int, list[Word]]]) -> dict[str, Any]:
    """Of a receipt: the lines with an amount above the first total."""
    if "line_items" in fields or "sroie" not in name:
        return fields
    rows = []
    lines: dict[int, list[str]] = {}
    for word in pages[0][1]:
        lines.setdefault(word.line, []).append(word.text)
    for words in lines.values():
        text = " ".join(words)
        if re.search("total|amount|tax|gst", text, re.IGNORECASE):
            break
        amount = re.search(r"(\d+\.\d\d)\D*$", text)
        if amount and len(words) > 1 and float(amount[1]):
            rows.append({"description": words[0], "amount": float(amount[1])})
    return {**fields, "line_items": rows} if len(rows) > 1 else fields


def find_alarms(fields: dict[str, Any], schema: dict[str, Any], pages: list[tuple[int, list[Word]]]) -> list[str]:
    stored = add_row_ids(fields)
    places = locate(stored, schema, pages)
    provenance = {where: place.as_json() for where, place in places.items()}
    printed = collect_printed_sums(stored, places, pages)
    values = CheckedValues(stored, SchemaPaths(schema), provenance=provenance, printed=printed)
    return [result["message"] for result in judge_by_printed_totals([], values)]


def iterate_losses(rows: Sequence[Any], chance: random.Random) -> Iterator[tuple[str, Sequence[Any]]]:
    for at in sorted(chance.sample(range(len(rows)), min(len(rows), 5))):
        yield "one row", [*rows[:at], *rows[at + 1 :]]
    if len(rows) > 4:
        at = chance.randrange(len(rows) - 2)
        yield "two neighbours", [*rows[:at], *rows[at + 2 :]]
    if len(rows) > 30:
        yield "a page", [*rows[:22], *rows[44:]]


def measure(case: Case, chance: random.Random, counts: Counter[str], *, is_quiet: bool) -> None:
    name, fields, pages = case
    fields = take_rows(name, fields, pages)
    rows = fields.get("line_items") or []
    if len(rows) < 3:
        return
    schema = schema_for(fields)
    counts["whole"] += 1
    if alarms := find_alarms(fields, schema, pages):
        counts["false alarms"] += 1
        print(f"FALSE  {name}: {alarms[0]}")
    for loss, left in iterate_losses(rows, chance):
        counts[f"without {loss}"] += 1
        alarms = find_alarms({**fields, "line_items": left}, schema, pages)
        counts[f"without {loss}, noticed"] += bool(alarms)
        if not is_quiet:
            print(f"{'noticed' if alarms else 'MISSED '} {name}, without {loss}: {alarms[0] if alarms else ''}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--ocr", action="store_true", help="read pictures with OCR")
    parser.add_argument("--made-up", type=int, default=200)
    parser.add_argument("--quiet", action="store_true")
    wish = parser.parse_args()
    chance = random.Random(5)
    of_files: Counter[str] = Counter()
    for case in cases(wish.data, wish.ocr) if wish.data else ():
        measure(case, chance, of_files, is_quiet=wish.quiet)
    made_up: Counter[str] = Counter()
    for _ in range(wish.made_up):
        measure(make_invoice(chance), chance, made_up, is_quiet=True)
    for title, counts in (("files", of_files), ("made up", made_up)):
        print(f"{title}: " + ", ".join(f"{name} {count}" for name, count in counts.items()))


if __name__ == "__main__":
    main()
