"""How many known values the locator finds, and how many of its boxes are wrong.

    python -m benchmarks.recognition.locating --data DIR [--ocr]

DIR has files/ and ground_truth/ with `fields`. Pages come from the product's own reader; without --ocr pictures take
their transcribed lines instead (receipts) or are left out. A box counts as wrong when the words under it do not say
the value, and, for invoices that print a label or a row around each value, when that label or row is not beside it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from documents.locate import locate
from documents.values import Location, State, add_row_ids, get_value, iterate_leaves
from documents.values.open_value import OpenValue
from kit.errors import AppError
from reader.pool.readers import ReaderPool
from reader.words import Word, number_rows

KINDS = {int: "integer", float: "number", str: "string", bool: "boolean"}
# What stands on the line of each invoice field, or right above it.
LABELS = {
    "invoice_number": "Invoice no",
    "invoice_date": "Invoice date",
    "due_date": "Due date",
    "po_number": "order",
    "subtotal": "Subtotal",
    "tax_rate": "Tax",
    "tax": "Tax",
    "total": "Total",
    "iban": "IBAN",
}


def schema_for(value: Any) -> dict[str, Any]:
    """A schema as a person would write it without any description, which is the harder case."""
    if isinstance(value, dict):
        return {"type": "object", "properties": {name: schema_for(inner) for name, inner in value.items()}}
    if isinstance(value, list):
        return {"type": "array", "items": schema_for(value[0]) if value else {}}
    return {"type": KINDS.get(type(value), "string")}


def pages_from_lines(truth: dict[str, Any]) -> list[tuple[int, list[Word]]]:
    """Words of a receipt from its transcribed lines, the width of a line shared out by letters."""
    width, height = truth["image_size"]
    words = []
    for line in truth["lines"]:
        left, top, right, bottom = line["bbox"]
        scale = (right - left) / max(len(line["text"]), 1)
        for part in re.finditer(r"\S+", line["text"]):
            start, end = left + part.start() * scale, left + part.end() * scale
            words.append(Word(part[0], start / width, top / height, end / width, bottom / height))
    return [(1, number_rows(words))]


def cases(data: Path, ocr: bool) -> Iterator[tuple[str, dict[str, Any], list[tuple[int, list[Word]]]]]:
    pool = ReaderPool(1)
    try:
        for path in sorted((data / "ground_truth").glob("*.json")):
            truth = json.loads(path.read_text())
            files = [file for file in (data / "files").iterdir() if file.name == path.stem or file.stem == path.stem]
            if not truth.get("fields") or not files:
                continue
            file = min(files, key=lambda file: (file.suffix != ".docx", len(file.name)))
            picture = file.suffix == ".jpg" or "rot90" in file.name
            if picture and not ocr:
                if "lines" in truth:
                    yield file.name, truth["fields"], pages_from_lines(truth)
                continue
            try:
                yield file.name, truth["fields"], read(pool, file)
            except AppError as refused:
                print(f"{file.name}: {refused.sentence}")
    finally:
        pool.close()


def read(pool: ReaderPool, file: Path) -> list[tuple[int, list[Word]]]:
    count = pool.inspect(file).page_count
    return [(page.number, page.words) for page in pool.read(file, list(range(1, count + 1)))]


def plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def says(value: Any, quote: str) -> bool:
    """Independent of the locator's own reading: digits in order for numbers and dates, letters and digits for text."""
    if isinstance(value, (int, float)):
        digits = re.sub(r"\D", "", quote)
        return digits in {re.sub(r"\D", "", f"{value:.{places}f}") for places in range(4)}
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return value[:4] in quote or value[2:4] in quote
    return plain(value) in plain(quote) or plain(quote) in plain(value) or str(value) in quote


def is_in_place(where: str, place: Location, rows: dict[tuple[int, str], str], row_key: str) -> bool:
    lines = [rows[int(block.split(".")[0]), block.split(".")[1]] for block in place.blocks]
    if "[" in where:
        return any(row_key in line for line in lines)
    label = LABELS.get(where)
    if label is None:
        return True
    if where == "total" and any("Subtotal" in line for line in lines):
        return False
    return any(label.casefold() in line.casefold() for line in lines)


def run(
    name: str, fields: dict[str, Any], pages: list[tuple[int, list[Word]]]
) -> tuple[Counter[str], list[str], float]:
    stored = add_row_ids(fields)
    started = time.process_time()
    places = locate(stored, schema_for(fields), pages)
    seconds = time.process_time() - started
    rows: dict[tuple[int, str], str] = {}
    for number, words in pages:
        for word in words:
            key = number, str(word.line)
            rows[key] = f"{rows.get(key, '')} {word.text}".strip()
    counts: Counter[str] = Counter()
    complaints = []
    for where, value in iterate_leaves(stored):
        result = places[where]
        counts[result.state] += 1
        row_key = str(get_value(stored, where.rpartition(".")[0]).get("sku", "")) if "[" in where else ""
        if not result.is_located:
            complaints.append(f"    not located {where} = {value!r}: {result.note}")
        elif not says(value, result.words) or ("gen_" in name and not is_in_place(where, result, rows, row_key)):
            counts["wrong"] += 1
            complaints.append(f"    WRONG {where} = {value!r}: {result.words!r} {result.blocks}")
    return counts, complaints, seconds


def alter(value: Any, chance: random.Random) -> Any:
    """The value with one digit, letter or step changed, as a model might misread it."""
    if isinstance(value, (int, float)):
        return round(value + chance.choice([1, 2, 3, 10] if isinstance(value, int) else [0.01, 0.1, 1, 10, -0.1]), 2)
    at = chance.choice([at for at, char in enumerate(value) if char.isalnum()])
    return value[:at] + chance.choice("0123456789" if value[at].isdigit() else "abcdefghijkl") + value[at + 1 :]


def false_boxes(fields: dict[str, Any], pages: list[tuple[int, list[Word]]], chance: random.Random) -> tuple[int, int]:
    """Values altered one at a time, and how many of them were located although they are not on the page."""
    stored, tried, boxed = add_row_ids(fields), 0, 0
    for where, value in iterate_leaves(stored):
        other = alter(value, chance)
        if str(other).casefold() != str(value).casefold():
            tried += 1
            altered = OpenValue(stored)
            altered.set_value(where, other)
            place = locate(altered.close(), schema_for(fields), pages)[where]
            boxed += place.state in (State.EXACT, State.NORMALIZED)
    return tried, boxed


def format_counts(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--ocr", action="store_true", help="read pictures with OCR")
    parser.add_argument("--quiet", action="store_true")
    options = parser.parse_args()
    total: Counter[str] = Counter({"wrong": 0, "altered": 0, "altered but boxed": 0})
    chance = random.Random(3)
    for name, fields, pages in cases(options.data, options.ocr):
        counts, complaints, seconds = run(name, fields, pages)
        tried, boxed = false_boxes(fields, pages, chance)
        total.update({**counts, "altered": tried, "altered but boxed": boxed})
        print(f"{name:28} {seconds * 1000:6.1f} ms  {format_counts(counts)}")
        if complaints and not options.quiet:
            print("\n".join(complaints))
    print("total", format_counts(total))


if __name__ == "__main__":
    main()
