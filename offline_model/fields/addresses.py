"""The customer in the window of a letter, the addresses of both parties, and the tax number of the issuer."""

import re
from collections.abc import Iterator

from offline_model.fields.labels import POSTCODE, FoundValue, is_label, list_values
from offline_model.fields.layout import Layout, LayoutLine
from offline_model.fields.names import ADDRESS_ENDS, CONTACT, has_form
from offline_model.fields.parties import (
    BLOCK,
    Party,
    find_customer_party,
    find_vendor_party,
    get_cell,
    list_block,
    list_companies,
    list_customer_places,
    list_places_below,
)
from offline_model.fields.values import VAT_ID, find_date
from offline_model.fields.vocabulary import BY_NAME
from printed.folding import fold_letters
from printed.languages import write_pattern

LINE_OF_ADDRESS = re.compile(rf"{write_pattern(lambda language: language.streets)}|\d")
ADDRESS_LINES = 4


def find_customer(layout: Layout) -> FoundValue | None:
    party = find_customer_party(layout) or find_addressee(layout)
    return party.as_found if party else None


def find_addressee(layout: Layout) -> Party | None:
    """The one company in the window of a letter: an address below it, no telephone or number, and not the issuer."""
    vendor = find_vendor_party(layout)
    if not vendor:
        return None
    addressed = {party.key: party for party in reversed(list(_list_addressed(layout))) if party.key != vendor.key}
    return next(iter(addressed.values())) if len(addressed) == 1 else None


def _list_addressed(layout: Layout) -> Iterator[Party]:
    for party in list_companies(layout):
        below = list_block(layout, party.place, ADDRESS_LINES)
        at = next((at for at, text in enumerate(below) if POSTCODE.search(text)), None)
        if (
            has_form(party.name)
            and at is not None
            and not any(CONTACT.search(fold_letters(text)) for text in below[: at + 2])
        ):
            yield party


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
    labelled = [each for each in list_values(layout, BY_NAME["address"]) if each.distance == 0]
    if labelled:
        return labelled[0].found
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
        if ADDRESS_ENDS.search(folded) or len(lines) == 5 or CONTACT.match(folded) or is_label(text):
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
    block = layout.lines[vendor.place.at : vendor.place.at + BLOCK] if vendor else ()
    near = [each for each in labelled if each.found.line in block]
    if near:
        return min(near, key=lambda each: block.index(each.found.line)).found
    if labelled:
        return min(labelled, key=lambda each: (each.distance, each.rank)).found
    plain = [
        (line, match.group()) for line in layout.lines if line not in foreign for match in VAT_ID.finditer(line.text)
    ]
    values = {value for _, value in plain}
    return FoundValue(plain[0][1], plain[0][0], plain[0][1]) if len(values) == 1 else None
