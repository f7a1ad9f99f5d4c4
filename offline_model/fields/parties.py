"""The issuer of a document and the customer that is billed.

A company is the issuer by what stands beside it: its tax number, its telephone, a web address of the same name, a
letterhead. The addressee, a heading and a person are not. Where two could be it, neither is given.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from offline_model.fields.labels import POSTCODE, FoundValue, is_label
from offline_model.fields.layout import Layout, LayoutLine
from offline_model.fields.names import (
    ATTENTION,
    COMMON_DOMAINS,
    CONTACT,
    DOMAIN,
    PERSON,
    SHOP,
    TITLE,
    cut_name,
    has_form,
    is_name,
    opens_with_form,
)
from offline_model.fields.tables import list_table_lines
from offline_model.fields.vocabulary import BY_NAME
from offline_model.text import compile_labels, split_words
from printed.folding import fold_letters
from printed.languages import write_pattern

STREET = re.compile(rf"(?=.*\d).*{write_pattern(lambda language: language.streets)}")
BLOCK, CUSTOMER_LINES = 7, 6
TOP = 6
NEEDED, TILL_LINES = 4, 2


@dataclass(frozen=True)
class Place:
    """A cell: the n-th of a line."""

    at: int
    n: int


@dataclass(frozen=True)
class Party:
    name: str
    place: Place
    line: LayoutLine
    cell: str

    @property
    def as_found(self) -> FoundValue:
        return FoundValue(self.name, self.line, self.cell)

    @property
    def key(self) -> str:
        return "".join(split_words(self.name))


def find_vendor(layout: Layout) -> FoundValue | None:
    party = find_vendor_party(layout)
    return party.as_found if party else None


@lru_cache(maxsize=8)
def find_vendor_party(layout: Layout) -> Party | None:
    labelled = find_labelled_party(layout, "vendor") or find_labelled_party(layout, "company")
    if labelled:
        return labelled
    scored = [(rate_party(layout, party), party) for party in list_companies(layout)]
    best: dict[str, tuple[int, Party]] = {}
    for score, party in scored:
        if score > best.get(party.key, (0, party))[0]:
            best[party.key] = (score, party)
    ranked = sorted(best.values(), key=lambda pair: (-pair[0], pair[1].place.at))
    if not ranked or ranked[0][0] < (NEEDED if len(ranked) > 1 else NEEDED - 1):
        return None
    return None if len(ranked) > 1 and ranked[1][0] == ranked[0][0] > 0 and not _is_above(*ranked[:2]) else ranked[0][1]


def _is_above(first: tuple[int, Party], second: tuple[int, Party]) -> bool:
    """On a till's slip the name stands in the first lines alone."""
    return first[1].place.at < TILL_LINES and second[1].place.at > first[1].place.at + 1


def rate_party(layout: Layout, party: Party) -> int:
    """Add up the evidence for a company as the issuer."""
    folded = fold_letters(party.cell)
    around = list(takewhile(_goes_on, list_block(layout, party.place, BLOCK)))
    own = " ".join([folded, *map(fold_letters, around), *_list_beside(layout, party.place)])
    has_contact, has_tax_id = bool(CONTACT.search(own)), bool(TAX_LABEL.search(own))
    score = 3 * is_company(party) + 2 * bool(SHOP.search(folded)) + 4 * _has_domain(layout, party)
    score += 2 * has_contact + 2 * has_tax_id + (party.place.at < TOP)
    score += 2 * bool(POSTCODE.search(_get_own_line(party)) and is_company(party)) + min(
        1, _count_repeats(layout, party)
    )
    score += 2 * (party.place.at < TOP and _is_letterhead(around))
    customer = find_customer_party(layout)
    score += 2 * bool(customer and customer.key != party.key)
    if not has_contact and not _has_domain(layout, party) and _has_contact_elsewhere(layout):
        score -= 3
    return score


TAX_LABEL = compile_labels(BY_NAME["tax_id"].labels)


def _get_own_line(party: Party) -> str:
    """Its cell, and for the first one its line: the foot of a page says all beside the name."""
    return party.line.text if party.place.n == 0 and party.place.at >= TOP else party.cell


def _goes_on(text: str) -> bool:
    """Whether a line below a company may still be about it: no heading, and no other company."""
    return not TITLE.search(fold_letters(text)) and not has_form(cut_name(text))


def _list_beside(layout: Layout, place: Place) -> list[str]:
    """List the cells to the right of a letterhead or of the first cell in a foot, but for the addressee."""
    taken = list_customer_places(layout)
    count = (3 if place.at < TOP else 1) if place.n == 0 else 0
    near = range(place.at, min(place.at + count, len(layout.lines)))
    cells = ((Place(at, n), cell) for at in near for n, cell in enumerate(layout.lines[at].cells) if n)
    return [fold_letters(cell) for where, cell in cells if where not in taken]


def is_company(party: Party) -> bool:
    """By the form of its name, or by one right behind it: `Librefibre - SAS au capital de …`."""
    behind = party.cell[len(party.name) :].lstrip(" -–,·|")
    return has_form(party.name) or bool(behind and opens_with_form(behind))


def _has_domain(layout: Layout, party: Party) -> bool:
    return any(name in party.key or party.key.startswith(name[:12]) for name in _list_domains(layout))


@lru_cache(maxsize=8)
def _list_domains(layout: Layout) -> frozenset[str]:
    names = {name.replace("-", "") for name in DOMAIN.findall(layout.folded)} - COMMON_DOMAINS
    return frozenset(name for name in names if len(name) > 3)


def _count_repeats(layout: Layout, party: Party) -> int:
    return layout.folded.count(fold_letters(party.name)) - 1


@lru_cache(maxsize=8)
def _has_contact_elsewhere(layout: Layout) -> bool:
    """Whether a line that is not the addressee's has a tax number, or a company with its telephone."""
    customer = {layout.lines[place.at] for place in list_customer_places(layout)}
    return any(_tells_issuer(line) for line in layout.lines if line not in customer)


def _tells_issuer(line: LayoutLine) -> bool:
    folded = fold_letters(line.text)
    has_company = any(has_form(cut_name(cell)) for cell in line.cells)
    return bool(TAX_LABEL.search(folded) or (has_company and CONTACT.search(folded)))


def _is_letterhead(around: list[str]) -> bool:
    return any(POSTCODE.search(text) or STREET.search(fold_letters(text)) for text in around[:3])


def list_block(layout: Layout, place: Place, count: int) -> list[str]:
    """The cells of the same column below, up to so many lines."""
    page = layout.lines[place.at].page
    lines = [line for line in layout.lines[place.at + 1 : place.at + 1 + count] if line.page == page]
    width = len(layout.lines[place.at].columns)
    return [text for line in lines if (text := get_cell(line, layout.lines[place.at], place.n, width))]


def get_cell(line: LayoutLine, first: LayoutLine, n: int, width: int) -> str:
    if width > 1 and len(line.columns) == width:
        return line.columns[[at for at, text in enumerate(first.columns) if text][n]]
    return line.cells[0] if n == 0 or len(line.cells) == 1 else line.cells[n] if n < len(line.cells) else ""


def list_companies(layout: Layout) -> Iterator[Party]:
    taken, rows = list_customer_places(layout), list_table_lines(layout)
    for at, line in enumerate(layout.lines):
        for n, cell in enumerate(line.cells if line not in rows else ()):
            if Place(at, n) not in taken and (party := _read_company(cell, line, Place(at, n))):
                is_named = is_company(party) or SHOP.search(fold_letters(cell)) or _has_domain(layout, party)
                if is_named or _opens_letter(layout, party):
                    yield party


def _opens_letter(layout: Layout, party: Party) -> bool:
    """A name in the first line, written as one, with an address below it."""
    words = [word for word in re.findall(r"[^\W\d_]+", party.name) if len(word) > 3]
    is_capital = all(word[0].isupper() for word in words) and not re.search(r"\d|:", party.name)
    first = next((at for at, line in enumerate(layout.lines) if any(map(is_name, line.cells))), 0)
    return (
        bool(words)
        and is_capital
        and party.place == Place(first, 0)
        and _is_letterhead(list_block(layout, party.place, 3))
    )


def _read_company(cell: str, line: LayoutLine, place: Place) -> Party | None:
    name = cut_name(cell)
    return Party(name, place, line, cell) if is_name(name) else None


def find_labelled_party(layout: Layout, name: str) -> Party | None:
    """The name beside or below a label of the party that opens a cell, as `Sprzedawca: Wolt-Len, ul. Leśna 2`."""
    field = BY_NAME[name]
    pattern, never = compile_labels(field.labels), re.compile(field.never) if field.never else None
    ranked: list[tuple[int, Party]] = []
    for at, line in enumerate(layout.lines):
        for n, cell in enumerate(line.cells):
            folded = fold_letters(cell)
            match = pattern.match(folded.lstrip(" *-"))
            offset = len(folded) - len(folded.lstrip(" *-"))
            if not match or (never and never.search(folded[: offset + match.end() + 18].partition(":")[0])):
                continue
            party = _read_labelled(layout, Place(at, n), cell, offset + match.end())
            if party:
                rank = next(int(k[1:]) for k, v in match.groupdict().items() if v is not None)
                ranked.append((rank, party))
    return min(ranked, key=lambda pair: pair[0])[1] if ranked else None


def _read_labelled(layout: Layout, place: Place, cell: str, end: int) -> Party | None:
    line, rest = layout.lines[place.at], cell[end:]
    inline = cut_name(rest.lstrip(" .:#=-–)°º*"))
    if inline:
        is_marked = rest.lstrip(" )°º")[:1] == ":" or (has_form(inline) and not inline[:1].islower())
        return Party(inline, place, line, rest.strip(" :")) if is_marked and is_name(inline) else None
    texts = [(at, text) for at, text in list_places_below(layout, place)][:2]
    right = line.cells[place.n + 1 : place.n + 2]
    if right and not is_label(right[0]) and rest.strip()[:1] == ":" and is_name(cut_name(right[0])):
        return Party(cut_name(right[0]), Place(place.at, place.n + 1), line, right[0])
    for below, text in texts:
        if PERSON.search(fold_letters(text)) and len(split_words(text)) == 1:
            continue
        name = cut_name(text)
        company = ATTENTION.sub("", name)
        if company != name and has_form(company):
            return Party(company, below, layout.lines[below.at], text)
        if is_name(name):
            return Party(name, below, layout.lines[below.at], text)
        return _read_beside(layout, below) if TITLE.search(fold_letters(text)) else None
    return None


def _read_beside(layout: Layout, heading: Place) -> Party | None:
    """The company beside a heading that stands between it and its label."""
    line = layout.lines[heading.at]
    parties = (_read_company(cell, line, Place(heading.at, n)) for n, cell in enumerate(line.cells) if n != heading.n)
    return next((party for party in parties if party and has_form(party.name)), None)


def list_places_below(layout: Layout, place: Place) -> Iterator[tuple[Place, str]]:
    first = layout.lines[place.at]
    width = len(first.columns)
    for at in range(place.at + 1, min(len(layout.lines), place.at + 1 + CUSTOMER_LINES)):
        line = layout.lines[at]
        text = get_cell(line, first, place.n, width) if line.page == first.page else ""
        if text and is_label(text):
            return
        if text:
            yield Place(at, line.cells.index(text)), text


@lru_cache(maxsize=8)
def find_customer_party(layout: Layout) -> Party | None:
    return find_labelled_party(layout, "customer")


@lru_cache(maxsize=8)
def list_customer_places(layout: Layout) -> frozenset[Place]:
    """The cells of the addressee: the name, what stands beside it in its line, and the lines below it."""
    party = find_customer_party(layout)
    if not party:
        return frozenset()
    line = layout.lines[party.place.at]
    beside = {Place(party.place.at, n) for n in range(party.place.n, len(line.cells))}
    below = {place for place, _ in list_places_below(layout, party.place)}
    return frozenset({party.place, *beside, *below})
