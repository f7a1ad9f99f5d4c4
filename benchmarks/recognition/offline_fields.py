"""What the offline model takes out of invoices: `python -m benchmarks.recognition.offline_fields [--data DIR]`.

Invoices are made in eight languages and six layouts, with fields left out at random. For each kind of field: values
right, wrong, silent (printed, not given) and invented (not printed, given), beside a bare baseline in the same run: the
first value behind a label of the same tables in the plain text of the page. `--data` takes a folder of `files` and
`ground_truth` instead. `--seed` makes others; those that rules were written on have seeds below 100.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pypdfium2

from benchmarks.recognition.invoices.facts import Facts, Truth, make_facts
from benchmarks.recognition.invoices.pages import LAYOUTS, write_invoice
from benchmarks.recognition.invoices.words import LANGUAGES
from benchmarks.recognition.reading import truth_of
from documents.reading.tables.marked_lines import mark_lines
from documents.reading.tables.page_blocks import find_blocks
from kit.errors import AppError
from offline_model.fields.extraction import extract
from offline_model.fields.layout import read_layout
from offline_model.fields.values import parse_date, parse_value
from offline_model.fields.vocabulary import BY_NAME, lookup_field
from offline_model.schemas import Schema
from offline_model.text import compile_labels
from printed.folding import fold_letters
from reader.pages import Limits
from reader.pdf.source import PdfSource
from reader.pool.readers import get_pool
from reader.words import Word, join_text

LIMITS = Limits(max_bytes=20_000_000, max_pages=20, max_pixels=60_000_000)
TEXTS = ("vendor", "customer", "company", "address", "invoice_number", "po_number", "vat_number", "iban", "currency")
DATES = ("invoice_date", "due_date", "date")
NUMBERS = ("subtotal", "tax_rate", "tax", "total")
CELLS = ("sku", "description", "quantity", "unit_price", "amount")
STATES = ("right", "wrong", "silent", "invented")
Scores = dict[str, Counter[str]]


def make_schema(truth: Truth) -> Schema:
    kinds = dict.fromkeys(TEXTS, "string") | dict.fromkeys(DATES, "string") | dict.fromkeys(NUMBERS, "number")
    properties: dict[str, Schema] = {name: {"type": [kinds[name], "null"]} for name in truth if name in kinds}
    for name in set(DATES[:2]) & properties.keys():
        properties[name]["format"] = "date"
    numeric = {name: {"type": ["number", "null"]} for name in CELLS[2:]}
    cells = {name: {"type": ["string", "null"]} for name in CELLS[:2]} | numeric
    items = {"type": "array", "items": {"type": "object", "properties": cells}}
    return {"type": "object", "properties": properties | ({"line_items": items} if "line_items" in truth else {})}


def is_same(name: str, given: object, wanted: object) -> bool:
    if isinstance(wanted, int | float) and isinstance(given, int | float):
        return abs(given - wanted) < 0.005
    texts = [str(value) for value in (given, wanted)]
    if name in DATES:
        return parse_date(texts[0]) == parse_date(texts[1])
    if name in NUMBERS:
        return len({float(re.sub(r"[^\d.]", "", text).strip(".") or -1) for text in texts}) == 1
    return len({re.sub(r"[\W_]+", "", fold_letters(text)) for text in texts}) == 1


def judge(name: str, given: object, wanted: object) -> str:
    if wanted in (None, ""):
        return "invented" if given not in (None, "") else ""
    return "silent" if given in (None, "") else "right" if is_same(name, given, wanted) else "wrong"


def judge_all(given: Truth, truth: Truth) -> Iterator[tuple[str, str]]:
    for name, wanted in truth.items():
        if name == "line_items" and isinstance(wanted, list):
            yield from judge_rows(given.get(name), wanted)
        elif name in TEXTS + DATES + NUMBERS:
            yield name, judge(name, given.get(name), wanted)


def judge_rows(given: object, wanted: list[Truth]) -> Iterator[tuple[str, str]]:
    rows = given if isinstance(given, list) else []
    for at, row in enumerate(wanted):
        mine = rows[at] if at < len(rows) else {}
        yield from ((f"row {name}", judge(name, mine.get(name), row.get(name))) for name in row)
    yield from (("row too many", "invented") for _ in rows[len(wanted) :])


def mark_words(pages: Iterable[tuple[int, list[Word]]]) -> str:
    lines: list[str] = []
    for number, words in pages:
        seen = [word for word in words if not word.hidden]
        lines += [f'<page number="{number}">', *mark_lines(number, find_blocks(number, seen)), "</page>"]
    return "\n".join(lines)


def read_bare(text: str, schema: Schema) -> Truth:
    """The first value behind a label of the field, line by line."""
    properties = schema["properties"]
    names = [name for name in properties if name != "line_items"] if isinstance(properties, dict) else []
    return {name: find_bare(text, name) for name in names}


def find_bare(text: str, name: str) -> object:
    field = lookup_field(name) or BY_NAME["total"]
    pattern = compile_labels(field.labels) if field.labels else None
    comma = len(re.findall(r"\d,\d\d(?!\d)", text)) > len(re.findall(r"\d\.\d\d(?!\d)", text))
    for line in text.splitlines():
        match = pattern.search(fold_letters(line)) if pattern else None
        value = parse_value(field.kind, line[match.end() :].lstrip(" .:#-"), comma) if match else None
        if value is not None:
            return value
    return None


def read_made(seed: int, count: int) -> Iterator[tuple[str, Truth, str, str]]:
    """(its group, the truth, the text as models get it, the bare text)"""
    for words in LANGUAGES:
        for layout in LAYOUTS:
            for at in range(count):
                facts = make_facts(words, random.Random(f"{seed}{words.language}{layout}{at}"))
                yield f"{words.language} {layout}", facts.truth, *read_invoice(layout, facts)


def read_invoice(layout: str, facts: Facts) -> tuple[str, str]:
    """The text as models get it, and the bare text."""
    data = write_invoice(layout, facts)
    page = PdfSource(io.BytesIO(data), None, LIMITS).read(1, "text-layer")
    return mark_words([(1, page.words)]), pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range()


def read_folder(folder: Path) -> Iterator[tuple[str, Truth, str, str]]:
    pool = get_pool()
    for file in sorted((folder / "files").iterdir()):
        truth = truth_of(file, folder / "ground_truth") or {}
        if not isinstance(truth.get("fields"), dict):
            continue
        try:
            pages = pool.read(file, range(1, pool.inspect(file).page_count + 1))
        except AppError as refused:
            print(f"{file.name}: {refused}")
            continue
        text = "\n".join(join_text(page.words) for page in pages)
        kind = "receipts" if "company" in truth["fields"] else "invoices"
        yield kind, truth["fields"], mark_words((page.number, page.words) for page in pages), text


def count(scores: Scores, group: str, given: Truth, truth: Truth) -> None:
    for name, state in judge_all(given, truth):
        if state:
            scores.setdefault(name, Counter())[state] += 1
            scores.setdefault(group, Counter())[state] += 1
            scores.setdefault("all", Counter())[state] += 1


def print_scores(product: Scores, bare: Scores) -> None:
    print(f"{'':22}{'offline model':38}bare labels")
    head = " ".join(f"{state:>8}" for state in STATES)
    print(f"{'':22}{head}   {head}")
    for name in [*(each for each in product if each != "all"), "all"]:
        print(f"{name:22}" + "   ".join(format_counts(scores.get(name, Counter())) for scores in (product, bare)))


def format_counts(counts: Counter[str]) -> str:
    """The first three as shares of what is printed, the last as a number."""
    printed = sum(counts[state] for state in STATES[:3])
    shares = " ".join(f"{counts[state] / printed:8.3f}" if printed else f"{'-':>8}" for state in STATES[:3])
    return f"{shares} {counts['invented']:8}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--count", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="print what is not right")
    options = parser.parse_args()
    product: Scores = {}
    bare: Scores = {}
    read = read_folder(options.data) if options.data else read_made(options.seed, options.count)
    for group, truth, marked, text in read:
        schema = make_schema(truth)
        given = extract(read_layout(marked), schema)
        count(product, group, given, truth)
        count(bare, group, read_bare(text, schema), truth)
        if options.show:
            show(group, given, truth, marked)
    print_scores(product, bare)


def show(group: str, given: Truth, truth: Truth, marked: str) -> None:
    states = [(name, state) for name, state in judge_all(given, truth) if state not in ("right", "")]
    if states:
        print(f"== {group}\n{marked}")
        for name, state in states:
            print(f"   {name}: {state}: {json.dumps(given.get(name), ensure_ascii=False)} for {truth.get(name)}")


if __name__ == "__main__":
    main()
