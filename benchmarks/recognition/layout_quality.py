"""Whether columns and tables come out as they are printed: `python -m benchmarks.recognition.layout_quality`.

Generated pages with columns of text, two blocks at the head, and tables with empty cells, heads of two levels and
descriptions over several lines. For each kind: printed words that are lost, sentences and rows that are not whole, what
the offline model takes out of the tables, and seconds of CPU a page. Beside it, in the same run, how many of these
sentences and rows are not whole in the text of PDFium and in that of pdfplumber, which need not know the columns of a
row; pdfplumber is left out where it is not installed. `--scans` reads pictures of the pages.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pypdfium2

from documents.reading.tables.marked_lines import mark_lines
from documents.reading.tables.page_blocks import find_blocks
from offline_model import ChatRequest, answer
from reader.pages import Limits
from reader.pdf.source import PdfSource
from reader.words import Word
from tests.documents.reader_files import pdf, text_at

try:
    import pdfplumber  # type: ignore[import-not-found,unused-ignore]
except ImportError:  # a judge alone: nothing of the product needs it
    pdfplumber = None

WIDTH, HEIGHT = 595, 842
LIMITS = Limits(max_bytes=10_000_000, max_pages=3, max_pixels=60_000_000)
NOUNS = ("harbour", "quay", "paper", "binder", "office", "school", "boat", "market", "garden", "letter", "timber")
VERBS = ("opens", "closes", "keeps", "brings", "finds", "moves", "sells", "counts", "repairs", "measures")
GOODS = ("Paper white", "Pens blue", "Binder grey", "Folder red", "Stamp small", "Tape clear", "Glue strong")
FIELDS = ("description", "quantity", "unit_price", "amount")


@dataclass
class Sample:
    """`whole`: sentences and rows; items: the values of each row of a table, as a schema names them."""

    content: list[str] = field(default_factory=list)
    whole: list[str] = field(default_factory=list)
    items: list[dict[str, object]] = field(default_factory=list)

    def put(self, x: float, y: float, text: str, size: float = 9.0) -> None:
        if text:
            self.content.append(text_at(x, y, text, size=size))


def make_columns(chance: random.Random) -> Sample:
    sample = Sample()
    sample.put(60, 790, "The harbour paper of this month, for all who live and work here", 16)
    count = chance.choice((2, 3))
    step = (WIDTH - 100) / count
    for column in range(count):
        words = list(make_sentences(chance, 28))
        sample.whole.append(" ".join(words))
        for at, line in enumerate(wrap(words, int(step / 5) - 2)):
            sample.put(50 + column * step, 750 - 12 * at - (3 if column == 1 and chance.random() < 0.5 else 0), line)
    return sample


def make_sentences(chance: random.Random, count: int) -> Iterator[str]:
    for _ in range(count):
        a, b = chance.sample(NOUNS, 2)
        yield from f"The {a} {chance.choice(VERBS)} the {b} of the town.".split()


def wrap(words: Sequence[str], characters: int) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > characters:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def make_head(chance: random.Random) -> Sample:
    sample = Sample()
    number = chance.randrange(100, 999)
    sender = [f"Kestrel {chance.choice(NOUNS).title()} Ltd", f"{number} Harbour Road", f"Dover CT{number}", "Kingdom"]
    facts = [("Invoice no.", f"INV-{number}"), ("Date", "12 March 2026"), ("Due", "26 March 2026"), ("Order", "4711")]
    for at, (line, (label, value)) in enumerate(zip(sender, facts, strict=True)):
        sample.put(50, 780 - 14 * at, line)
        sample.put(340, 780 - 14 * at, label)
        sample.put(430, 780 - 14 * at, value)
        sample.whole.append(f"{label} {value}")
    sample.whole.append(" ".join(sender))
    put_table(sample, chance, 640, wrapped=False, empty=False)
    return sample


def make_empty_cells(chance: random.Random) -> Sample:
    sample = Sample()
    put_table(sample, chance, 760, wrapped=False, empty=True)
    return sample


def make_wrapped(chance: random.Random) -> Sample:
    sample = Sample()
    put_table(sample, chance, 760, wrapped=True, empty=True)
    return sample


def put_table(sample: Sample, chance: random.Random, y: float, *, wrapped: bool, empty: bool) -> None:
    put_row(sample, y, ["No.", "Description", "Quantity", "Unit price", "Amount"])
    for number in range(1, 12):
        quantity, price = chance.randrange(1, 40), chance.randrange(100, 9000) / 100
        texts = [str(quantity), f"{price:.2f}", f"{quantity * price:.2f}"]
        if empty and chance.random() < 0.4:
            texts[chance.randrange(2)] = ""
        lines = [chance.choice(GOODS)]
        if wrapped and chance.random() < 0.6:
            lines = wrap(f"{lines[0]} {' '.join(make_sentences(chance, 2)).lower()}".split(), 34)
        y -= 18
        put_row(sample, y, [str(number), lines[0], *texts], " ".join(lines))
        for line in lines[1:]:
            y -= 11
            sample.put(90, y, line)
        values = [" ".join(lines), *(float(text) if text else None for text in texts)]
        sample.items.append(dict(zip(FIELDS, values, strict=True)))


def put_row(sample: Sample, y: float, texts: list[str], description: str = "") -> None:
    for at, (text, x) in enumerate(zip(texts, (50, 90, 300, 380, 480), strict=True)):
        # Figures are set to the right, as they are in print.
        sample.put(x + (40 - 4.9 * len(text) if at > 1 else 0), y, text)
    sample.whole.append(" | ".join([texts[0], description or texts[1], *texts[2:]]))


def make_two_levels(chance: random.Random) -> Sample:
    sample = Sample()
    edges = (50, 180, 260, 380, 460)
    years = ["Last year", "This year"]
    for x, year in zip((215, 415), years, strict=True):
        sample.put(x, 770, year)
    sample.whole.append(" | ".join(["", *(year for year in years for _ in range(2))]))
    rows = [["Region", "Quantity", "Sum", "Quantity", "Sum"]]
    for name in chance.sample(NOUNS, 8):
        figures = [str(chance.randrange(1, 90)) if at % 2 else f"{chance.random() * 900:.2f}" for at in (1, 2, 3, 4)]
        figures[chance.randrange(4)] = ""
        rows.append([name.title(), *figures])
    for at, row in enumerate(rows):
        sample.whole.append(" | ".join(row))
        for x, text in zip(edges, row, strict=True):
            sample.put(x, 752 - 18 * at, text)
    return sample


KINDS: dict[str, Callable[[random.Random], Sample]] = {
    "columns": make_columns,
    "blocks at the head": make_head,
    "empty cells": make_empty_cells,
    "heads of two levels": make_two_levels,
    "long descriptions": make_wrapped,
}


def list_lines(words: list[Word]) -> list[str]:
    return mark_lines(1, find_blocks(1, [word for word in words if not word.hidden]))


def count_broken(sample: Sample, lines: list[str]) -> int:
    bare = [line.partition("] ")[2] for line in lines]
    flowing = " ".join(" ".join(line.replace("|", " ").split()) for line in bare)
    return sum(whole not in bare and ("|" in whole or whole not in flowing) for whole in sample.whole)


def count_torn(sample: Sample, text: str) -> int:
    """Sentences and rows that do not stand whole in a bare text."""
    flowing = " ".join(text.split())
    return sum(" ".join(whole.replace("|", " ").split()) not in flowing for whole in sample.whole)


def read_by_pdfium(data: bytes) -> str:
    return str(pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range())


def read_by_pdfplumber(data: bytes) -> str:
    with pdfplumber.open(io.BytesIO(data)) as opened:
        return str(opened.pages[0].extract_text())


def count_lost(sample: Sample, lines: list[str]) -> int:
    text = "".join("".join(lines).split())
    return sum(word not in text for whole in sample.whole for word in whole.replace("|", " ").split())


def count_right(sample: Sample, lines: list[str]) -> int:
    """Values that the offline model gives in the row and column that they are printed in; empty ones too."""
    kinds: dict[str, object] = {name: {"type": ["number", "null"]} for name in FIELDS[1:]}
    item = {"type": "object", "properties": {"description": {"type": "string"}, **kinds}, "required": [*FIELDS]}
    schema = {"type": "object", "properties": {"line_items": {"type": "array", "items": item}}}
    text = "\n".join(['<page number="1">', *lines, "</page>"])
    block = f'<data kind="document" name="file" pages="1">\n{text}\n</data>'
    form = {"type": "json_schema", "json_schema": {"name": "fields", "schema": schema}}
    reply = answer(ChatRequest([{"role": "user", "content": f"Extract.\n{block}"}], response_format=form))
    rows = json.loads(reply.text).get("line_items") or []
    return sum(
        row.get(name) == value
        for row, wanted in zip(rows, sample.items, strict=False)
        for name, value in wanted.items()
    )


def write_sample(sample: Sample) -> bytes:
    return pdf(["".join(sample.content)], page=f"/MediaBox [0 0 {WIDTH} {HEIGHT}]")


def open_sample(sample: Sample) -> PdfSource:
    return PdfSource(io.BytesIO(write_sample(sample)), None, LIMITS)


def measure(name: str, pages: int, *, scans: bool) -> str:
    chance = random.Random(7)
    samples = [KINDS[name](chance) for _ in range(pages)]
    total = sum(len(sample.whole) for sample in samples)
    cells = sum(len(FIELDS) * len(sample.items) for sample in samples)
    began = time.process_time()
    words = [open_sample(sample).read(1, "rapidocr" if scans else "text-layer").words for sample in samples]
    pairs = list(zip(samples, map(list_lines, words), strict=True))
    seconds = (time.process_time() - began) / pages
    broken, lost = (sum(count(*pair) for pair in pairs) for count in (count_broken, count_lost))
    right = sum(count_right(*pair) for pair in pairs) if cells else 0
    torn = [
        str(sum(count_torn(sample, read(write_sample(sample))) for sample in samples)) if is_there else "-"
        for read, is_there in ((read_by_pdfium, True), (read_by_pdfplumber, pdfplumber is not None))
    ]
    return f"{name:20} {total:5} {lost:5} {broken:7} {right:4}/{cells:<4} {seconds:8.3f} {torn[0]:>7} {torn[1]:>10}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scans", action="store_true")
    parser.add_argument("--pages", type=int, default=20)
    options = parser.parse_args()
    print(
        f"{'':20} {'whole':>5} {'lost':>5} {'broken':>7} {'offline':>9} {'s/page':>8} {'PDFium':>7} {'pdfplumber':>10}"
    )
    for name in KINDS:
        print(measure(name, options.pages, scans=options.scans), flush=True)


if __name__ == "__main__":
    main()
