"""Kinds of documents: how each shows, and which of the fields it is asked for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of document: how it shows and which fields are asked for, `core` ones even when none was seen."""

    name: str
    signs: tuple[str, ...]
    needed: int
    core: tuple[str, ...]
    fields: tuple[str, ...]


_MONEY = ("currency", "subtotal", "discount", "tax_rate", "tax", "total")
KINDS = (
    Kind(
        "Receipt",
        ("receipt", "cashier", "change", "cash", "tendered", "thank you", "kassenbon", "quittung"),
        2,
        ("company", "date", "address", "total"),
        ("company", "address", "date", "receipt_number", "tax_id", "cashier", "payment_method", *_MONEY),
    ),
    Kind(
        "Credit note",
        ("credit note", "gutschrift", "avoir"),
        1,
        ("vendor", "date", "total"),
        ("vendor", "customer", "date", "invoice_number", "iban", *_MONEY),
    ),
    Kind(
        "Invoice",
        ("invoice", "rechnung", "facture", "factura", "rechnungsnummer"),
        1,
        ("vendor", "customer", "invoice_number", "invoice_date", "due_date", "currency", "total"),
        (
            "vendor",
            "customer",
            "invoice_number",
            "invoice_date",
            "due_date",
            "delivery_date",
            "po_number",
            "customer_number",
            "tax_id",
            *_MONEY,
            "iban",
            "bic",
            "payment_terms",
        ),
    ),
    Kind(
        "Purchase order",
        ("purchase order", "bestellung", "bon de commande"),
        1,
        ("vendor", "po_number", "date"),
        ("vendor", "customer", "po_number", "date", "delivery_date", *_MONEY),
    ),
    Kind(
        "Delivery note",
        ("delivery note", "lieferschein", "bon de livraison", "packing slip"),
        1,
        ("vendor", "date"),
        ("vendor", "customer", "date", "delivery_date", "po_number", *_MONEY),
    ),
    Kind(
        "Quote",
        ("quotation", "quote", "angebot", "devis"),
        1,
        ("vendor", "date", "total"),
        ("vendor", "customer", "date", *_MONEY),
    ),
    Kind(
        "Statement",
        ("statement", "kontoauszug", "relevé"),
        1,
        ("date",),
        ("vendor", "customer", "date", "customer_number", "iban", "bic", *_MONEY),
    ),
    Kind("Contract", ("contract", "agreement", "vertrag", "contrat"), 1, ("date",), ("date", "customer", "vendor")),
)
OTHER = Kind("Document", (), 0, (), ("date", "customer", "po_number", "customer_number", "iban", "email", *_MONEY))
