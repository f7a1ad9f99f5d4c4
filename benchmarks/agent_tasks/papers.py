"""Documents of the tasks: invoices as text files, so that what stands on them is known here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

TAX_SHARE = Decimal("0.20")


@dataclass(frozen=True)
class Item:
    name: str
    quantity: int
    price: Decimal

    @property
    def amount(self) -> Decimal:
        return self.quantity * self.price


@dataclass(frozen=True)
class Invoice:
    """`printed_total` False: the total's line is empty on the page."""

    vendor: str
    number: str
    date: str
    due: str
    items: Sequence[Item] = field(default_factory=lambda: [Item("Packing tape", 10, Decimal("2.50"))])
    printed_total: bool = True

    @property
    def subtotal(self) -> Decimal:
        return sum((item.amount for item in self.items), Decimal())

    @property
    def tax(self) -> Decimal:
        return (self.subtotal * TAX_SHARE).quantize(Decimal("0.01"))

    @property
    def total(self) -> Decimal:
        return self.subtotal + self.tax

    def print(self) -> str:
        rows = [
            f"{at}  {item.name}  {item.quantity}  {item.price}  {item.amount}" for at, item in enumerate(self.items, 1)
        ]
        return "\n".join(
            [
                "INVOICE",
                self.vendor,
                f"Invoice number  {self.number}",
                f"Invoice date  {self.date}",
                f"Due date  {self.due}",
                "Description  Quantity  Price  Amount",
                *rows,
                f"Subtotal  {self.subtotal}",
                f"Tax 20%  {self.tax}",
                f"Total  {self.total}" if self.printed_total else "Total  see the delivery note",
            ]
        )


def make_items(count: int) -> list[Item]:
    return [Item(f"Copper pipe {at} mm", at % 9 + 1, Decimal(at * 7 + 3) / 4) for at in range(1, count + 1)]


ACME = [
    Invoice("ACME Tools Ltd", f"A-20{number}", f"2026-0{number}-14", f"2026-0{number + 1}-14", make_items(2 + number))
    for number in range(1, 6)
]
BLUE = [
    Invoice("Blue Finch Print", f"BF/{number}77", f"2026-0{number}-02", f"2026-0{number}-30", make_items(number))
    for number in range(1, 4)
]
