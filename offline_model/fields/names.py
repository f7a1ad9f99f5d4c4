"""Names of companies among the cells of a page: their forms, and what is no name at all."""

import re

from offline_model.fields.kinds import KINDS
from offline_model.fields.labels import is_label
from offline_model.fields.values import find_date, parse_number
from offline_model.fields.vocabulary import BY_NAME
from offline_model.text import compile_labels, split_words
from printed.folding import fold_letters
from printed.languages import LANGUAGES, join_pattern, list_words, write_pattern
from printed.stopwords import STOPWORDS

# The English signs of a kind may begin a company's name: Contract Logistics, Cash & Carry.
_SIGNS = "|".join(
    fold_letters(sign) for kind in KINDS for sign in kind.signs if sign not in LANGUAGES[0].kinds[kind.name]
)
TITLE = re.compile(
    r"^\W*((simplified |tax |cash |pro ?forma |commercial |vat |sales )*(invoice|receipt|bill|statement)"
    r"|credit note|delivery note|purchase order|original|copy|duplicate"
    rf"|page \d|from|to|subject|date|{_SIGNS})\b"
)
FORM = re.compile(join_pattern(word for word in list_words(lambda each: each.company_forms) if word not in STOPWORDS))
SHOP = re.compile(join_pattern(word for word in list_words(lambda each: each.shops) if word not in STOPWORDS))
ADDRESS_ENDS = re.compile(
    rf"{write_pattern(lambda language: language.address_ends)}|\b(?:{_SIGNS})\b"
    r"|^\W*\d{2}-?\d{3,4}[ -]?\d{3,4}\W*$"
)
PERSON = re.compile(rf"^\W*{write_pattern(lambda language: f'{language.titles} attn attention')}\W*(\w|$)")
REGISTRATION = re.compile(r"\s*\([\dA-Z-]*\d[\dA-Z -]*\)$")
SEPARATOR = re.compile(r"\s*[·•|;/]\s+|\s+[–—-]\s+|,\s+|\s{3,}")
_CONTACT_FIELDS = ("phone", "email", "tax_id", "registration_number", "iban")
CONTACT = compile_labels(tuple(label for name in _CONTACT_FIELDS for label in BY_NAME[name].labels))
ATTENTION = re.compile(r"^(attn|attention|fao|c/o)\W+", re.I)
DOMAIN = re.compile(r"(?:@|www\.|https?://)(?:[\w-]+\.)*?([\w-]{3,})\.(?:co\.|com\.|org\.)?[a-z]{2,6}\b")
COMMON_DOMAINS = frozenset(("gmail", "outlook", "hotmail", "yahoo", "web", "mail", "icloud", "example"))
LONGEST_NAME = 9


def has_form(name: str) -> bool:
    """Whether the name ends as a company's does, or begins so, as in `SARL Les Vergers`."""
    bare = re.sub(r"(?<=\b\w)\.\s?(?=\w\b)", "", REGISTRATION.sub("", name)).replace(".", "")
    matches = list(FORM.finditer(fold_letters(bare)))
    if not matches:
        return False
    first, last = matches[0], matches[-1]
    is_unit = re.search(r"\d\s*$", bare[: last.start()])  # 12 kg
    ends = last.start() > 0 and not is_unit and not re.match(r"\W*[^\W(]", bare[last.end() :].split("(")[0])
    return ends or (first.start() == 0 and bare[: first.end()].isupper() and len(first.group()) > 2)


def opens_with_form(text: str) -> bool:
    """Whether the text begins with the form of a company, written as one."""
    match = FORM.match(fold_letters(text).replace(".", ""))
    return bool(match and text[:1].isupper() and len(match.group()) > 1)


def cut_name(cell: str) -> str:
    """The name at the head of a cell that goes on with an address: `Wolt-Len, ul. Leśna 2` or `Acme GmbH · Berlin`."""
    parts = SEPARATOR.split(REGISTRATION.sub("", cell.strip(" :")))
    name = parts[0].strip(" ,;:*=_|")
    for part in parts[1:2]:
        if re.search(rf",\s+{re.escape(part)}", cell) and FORM.match(fold_letters(part).replace(".", "")):
            name = f"{name}, {part.strip(' ;:')}"
    return REGISTRATION.sub("", name).strip()


def is_name(cell: str) -> bool:
    """Whether it may be the name of a company: no label, heading, person, date, number or sentence."""
    letters, words = sum(c.isalpha() for c in cell), split_words(cell)
    folded = fold_letters(cell)
    worded = letters >= 3 and letters * 2 > len(cell) and len(words) <= LONGEST_NAME
    known = compile_labels(BY_NAME["customer"].labels).match(folded)
    sentence = cell.endswith((".", "!", "?")) and len(words) > 5 and not has_form(cell)
    odd = (
        "@" in cell
        or ":" in cell
        or "www" in folded
        or find_date(cell)
        or parse_number(cell) is not None
        or PERSON.search(folded)
    )
    return worded and not (sentence or odd or TITLE.search(folded) or is_label(cell) or known or CONTACT.match(folded))
