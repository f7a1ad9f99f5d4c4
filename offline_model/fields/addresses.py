"""The addresses of the issuer and the customer, and the tax number of the issuer."""

import re

from offline_model.fields.labels import FoundValue, list_values
from offline_model.fields.layout import Layout, LayoutLine
from offline_model.fields.names import ADDRESS_ENDS, CONTACT
from offline_model.fields.parties import (
    find_customer_party,
    find_vendor_party,
    get_cell,
    list_customer_places,
    list_places_below,
)
from offline_model.fields.values import VAT_ID, find_date
from offline_model.fields.vocabulary import BY_NAME
from printed.folding import fold_letters
from printed.languages import write_pattern

LINE_OF_ADDRESS = re.compile(rf"{write_pattern(lambda language: language.streets)}|\d")


def find_customer_address(layout: Layout) -> FoundValue | None:
    party = find_customer_party(layout)
    if not party:
        return None
    lines: list[str] = []
    for _, text in list_places_below(layout, party.place):
        if ADDRESS_ENDS.search(fold_letters(text)) or len(lines) == 4:
            break
        lines.append(text)
    has_place = any(re.search(r"\d", text) for text in lines)
    return FoundValue(", ".join(lines), party.line, lines[0]) if has_place else None


def find_address(layout: Layout) -> FoundValue | None:
    """The lines below the issuer that read as an address, until the next label."""
    vendor = find_vendor_party(layout)
    if not vendor:
        return None
    lines: list[tuple[LayoutLine, str]] = []
    for at in range(vendor.place.at + 1, min(len(layout.lines), vendor.place.at + 10)):
        line = layout.lines[at]
        text = get_cell(line, vendor.line, vendor.place.n, len(vendor.line.columns))
        folded = fold_letters(text)
        skipped = not text or re.fullmatch(r"\W*\(?[\w -]*\d[\w-]*\)\W*", text) or find_date(text)
        if skipped and not lines:
            continue
        if ADDRESS_ENDS.search(folded) or len(lines) == 5 or CONTACT.match(folded):
            break
        if lines or LINE_OF_ADDRESS.search(folded):
            lines.append((line, text))
    joined = " ".join(text for _, text in lines)
    return FoundValue(joined, lines[0][0], joined) if lines else None


def find_tax_id(layout: Layout) -> FoundValue | None:
    """The labelled number that is not the addressee's; without a label one in the form of the European Union."""
    lines = {layout.lines[place.at] for place in list_customer_places(layout)}
    vendor = find_vendor_party(layout)
    foreign = lines - ({vendor.line} if vendor else set())
    labelled = [each for each in list_values(layout, BY_NAME["tax_id"]) if each.found.line not in foreign]
    if labelled:
        return min(labelled, key=lambda each: (each.distance, each.rank)).found
    plain = [
        (line, match.group()) for line in layout.lines if line not in foreign for match in VAT_ID.finditer(line.text)
    ]
    values = {value for _, value in plain}
    return FoundValue(plain[0][1], plain[0][0], plain[0][1]) if len(values) == 1 else None
