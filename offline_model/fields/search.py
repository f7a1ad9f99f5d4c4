"""One way to find a field in a layout: by label where there is one, else by where such things stand."""

import re
from collections.abc import Callable

from offline_model.fields import addresses, amounts, parties, unlabelled
from offline_model.fields.kinds import KINDS, OTHER, DocumentKind
from offline_model.fields.labels import FoundValue, find_value
from offline_model.fields.layout import Layout
from offline_model.fields.vocabulary import FIELDS, Field, lookup_field, names_customer
from offline_model.text import split_words, to_readable
from printed.folding import fold_letters
from printed.languages import write_pattern

TILL = re.compile(write_pattern(lambda language: language.till_words))
CLAUSE = re.compile(r"[.,;(:]")
SUFFIX_OF_DESCRIPTIONS = re.compile(r" (as (printed|written|stated|shown)|in the document|on the (document|invoice)).*")
LONGEST_LABEL = 40

# These know more than labels say.
FINDERS: dict[str, Callable[[Layout], FoundValue | None]] = {
    "vendor": parties.find_vendor,
    "company": parties.find_vendor,
    "customer": addresses.find_customer,
    "customer_address": addresses.find_customer_address,
    "address": addresses.find_address,
    "tax_id": addresses.find_tax_id,
    "currency": unlabelled.find_currency,
    "invoice_date": unlabelled.find_invoice_date,
    "total": amounts.find_total,
    "subtotal": amounts.find_subtotal,
    "tax": amounts.find_tax,
    "tax_rate": amounts.find_tax_rate,
}
UNLABELLED: dict[str, Callable[[Layout], FoundValue | None]] = {
    "date": unlabelled.find_first_date,
    "iban": unlabelled.find_iban,
    "email": unlabelled.find_email,
}


def find_field(layout: Layout, field: Field) -> FoundValue | None:
    if finder := FINDERS.get(field.name):
        return finder(layout)
    beside = UNLABELLED.get(field.name)
    return find_value(layout, field) or (beside(layout) if beside else None)


def find_kind(layout: Layout) -> DocumentKind:
    """The kind whose signs the text shows; signs of one word count once each."""
    for kind in KINDS:
        signs_seen = sum(bool(re.search(rf"\b{fold_letters(sign)}", layout.folded)) for sign in kind.signs)
        if signs_seen >= kind.needed and (kind.name != "Receipt" or TILL.search(layout.folded)):
            return kind
    return OTHER


def make_field(name: str, kind: str, *also: str, about: str = "") -> Field:
    """The known field behind a property's name, title or description, else one made of its own words.

    `about` names the object that the property is in: the number in `customer` is none of the vendor's.
    """
    spoken = [text for text in (to_readable(name), *also) if text]
    readable = to_readable(about)
    full = [f"{readable} {text}" for text in spoken] if readable else spoken
    is_customers = any(names_customer(split_words(text)) for text in full)
    for phrase in (*full, *(() if is_customers else spoken)):
        known = lookup_field(phrase)
        if known and not (is_customers and known.name not in OF_CUSTOMER):
            return known
    labels = tuple(dict.fromkeys(label for label in full if len(label) < LONGEST_LABEL))
    return Field(name, kind, "", labels, is_known=False)


OF_CUSTOMER = frozenset(("customer", "customer_number", "customer_address"))


def find_clause(description: str) -> str:
    """The first words of a description, which often are the label: `The invoice number, as printed.`"""
    clause = SUFFIX_OF_DESCRIPTIONS.sub("", CLAUSE.split(description.strip())[0])
    return clause if 0 < len(split_words(clause)) <= 5 else ""


def find_fields(layout: Layout) -> dict[str, FoundValue]:
    """Every known field that the document shows."""
    pairs = ((field.name, find_field(layout, field)) for field in FIELDS)
    return {name: value for name, value in pairs if value}
