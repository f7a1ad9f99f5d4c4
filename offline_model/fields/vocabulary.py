"""The fields that documents of business share: one canonical name each, and how people label them."""

from collections.abc import Callable
from dataclasses import dataclass

from offline_model.text import split_words
from printed.language import Language, Table
from printed.languages import LANGUAGES, list_phrases


@dataclass(frozen=True)
class Field:
    """`kind` as in values.parse_value; `labels` from surest to vaguest; a cell that matches `never` is passed over."""

    name: str
    kind: str
    description: str
    labels: tuple[str, ...]
    never: str = ""
    is_known: bool = True
    """One of the vocabulary; the labels of others are no more than the words of a property."""


def _make_field(name: str, kind: str, description: str, pick: Callable[[Language], Table]) -> Field:
    """With the labels of all languages."""
    labels = list_phrases(lambda language: pick(language).get(name, ""))
    passed = (language.passed_labels.get(name, "") for language in LANGUAGES)
    never = "|".join(filter(None, passed))
    return Field(name, kind, description, tuple(labels), rf"(?<![a-z])(?:{never})" if never else "")


_FIELDS = (
    ("vendor", "text", "Name of the company that issued the document."),
    ("company", "text", "Name of the shop or company at the top of the receipt."),
    ("address", "text", "Address of the company that issued the document, on one line."),
    ("customer", "text", "Name of the person or company that is billed."),
    ("customer_address", "text", "Address of the person or company that is billed, on one line."),
    ("invoice_number", "code", "Number of the invoice as printed."),
    ("receipt_number", "code", "Number of the receipt as printed."),
    ("credit_note_number", "code", "Number of the credit note as printed."),
    ("invoice_date", "date", "Date of the invoice, YYYY-MM-DD."),
    ("date", "date", "Date of the document, YYYY-MM-DD."),
    ("due_date", "date", "Date by which payment is due, YYYY-MM-DD."),
    ("delivery_date", "date", "Date of delivery or service, YYYY-MM-DD."),
    ("order_date", "date", "Date of the order, YYYY-MM-DD."),
    ("po_number", "code", "Number of the customer's purchase order."),
    ("customer_number", "code", "Number of the customer at the vendor."),
    ("tax_id", "tax_id", "Tax registration number of the vendor."),
    ("registration_number", "code", "Number of the vendor in a register of companies."),
    ("iban", "iban", "IBAN of the account to pay to, without spaces."),
    ("bic", "code_word", "BIC or SWIFT code of the bank."),
    ("currency", "currency", "Three-letter ISO code of the currency."),
    ("subtotal", "number", "Sum of the items before tax."),
    ("tax_rate", "percent", "Tax rate in percent."),
    ("tax", "number", "Amount of tax."),
    ("discount", "number", "Discount on the whole document."),
    ("shipping", "number", "Cost of shipping."),
    ("rounding", "number", "Rounding adjustment."),
    ("total", "number", "Total amount to pay, tax included."),
    ("amount_paid", "number", "Amount that was paid before."),
    ("payment_method", "text", "How it was paid."),
    ("payment_terms", "text", "Terms of payment as printed."),
    ("cashier", "text", "Name or number of the cashier."),
    ("email", "email", "E-mail address on the document."),
    ("phone", "phone", "Telephone number of the company that issued the document."),
)
_COLUMNS = (
    ("position", "text", "Number of the row."),
    ("sku", "text", "Article number."),
    ("description", "text", "What was sold."),
    ("quantity", "number", "How many."),
    ("unit", "text", "Unit of the quantity."),
    ("unit_price", "number", "Price of one."),
    ("discount", "number", "Discount on the row."),
    ("tax_code", "text", "Tax code or rate of the row."),
    ("tax", "number", "Amount of tax of the row."),
    ("amount", "number", "Amount of the row."),
)
# Schemas call them so, pages do not.
_NAMES_IN_SCHEMAS = {
    "vendor": "issuer, sender, biller, merchant, from, organization, business name, company issuing the document",
    "company": "company, shop, store",
    "customer": "billed to name, bill to name, payer, debtor, client company, invoice recipient",
    "invoice_date": "billing date, invoice issued",
    "due_date": "payable until, pay until, maturity date",
    "tax_id": "vat registration, vat identification number, vat identifier, tax identifier, fiscal number",
    "subtotal": "net, net sum, total before tax, amount excluding tax, amount excluding vat, total excl vat, total ht",
    "tax": "vat, gst, taxes, iva, tva, btw, mwst, ust",
    "total": "gross, gross sum, amount, amount including tax, total including tax, total with tax, final total",
    "po_number": "purchase order, order reference, customer reference",
    "shipping": "shipping fee, delivery fee, shipping amount",
    "tax_rate": "vat percent, vat percentage, tax percent, tax percentage, tax rate percent",
    "phone": "phone number, telephone number",
    "iban": "bank account, bank account number",
}
_COLUMN_NAMES_IN_SCHEMAS = {
    "description": "title, label, text, product or service",
    "quantity": "count, number of units, qty ordered",
    "unit_price": "price per item, unit amount, net unit price, single price",
    "amount": "line amount, row total, item total, total net, gross amount, price total, sum",
    "tax_code": "tax rate, vat rate, tax percent, vat percent",
    "position": "position, row number, line number, index",
}
FIELDS = tuple(_make_field(*row, lambda language: language.fields) for row in _FIELDS)
COLUMNS = tuple(_make_field(*row, lambda language: language.columns) for row in _COLUMNS)
BY_NAME = {field.name: field for field in FIELDS}
COLUMN_BY_NAME = {field.name: field for field in COLUMNS}


def join_spoken(phrase: str) -> str:
    return " ".join(split_words(phrase))


def _list_spoken(fields: tuple[Field, ...], names: dict[str, str]) -> dict[str, Field]:
    """Earlier fields before later ones, labels before the names in schemas, and a field's own name before all."""
    spoken = {join_spoken(label): field for field in reversed(fields) for label in reversed(field.labels)}
    known = {field.name: field for field in fields}
    spoken |= {join_spoken(name): known[key] for key, text in names.items() for name in text.split(",")}
    return spoken | {join_spoken(field.name): field for field in fields}


_SPOKEN = _list_spoken(FIELDS, _NAMES_IN_SCHEMAS)
_COLUMN_SPOKEN = _list_spoken(COLUMNS, _COLUMN_NAMES_IN_SCHEMAS)
_HEADS = {join_spoken(label): (field, rank) for field in reversed(COLUMNS) for rank, label in enumerate(field.labels)}
_ARTICLES = frozenset({"the", "a", "an", "of", "field"})
_VENDOR_WORDS = frozenset(split_words("vendor supplier seller issuer merchant company biller sender our"))
_CUSTOMER_WORDS = frozenset(split_words("customer client buyer recipient purchaser debtor payer"))
_DOCUMENT_WORDS = frozenset(split_words("invoice document receipt bill order credit note"))
_SUFFIXES = frozenset(split_words("amount value name number printed text full"))
_OF_VENDOR = frozenset(("tax_id", "registration_number", "iban", "bic", "address", "phone", "email"))


def lookup_field(spoken: str) -> Field | None:
    """The field that a phrase such as `Invoice no.` or `po_number` means."""
    words = split_words(spoken)
    bare = [word for word in words if word not in _ARTICLES] or words
    return _SPOKEN.get(" ".join(bare)) or _SPOKEN.get(" ".join(words)) or _lookup_without_owner(bare)


def _lookup_without_owner(words: list[str]) -> Field | None:
    """`supplier_vat_number`, `invoice_total`, `total_amount_value`: the same without the word that names the owner."""
    if len(words) < 2:
        return None
    rest = " ".join(words[1:])
    if words[0] in _VENDOR_WORDS:
        named = BY_NAME["vendor"] if rest == "name" else _SPOKEN.get(rest)
        return named if named and named.name in _OF_VENDOR | {"vendor"} else None
    if words[0] in _CUSTOMER_WORDS:
        return BY_NAME["customer"] if rest in {"name", "company", "company name"} else None
    if words[0] in _DOCUMENT_WORDS and rest in _SPOKEN:
        return _SPOKEN[rest]
    return _SPOKEN.get(" ".join(words[:-1])) if words[-1] in _SUFFIXES else None


def names_customer(words: list[str]) -> bool:
    """Whether a property belongs to the customer, whose numbers and address are not the vendor's."""
    return bool(_CUSTOMER_WORDS.intersection(words))


def lookup_column(spoken: str) -> Field | None:
    return _COLUMN_SPOKEN.get(join_spoken(spoken))


def lookup_head(words: tuple[str, ...]) -> tuple[Field, int] | None:
    """The column that a printed head names, and how sure its label is: the first words decide, then the last ones.

    `Unit price (EUR)` and `Description of the works` say more than the label does.
    """
    whole = _HEADS.get(" ".join(words))
    sizes = range(len(words) - 1, 0, -1)
    runs = [words[:size] for size in sizes] + [words[-size:] for size in sizes if size > 1]
    head = whole or next((part for run in runs if len("".join(run)) > 3 and (part := _HEADS.get(" ".join(run)))), None)
    return head or (_HEADS.get(words[1]) if len(words) == 2 and is_position(words[0]) else None)


def part_heads(words: tuple[str, ...], count: int) -> tuple[str, ...] | None:
    """The words of a row of heads as so many labels; where heads stand close, cells part them in the wrong place."""
    if count == 1:
        return (" ".join(words),) if " ".join(words) in _HEADS else None
    for size in range(len(words) - count + 1, 0, -1):
        label = " ".join(words[:size])
        rest = part_heads(words[size:], count - 1) if label in _HEADS else None
        if rest:
            return (label, *rest)
    return None


def is_position(word: str) -> bool:
    """Whether it heads the numbers of rows, which may stand close to what is beside them: `Pos Description`."""
    head = _HEADS.get(word)
    return bool(head and head[0].name == "position")
