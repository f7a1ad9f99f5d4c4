"""Papers whose words are known one by one, in the languages that have tables: where each value stands is no guess."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from kit.json_types import Json
from printed.language import Language
from printed.languages import LANGUAGES
from reader.words import Word

CHAR, LINE = 0.009, 0.02
EDGES = (3, 12, 48, 60, 76)
"""Columns of a table, in characters."""
NAMES = ("sku", "description", "quantity", "unit_price", "amount")
GOODS = ("Paper white", "Pens blue", "Binder grey 2x", "Folder red", "Stamp small", "Tape clear 50 mm", "Glue strong")
MORE = ("with a lid and two keys", "as ordered by telephone", "for the office in Dover", "delivered to the back door")
SLIPS = (("0", "O"), ("1", "l"), ("5", "S"), ("8", "B"), ("m", "rn"), ("l", "1"), ("o", "0"), ("i", "l"), ("e", "c"))


@dataclass
class Paper:
    """`places`: by the path of a value the blocks where it stands; several where it is printed more than once. Values
    without a place follow from others."""

    words: list[Word] = field(default_factory=list)
    values: dict[str, Json] = field(default_factory=dict)
    places: dict[str, set[str]] = field(default_factory=dict)
    line: int = 0

    def put(self, column: int, text: str, *paths: str) -> None:
        """Put words on the current line."""
        offset = column
        for part in text.split(" "):
            if part:
                y, number = self.line * LINE, sum(word.line == self.line for word in self.words) + 1
                box = (offset * CHAR, y, (offset + len(part)) * CHAR, y + 0.7 * LINE)
                self.words.append(Word(part, *box, self.line))
                for path in paths:
                    self.places.setdefault(path, set()).add(f"1.{self.line}.{number}")
            offset += len(part) + 1

    def break_line(self, lines: int = 1) -> None:
        self.line += lines


def format_number(number: float, comma: bool) -> str:
    text = f"{number:,.2f}"
    return text.translate(str.maketrans(",.", ".,")) if comma else text


def make_invoice(chance: random.Random, language: Language, *, wrapped: bool = False, repeated: bool = False) -> Paper:
    """With rows of which many have a quantity of one, so that price and amount are one number."""
    paper, comma = Paper(line=2), language.code not in ("en", "")
    paper.put(3, f"Kestrel {chance.randrange(100, 999)} Parts Ltd", "vendor")
    paper.values["vendor"] = " ".join(word.text for word in paper.words)
    paper.break_line(2)
    _put_heads(paper, chance, language)
    rows = _make_rows(chance, 3 + chance.randrange(4), repeated)
    for at, row in enumerate(rows):
        _put_row(paper, chance, at, row, comma, wrapped)
    paper.values["line_items"] = rows
    total = round(sum(float(str(row["amount"])) for row in rows), 2)
    labels = [phrase for phrase in language.fields.get("total", "total").replace(";", ",").split(",") if phrase.strip()]
    for _ in range(2 if repeated else 1):
        paper.break_line(2)
        paper.put(60, labels[0].strip().title())
        paper.put(80, format_number(total, comma), "total")
    paper.values["total"] = total
    return paper


def _make_rows(chance: random.Random, count: int, repeated: bool) -> list[dict[str, Json]]:
    rows: list[dict[str, Json]] = []
    for at in range(count):
        quantity, price = chance.choice((1, 1, 1, 2, 5, 12)), chance.randrange(100, 90_000) / 100
        amount = round(quantity * price, 2)
        values = (f"X{chance.randrange(1000, 9999)}", chance.choice(GOODS), quantity, price, amount)
        row = dict(zip(NAMES, values, strict=True))
        rows += [row, dict(row)] if repeated and at == 1 else [row]
    return rows


def _put_heads(paper: Paper, chance: random.Random, language: Language) -> None:
    for name, edge in zip(NAMES, EDGES, strict=True):
        phrases = [phrase.strip() for phrase in language.columns[name].split(";")[0].split(",")]
        phrase = chance.choice([phrase for phrase in phrases if 2 < len(phrase) < 15] or phrases)
        paper.put(edge, phrase.capitalize())


def _put_row(paper: Paper, chance: random.Random, at: int, row: dict[str, Json], comma: bool, wrapped: bool) -> None:
    paper.break_line(2 if wrapped else 1)
    more = chance.choice(MORE) if wrapped else ""
    below = chance.random() < 0.5
    path = f"line_items.{at}."
    if more and not below:
        paper.put(EDGES[1], str(row["description"]), f"{path}description")
        paper.break_line()
    for name, edge in zip(NAMES, EDGES, strict=True):
        text = format_number(float(str(row[name])), comma) if name in NAMES[3:] else str(row[name])
        if name == "description" and more and not below:
            text = more
        paper.put(edge + (10 - len(text) if name in NAMES[3:] else 0), text, path + name)
    if more and below:
        paper.break_line()
        paper.put(EDGES[1], more, f"{path}description")
    if more:
        row["description"] = f"{row['description']} {more}"


def make_glued(chance: random.Random, language: Language) -> Paper:
    """Labels and signs that stand in one word with their value, and values whose marks stand alone."""
    paper, total, tax = Paper(line=2), chance.randrange(100_000, 900_000) / 100, chance.randrange(1000, 9999) / 100
    number, day = str(chance.randrange(10**8, 10**9)), chance.randrange(10, 29)
    paper.put(3, f"n°{number}", "invoice_number")
    paper.break_line()
    paper.put(3, "Date")
    paper.put(20, f"Mar {day} , 2026", "date")
    paper.break_line()
    mark = chance.choice(("NT$", "US$", "Rs.", "R$", "kr", "EUR", "RM", "CHF"))
    paper.put(3, f"TAX{tax:,.2f}" if chance.random() < 0.5 else f"Tax:{tax:,.2f}", "tax")
    paper.break_line()
    text = f"{total:,.2f}"
    styles = (f"TOTAL{text}", f"Total {mark}{text}", f"Total {text.replace(',', ' ,')}", f"Total: {mark} {text}")
    style = chance.choice(styles)
    label, _, rest = style.partition(" ")
    paper.put(3, label, *(() if rest else ("total",)))
    paper.put(14, rest, "total")
    paper.values |= {"invoice_number": number, "date": f"2026-03-{day}", "tax": tax, "total": total}
    return paper


def make_slips(chance: random.Random, language: Language) -> Paper:
    """One letter of each text stands otherwise on the page."""
    paper = Paper(line=2)
    number = f"INV-20{chance.randrange(20, 29)}-{chance.randrange(1000, 9999)}"
    company = chance.choice(("Kestrel Trading", "Harbour Mills", "Ostrava Tools", "Delmar Logistics", "Restoran Wan"))
    for name, label, value in (
        ("invoice_number", "Invoice number", number),
        ("vendor", "Vendor", f"{company} Ltd"),
        ("address", "Address", f"{chance.randrange(10, 99)} High Street, Leeds LS{chance.randrange(1, 9)} 4AP"),
        ("customer", "Bill to", f"{chance.choice(('Blue', 'Red', 'Old'))} Finch School"),
    ):
        paper.put(3, f"{label}:")
        paper.put(22, _slip(chance, value), name)
        paper.values[name] = value
        paper.break_line()
    return paper


def _slip(chance: random.Random, text: str) -> str:
    slips = [slip for slip in SLIPS if slip[0] in text]
    old, new = chance.choice(slips)
    at = chance.choice([place for place in range(len(text)) if text.startswith(old, place)])
    return text[:at] + new + text[at + len(old) :]


KINDS: dict[str, Callable[[random.Random, Language], Paper]] = {
    "price = amount": make_invoice,
    "repeated rows and totals": lambda chance, language: make_invoice(chance, language, repeated=True),
    "wrapped descriptions": lambda chance, language: make_invoice(chance, language, wrapped=True),
    "glued labels and signs": make_glued,
    "slips of one letter": make_slips,
}


def make_papers(kind: str, count: int) -> Iterator[Paper]:
    chance = random.Random(11)
    for at in range(count):
        yield KINDS[kind](chance, LANGUAGES[at % len(LANGUAGES)])
