"""How well the words beside or above a place name the field."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from documents.locate.matches import Match
from printed.column_heads import name_column
from printed.currencies import MARKS
from printed.folding import fold, split_names
from printed.languages import join_words
from printed.stopwords import FILLERS

ABOVE = 0.8
GENERIC_WEIGHT = 0.5
LONGEST_LABEL = 6
"""In running text the words further left are no label."""

_CANONICAL = {
    fold(word): canon
    for canon, words in join_words(lambda language: language.label_words).items()
    for word in (canon, *words)
}
_PHRASES = (
    (("bill", "to"), "customer"),
    (("sold", "to"), "customer"),
    (("sub", "total"), "subtotal"),
    (("item", "no"), "sku"),
)
_ROLES = frozenset(_CANONICAL.values())
GENERIC = frozenset(["number", "date", "amount", "name", "id", "code", "value", "text", "type", "key", "field"])
_MONEY = frozenset(fold(mark) for mark in MARKS if mark.isalpha())
_NUMBER_SIGN = re.compile(r"[#№]|n[°º]")


def make_tokens(words: Sequence[str]) -> list[str]:
    """Canonical label words: common abbreviations and translations fall together, filler and currencies go."""
    tokens: list[str] = []
    at = 0
    while at < len(words):
        pair = next((canon for pair, canon in _PHRASES if tuple(words[at : at + 2]) == pair), None)
        word = pair or _CANONICAL.get(words[at], words[at])
        at += 2 if pair else 1
        if word not in FILLERS and word not in _MONEY:
            tokens.append(word)
    return tokens


@dataclass(frozen=True)
class Label:
    """What a field is called: its own name and title count, the names around it a little, the description hardly."""

    own: dict[str, float]
    about: frozenset[str] = frozenset()
    column: str = ""
    """The column of a table whose heads are known as its name."""

    @property
    def wants_percent(self) -> bool:
        return bool({"percent", "percentage", "rate"} & (self.own.keys() | self.about))

    def fit_names(self, names: Sequence[str]) -> float:
        """Measures how well folded words fit as they stand."""
        return self.fit(make_tokens(names))

    def fit(self, phrase: Sequence[str]) -> float:
        """0..1: the share of the name that the phrase says, less for what else the phrase says."""
        if not phrase or not self.own:
            return 0.0
        tokens = set(phrase)
        recall = sum(weight for token, weight in self.own.items() if token in tokens) / sum(self.own.values())
        if not recall:
            return 0.1 * len(tokens & self.about) / len(tokens)
        precision = sum(token in self.own for token in phrase) / len(phrase)
        return recall * (0.6 + 0.4 * precision) + 0.05 * len(tokens & self.about) / len(tokens)


def make_label(names: Sequence[str], title: str = "", description: str = "") -> Label:
    """`names` from the outermost field to the field itself."""
    own: dict[str, float] = {}
    for depth, name in enumerate(reversed([*names[:-1], f"{names[-1]} {title}"])):
        for token in make_tokens(split_names(name)):
            own.setdefault(token, (GENERIC_WEIGHT if token in GENERIC else 1.0) / (1 if depth == 0 else 4))
    about = frozenset(make_tokens(split_names(description))) - own.keys()
    return Label(own, about, name_column(title) or name_column(names[-1] if names else ""))


@dataclass
class Labels:
    """Phrases beside places, remembered."""

    _known: dict[tuple[int, int], tuple[list[str], list[str]]] = field(default_factory=dict)

    def read(self, match: Match) -> tuple[list[str], list[str]]:
        """The words to the left and above."""
        key = (match.span.page, match.span.words[0])
        if key not in self._known:
            self._known[key] = read_left_phrase(match), read_above_phrase(match)
        return self._known[key]

    def read_roles(self, match: Match) -> frozenset[str]:
        """Read the words around a place that are labels of something, as “due” and “date”."""
        left, above = self.read(match)
        return _ROLES.intersection(left or above)

    def fit(self, label: Label, match: Match) -> float:
        left, above = self.read(match)
        fit = max(label.fit(left), ABOVE * label.fit(above))
        if match.kind == "number" and fit:
            fit += 0.2 * (label.wants_percent == match.percent) - 0.1
        return fit


def read_left_phrase(match: Match) -> list[str]:
    """The label words to the left on the same line: from the own cell, else from the nearest cell that says any."""
    page, first = match.page, match.span.words[0]
    row = page.rows[page.words[first].line]
    before = row[: row.index(first)]
    phrase: list[str] = []
    cell = page.cell_of[first]
    for at in reversed(before):
        if (page.cell_of[at] != cell and phrase) or len(phrase) >= LONGEST_LABEL:
            break
        cell = page.cell_of[at]
        word = page.words[at].text
        if phrase and word.endswith((":", ";")):
            break
        if not any(char.isdigit() for char in word):
            names = page.names[at] or (["number"] if _NUMBER_SIGN.search(fold(word)) else [])
            phrase[:0] = names if make_tokens(names) else []
        elif phrase:
            break
    own = page.words[first].text  # "Total:17.50" carries its own label
    return make_tokens(phrase) or (make_tokens(page.names[first]) if ":" in own[1:-1] and match.kind != "text" else [])


def read_above_phrase(match: Match) -> list[str]:
    """The label words right above, as in forms and in tables: the nearest line whose words overlap sideways."""
    page, first = match.page, match.span.words[0]
    top = page.words[first].y0
    height = max(page.words[first].y1 - top, 1e-6)
    left, right = match.sides
    at = page.lines.index(page.words[first].line)
    for line in reversed(page.lines[max(at - 3, 0) : at]):
        over = [at for at in page.rows[line] if page.words[at].x0 < right and page.words[at].x1 > left]
        if over:
            if top - max(page.words[at].y1 for at in over) > 2.5 * height:
                return []
            cells = {page.cell_of[at] for at in over}
            whole = [at for cell in sorted(cells) for at in page.cells[cell]]
            chosen = whole if len(whole) <= 4 else over
            return make_tokens(
                [name for at in chosen if not page.words[at].text[-1:].isdigit() for name in page.names[at]]
            )
    return []
