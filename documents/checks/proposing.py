"""Checks that a schema most likely wants, found by the names of its fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from documents.checks.definitions import MAX_CHECKS, parse_check
from documents.checks.schema_paths import SchemaPath, SchemaPaths
from documents.values.stored import Schema
from kit.errors import Invalid
from kit.json_types import JsonObject

_SUBTOTALS = ("subtotal", "sub_total", "net_total", "net_amount", "total_net", "amount_net")
_TAXES = ("tax", "tax_amount", "tax_total", "total_tax", "vat", "vat_amount", "vat_total", "sales_tax")
_TOTALS = ("total", "total_amount", "grand_total", "gross_total", "gross_amount", "amount_due", "invoice_total")
_AMOUNTS = ("amount", "line_total", "total", "total_price", "line_amount", "net_amount")
_QUANTITIES = ("quantity", "qty", "units", "hours")
_PRICES = ("unit_price", "price", "rate", "price_per_unit", "unit_cost")
_ORDERED_DATES = (
    (
        ("invoice_date", "issue_date", "date_issued", "bill_date", "date"),
        ("due_date", "payment_due", "payment_due_date"),
    ),
    (("start_date", "period_start", "valid_from", "effective_date"), ("end_date", "period_end", "valid_until")),
    (("order_date", "ordered_at"), ("delivery_date", "shipping_date")),
)
_STANDARDS = {
    "iban": ("iban", "iban_number", "bank_iban"),
    "bic": ("bic", "swift", "swift_code", "bic_swift"),
    "vat": ("vat_number", "vat_id", "vat_no", "vat_registration_number", "vendor_vat_number", "seller_vat_number"),
    "lei": ("lei",),
}
_NUMBERS = ("invoice_number", "invoice_no", "receipt_number", "bill_number", "order_number", "contract_number")
_SENDERS = ("vendor", "vendor_name", "seller", "seller_name", "supplier", "supplier_name", "company")


def propose_checks(schema: Schema) -> list[JsonObject]:
    """As they are stored; each can be added as it is."""
    paths = SchemaPaths(schema)
    return [check for check in _Names(paths).iterate_checks() if _fits(check, paths)]


def is_lacking_checks(schema: Schema, checks: Sequence[JsonObject]) -> bool:
    """Nothing is checked, although the names of the fields suggest what could be."""
    return not checks and bool(propose_checks(schema))


def add_proposed(checks: Sequence[JsonObject], schema: Schema, *, before: Schema | None = None) -> list[JsonObject]:
    """With those that are proposed for `schema` and were not for what it was `before`: what somebody has left out once
    does not come back."""
    known = [*checks, *(propose_checks(before) if before else ())]
    new = [check for check in propose_checks(schema) if check not in known]
    return [*checks, *new][: max(MAX_CHECKS, len(checks))]


def _fits(check: JsonObject, paths: SchemaPaths) -> bool:
    try:
        parse_check(check, paths, "")
    except Invalid:
        return False
    return True


@dataclass(frozen=True)
class _Names:
    paths: SchemaPaths

    def find(self, names: tuple[str, ...], table: str = "") -> str:
        """The path of the first field outside of lists, or in this one, that has one of the names; "" without one."""
        by_name = {_get_name(each): each.path for each in reversed(self.paths.all.values()) if each.table == table}
        return next((by_name[name] for name in names if name in by_name), "")

    def iterate_checks(self) -> Iterator[JsonObject]:
        subtotal, tax, total = self.find(_SUBTOTALS), self.find(_TAXES), self.find(_TOTALS)
        if subtotal and tax and total:
            yield {"kind": "total", "parts": [subtotal, tax], "field": total}
        for table in (each.path for each in self.paths.all.values() if each.is_list):
            yield from self._iterate_table_checks(table, subtotal or total)
        for first, then in ((self.find(first), self.find(then)) for first, then in _ORDERED_DATES):
            if first and then:
                yield {"kind": "date_order", "first": first, "then": then}
        for standard, names in _STANDARDS.items():
            if path := self.find(names):
                yield {"kind": "identifier", "field": path, "standard": standard}
        if number := self.find(_NUMBERS):
            sender = self.find(_SENDERS)
            yield {"kind": "duplicate", "fields": [sender, number] if sender else [number]}

    def _iterate_table_checks(self, table: str, sum_field: str) -> Iterator[JsonObject]:
        amount = self.find(_AMOUNTS, table)
        quantity, price = self.find(_QUANTITIES, table), self.find(_PRICES, table)
        if amount and sum_field:
            yield {"kind": "sum", "column": amount, "field": sum_field}
        if amount and quantity and price:
            yield {"kind": "product", "factors": [quantity, price], "field": amount}
        yield {"kind": "coverage", "list": table}


def _get_name(path: SchemaPath) -> str:
    return path.path.rpartition(".")[2].casefold().replace("-", "_")
