"""Kinds of documents: how each shows, and which of the fields it is asked for."""

from dataclasses import dataclass

from printed.languages import list_phrases


@dataclass(frozen=True)
class DocumentKind:
    """A kind of document: how it shows and which fields are asked for, `core` ones even when none was seen."""

    name: str
    signs: tuple[str, ...]
    needed: int
    core: tuple[str, ...]
    fields: tuple[str, ...]


_MONEY = "currency subtotal discount tax_rate tax total"


def _make_kind(name: str, needed: int, core: str, fields: str) -> DocumentKind:
    signs = list_phrases(lambda language: language.kinds.get(name, ""))
    return DocumentKind(name, tuple(signs), needed, tuple(core.split()), tuple(fields.split()))


KINDS = (
    _make_kind(
        "Receipt",
        2,
        "company date address total",
        f"company address date receipt_number tax_id cashier payment_method {_MONEY}",
    ),
    _make_kind("Credit note", 1, "vendor date total", f"vendor customer date invoice_number iban {_MONEY}"),
    _make_kind(
        "Invoice",
        1,
        "vendor customer invoice_number invoice_date due_date currency total",
        "vendor customer invoice_number invoice_date due_date delivery_date po_number customer_number tax_id"
        f" {_MONEY} iban bic payment_terms",
    ),
    _make_kind("Purchase order", 1, "vendor po_number date", f"vendor customer po_number date delivery_date {_MONEY}"),
    _make_kind("Delivery note", 1, "vendor date", f"vendor customer date delivery_date po_number {_MONEY}"),
    _make_kind("Quote", 1, "vendor date total", f"vendor customer date {_MONEY}"),
    _make_kind("Statement", 1, "date", f"vendor customer date customer_number iban bic {_MONEY}"),
    _make_kind("Contract", 1, "date", "date customer vendor"),
)
OTHER = _make_kind("Document", 0, "", f"date customer po_number customer_number iban email {_MONEY}")
