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


def _make_field(name: str, kind: str, description: str, pick: Callable[[Language], Table]) -> Field:
    """With the labels of all languages."""
    labels = list_phrases(lambda language: pick(language).get(name, ""))
    passed = (language.passed_labels.get(name, "") for language in LANGUAGES)
    return Field(name, kind, description, tuple(labels), "|".join(filter(None, passed)))


_FIELDS = (
    ("vendor", "text", "Name of the company that issued the document."),
    ("company", "text", "Name of the shop or company at the top of the receipt."),
    ("address", "text", "Address of the company that issued the document, on one line."),
    ("customer", "text", "Name of the person or company that is billed."),
    ("invoice_number", "code", "Number of the invoice as printed."),
    ("receipt_number", "code", "Number of the receipt as printed."),
    ("invoice_date", "date", "Date of the invoice, YYYY-MM-DD."),
    ("date", "date", "Date of the document, YYYY-MM-DD."),
    ("due_date", "date", "Date by which payment is due, YYYY-MM-DD."),
    ("delivery_date", "date", "Date of delivery or service, YYYY-MM-DD."),
    ("po_number", "code", "Number of the customer's purchase order."),
    ("customer_number", "code", "Number of the customer at the vendor."),
    ("tax_id", "code", "Tax registration number of the vendor."),
    ("iban", "iban", "IBAN of the account to pay to, without spaces."),
    ("bic", "code_word", "BIC or SWIFT code of the bank."),
    ("currency", "currency", "Three-letter ISO code of the currency."),
    ("subtotal", "number", "Sum of the items before tax."),
    ("tax_rate", "percent", "Tax rate in percent."),
    ("tax", "number", "Amount of tax."),
    ("discount", "number", "Discount on the whole document."),
    ("rounding", "number", "Rounding adjustment."),
    ("total", "number", "Total amount to pay, tax included."),
    ("payment_method", "text", "How it was paid."),
    ("payment_terms", "text", "Terms of payment as printed."),
    ("cashier", "text", "Name or number of the cashier."),
    ("email", "email", "E-mail address on the document."),
    ("phone", "phone", "Telephone number of the company that issued the document."),
)
_COLUMNS = (
    ("sku", "text", "Article number."),
    ("description", "text", "What was sold."),
    ("quantity", "number", "How many."),
    ("unit", "text", "Unit of the quantity."),
    ("unit_price", "number", "Price of one."),
    ("tax_code", "text", "Tax code of the row."),
    ("amount", "number", "Amount of the row."),
)
FIELDS = tuple(_make_field(*row, lambda language: language.fields) for row in _FIELDS)
COLUMNS = tuple(_make_field(*row, lambda language: language.columns) for row in _COLUMNS)
BY_NAME = {field.name: field for field in FIELDS}
COLUMN_BY_NAME = {field.name: field for field in COLUMNS}
_SPOKEN = {" ".join(split_words(label)): f for f in reversed(FIELDS) for label in (*f.labels, f.name)}
_COLUMN_SPOKEN = {" ".join(split_words(label)): f for f in reversed(COLUMNS) for label in (*f.labels, f.name)}
_SPOKEN |= {f.name.replace("_", " "): f for f in FIELDS}


def lookup_field(spoken: str) -> Field | None:
    """The field that a phrase such as `Invoice no.` or `po_number` means."""
    phrase = " ".join(
        w for w in split_words(spoken) if w not in {"the", "a", "an", "of", "field"} or len(split_words(spoken)) == 1
    )
    return _SPOKEN.get(phrase) or _SPOKEN.get(" ".join(split_words(spoken)))


def lookup_column(spoken: str) -> Field | None:
    return _COLUMN_SPOKEN.get(" ".join(split_words(spoken)))
