"""What a made invoice says: the parties, the numbers, the rows and the sums, some of them left out."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TypeVar

from benchmarks.recognition.invoices.words import Words

Truth = dict[str, object]
LEFT_OUT = 0.3
T = TypeVar("T")


@dataclass(frozen=True)
class Company:
    name: str
    street: str
    city: str
    tax_id: str
    domain: str
    phone: str

    @property
    def lines(self) -> list[str]:
        return [self.name, self.street, self.city]


@dataclass(frozen=True)
class Row:
    description: str
    quantity: int
    unit_price: float

    @property
    def amount(self) -> float:
        return round(self.quantity * self.unit_price, 2)


@dataclass
class Facts:
    """`due`, `order` and `tax_rate` may be none: then the invoice does not print them."""

    words: Words
    chance: random.Random
    vendor: Company
    customer: Company
    number: str
    issued: date
    due: date | None
    order: str | None
    iban: str | None
    prints_tax_id: bool
    tax_rate: int | None
    rows: list[Row]
    date_format: str
    truth: Truth = field(default_factory=dict)

    @property
    def subtotal(self) -> float:
        return round(sum(row.amount for row in self.rows), 2)

    @property
    def tax(self) -> float:
        return round(self.subtotal * (self.tax_rate or 0) / 100, 2)

    @property
    def total(self) -> float:
        return round(self.subtotal + self.tax, 2)

    def choose(self, texts: str) -> str:
        return self.chance.choice(texts.split("|"))

    def write_date(self, day: date) -> str:
        month = self.words.months.split()[day.month - 1]
        pattern = self.date_format.replace("%B", month).replace("%b", month[:3])
        return day.strftime(pattern)

    def write_amount(self, amount: float, sign: str = "") -> str:
        text = f"{amount:,.2f}"
        if self.words.comma:
            thousands = self.truth.setdefault("_thousands", self.chance.choice(". "))
            text = text.replace(",", "#").replace(".", ",").replace("#", str(thousands))
        if not sign:
            return text
        return f"{sign}{text}" if sign == "£" else f"{text} {sign}"


def make_facts(words: Words, chance: random.Random) -> Facts:
    vendor, customer = (_make_company(words, chance, name) for name in chance.sample(words.names.split("|"), 2))
    issued = date(2025, 1, 1) + timedelta(days=chance.randrange(500))
    rows = [_make_row(chance, goods) for goods in chance.sample(words.goods.split("|"), chance.randint(1, 5))]
    facts = Facts(
        words=words,
        chance=chance,
        vendor=vendor,
        customer=customer,
        number=_make_number(chance),
        issued=issued,
        due=_keep(chance, issued + timedelta(days=chance.choice((14, 21, 30)))),
        order=_keep(chance, f"{chance.choice(('PO', 'B', ''))}{chance.randrange(10000, 99999)}"),
        iban=_keep(chance, f"DE{chance.randrange(10, 99)} 3704 0044 0532 {chance.randrange(1000, 9999)} 00"),
        prints_tax_id=chance.random() > LEFT_OUT,
        tax_rate=_keep(chance, chance.choice(words.rates), 0.15),
        rows=rows,
        date_format=chance.choice(words.dates),
    )
    facts.truth |= _list_truth(facts)
    return facts


def _keep(chance: random.Random, value: T, left_out: float = LEFT_OUT) -> T | None:
    return value if chance.random() > left_out else None


def _make_company(words: Words, chance: random.Random, name: str) -> Company:
    form = chance.choice(words.forms.split("|"))
    plain = "".join(c for c in name.lower() if c.isascii() and c.isalpha())
    return Company(
        name=f"{form} {name}" if form == "SARL" and chance.random() < 0.5 else f"{name} {form}",
        street=f"{chance.choice(words.streets.split('|'))} {chance.randrange(1, 99)}",
        city=chance.choice(words.cities.split("|")),
        tax_id=chance.choice(words.tax_ids.split("|")),
        domain=f"{plain}.{words.domain}",
        phone=f"{words.phone} 0{chance.randrange(100, 999)} {chance.randrange(100000, 999999)}",
    )


def _make_number(chance: random.Random) -> str:
    number = chance.randrange(1000, 99999)
    return chance.choice((f"{number}", f"INV-{number}", f"2025/{number}", f"R{number}-25", f"F-2025-{number}"))


def _make_row(chance: random.Random, goods: str) -> Row:
    return Row(goods, chance.randint(1, 24), chance.randrange(150, 90000) / 100)


def _list_truth(facts: Facts) -> Truth:
    """The values as a schema asks for them; null where nothing is printed."""
    return {
        "vendor": facts.vendor.name,
        "customer": facts.customer.name,
        "invoice_number": facts.number,
        "invoice_date": facts.issued.isoformat(),
        "due_date": facts.due.isoformat() if facts.due else None,
        "po_number": facts.order,
        "vat_number": facts.vendor.tax_id if facts.prints_tax_id else None,
        "iban": facts.iban.replace(" ", "") if facts.iban else None,
        "currency": facts.words.currency,
        "subtotal": facts.subtotal if facts.tax_rate else None,
        "tax_rate": facts.tax_rate,
        "tax": facts.tax if facts.tax_rate else None,
        "total": facts.total,
        "line_items": [
            {
                "description": row.description,
                "quantity": row.quantity,
                "unit_price": row.unit_price,
                "amount": row.amount,
            }
            for row in facts.rows
        ],
    }
