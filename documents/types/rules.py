"""Tell what a document is, by rules: signs are weighed, and where two types are near each other it is unsure.

A title alone decides nothing, since anybody can write one: the lines below it have to be built as those of its type.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from documents.types.page_lines import TypeLine
from documents.types.signs import TypeSign, find_layout_signs, find_titles, find_word_signs, measure_prose
from documents.types.weights import (
    INNER_TITLE,
    LABEL_TITLE,
    LATER_TITLE,
    LOUD,
    LOW,
    MORE_HITS,
    SECOND_TITLE,
    TITLE,
    WORD_SIGNS,
)

TYPES = (
    "invoice",
    "receipt",
    "credit note",
    "order",
    "delivery note",
    "contract",
    "statement",
    "payslip",
    "letter",
    "form",
    "report",
    "identity paper",
    "other",
)
OTHER = "other"
ENOUGH = 4.0
MARGIN = 2.0
ENOUGH_STRUCTURE = 1.0
NEGATIVE_SHARE = 3
MIN_RIVAL = 1.5
RIVAL_SHARE = 0.5
RIVAL_TITLE = 2.0
MAX_BESIDE_OTHER = 1.0
MAX_PROOFS = 5
MAX_LINES = 400


@dataclass(frozen=True)
class Verdict:
    """`type` is empty where the rules are unsure; `likely` is then the nearest. `barred` are those it cannot be."""

    type: str
    likely: str
    proofs: tuple[TypeSign, ...]
    scores: dict[str, float]
    barred: frozenset[str] = frozenset()


class Scores:
    """Collect what speaks for each type, apart from titles and with them, and the signs behind it."""

    def __init__(self) -> None:
        self.titles: defaultdict[str, float] = defaultdict(float)
        self.structure: defaultdict[str, float] = defaultdict(float)
        self.favour: defaultdict[str, float] = defaultdict(float)
        self.signs: defaultdict[str, list[tuple[float, TypeSign]]] = defaultdict(list)

    def add(self, weights: dict[str, float], sign: TypeSign | None, *, is_title: bool = False) -> None:
        for name, weight in weights.items():
            (self.titles if is_title else self.structure)[name] += weight
            self.favour[name] += 0 if is_title else max(0.0, weight)
            if sign and weight > 0:
                self.signs[name].append((weight, sign))

    def total(self, name: str) -> float:
        return self.titles[name] + self.structure[name]


def classify(lines: Iterable[TypeLine]) -> Verdict:
    kept = [line for line, _ in zip(lines, range(MAX_LINES), strict=False)]
    scores = Scores()
    _weigh_titles(kept, scores)
    _weigh_words(kept, scores)
    _weigh_layout(kept, scores)
    return _decide(scores)


def _decide(scores: Scores) -> Verdict:
    ranked = sorted(TYPES, key=lambda name: -scores.total(name))
    best, second = ranked[:2]
    lead = scores.total(best) - scores.total(second)
    is_sure = scores.total(best) >= ENOUGH and lead >= MARGIN and _is_built_so(best, scores)
    is_sure = is_sure and not _is_contradicted(best, scores)
    proofs = tuple(sign for _, sign in sorted(scores.signs[best], key=lambda each: -each[0])[:MAX_PROOFS])
    totals = {name: round(scores.total(name), 2) for name in ranked if scores.total(name)}
    barred = frozenset(name for name in TYPES if _is_vetoed(name, scores))
    return Verdict(best if is_sure and best not in barred else "", best, proofs, totals, barred)


def _is_built_so(name: str, scores: Scores) -> bool:
    """Quotations, menus and programmes have no build in common: nothing else may be likely instead."""
    if name != OTHER:
        strongest = max(scores.structure[one] for one in TYPES if one != name)
        return scores.structure[name] >= max(ENOUGH_STRUCTURE, strongest)
    ceiling = max(MAX_BESIDE_OTHER, scores.structure[OTHER])
    return all(scores.structure[one] < ceiling for one in TYPES if one not in (OTHER, "invoice", "order"))


def _is_contradicted(name: str, scores: Scores) -> bool:
    """Where another type has a title and signs too, one of the two was written on it."""
    enough = max(MIN_RIVAL, scores.favour[name] * RIVAL_SHARE)
    return any(scores.titles[one] >= RIVAL_TITLE and scores.favour[one] >= enough for one in TYPES if one != name)


def _is_vetoed(name: str, scores: Scores) -> bool:
    """Never answer what would do harm while the page has signs of a contract or of an identity paper."""
    return (
        (name == "invoice" and scores.favour["contract"] >= 3)
        or (name not in ("identity paper", "form", "letter", "payslip") and scores.favour["identity paper"] >= 2.5)
        or (name != "identity paper" and scores.favour["identity paper"] >= 4.5)
    )


def _weigh_titles(lines: Sequence[TypeLine], scores: Scores) -> None:
    titles = list(find_titles(lines))
    titles.sort(key=lambda sign: (sign.name.startswith("label"), sign.page, sign.line))
    first = None
    seen: set[str] = set()
    for sign in titles:
        rank, shade, loud = sign.name.partition(":")[0].split(".")
        name = sign.name.partition(":")[2]
        weight = {"title": TITLE, "inner": INNER_TITLE, "label": LABEL_TITLE}[rank]
        if first is not None and first != (sign.page, sign.line):
            weight = min(weight, SECOND_TITLE if rank == "title" else LATER_TITLE)
        else:
            weight += (LOW if shade == "low" else 0) + (LOUD if loud == "loud" and rank != "label" else 0)
        first = first or (sign.page, sign.line)
        if name not in seen:
            scores.add({name: weight}, sign, is_title=True)
        seen.add(name)


def _weigh_words(lines: Sequence[TypeLine], scores: Scores) -> None:
    hits: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    for sign in find_word_signs(lines):
        words = sign.words.casefold()
        if (sign.name, words) in seen or hits[sign.name] >= len(MORE_HITS):
            continue
        seen.add((sign.name, words))
        share = MORE_HITS[hits[sign.name]]
        hits[sign.name] += 1
        scores.add({name: weight * share for name, weight in WORD_SIGNS[sign.name].items()}, sign)


def _weigh_layout(lines: Sequence[TypeLine], scores: Scores) -> None:
    signs = list(find_layout_signs(lines))
    counts = Counter(sign.name for sign in signs)
    firsts = {sign.name: sign for sign in reversed(signs)}
    for name, weights in _list_layout_weights(counts, lines):
        scores.add(weights, firsts.get(name))


def _list_layout_weights(counts: Counter[str], lines: Sequence[TypeLine]) -> Iterable[tuple[str, dict[str, float]]]:
    amounts = sum(len(line.amounts) for line in lines)
    prose = measure_prose(lines)
    if counts["mrz"]:
        yield "mrz", {"identity paper": 5.0}
    if counts["licence"] and counts["licence_field"]:
        yield "licence", {"identity paper": 3.5}
    if counts["clause"] >= 2:
        yield "clause", {"contract": 2.5}
    if counts["numbered"] >= 3:
        yield "numbered", {"contract": 1.0, "report": 0.8}
    if counts["blank"] >= 3:
        yield "blank", {"form": 2.0 if counts["blank"] < 5 else 2.8}
    if counts["box"] >= 2:
        yield "box", {"form": 2.5}
    if not any(counts[name] for name in ("blank", "box", "numbered_box")):
        yield "nothing_to_fill_in", {"form": -1.0}
    if counts["numbered_box"] >= 3:
        yield "numbered_box", {"form": 2.5, "invoice": -1.0}
    if counts["priced_row"]:
        yield "priced_row", {"invoice": 0.8, "order": 0.8, "other": 0.3, "delivery note": -0.4, "letter": -0.5}
    if counts["sum_row"]:
        yield "sum_row", {"invoice": 0.6, "contract": -2.0, "letter": -1.5, "form": -0.5}
    if counts["list_head"]:
        yield "list_head", {"report": 1.8, "statement": 0.5, "invoice": -1.5}
    if counts["row_with_date"] >= 3 and counts["running_balance"] < 2:
        yield "row_with_date", {"report": 1.6, "statement": 0.5, "invoice": -1.0, "order": -1.0, "payslip": -1.0}
    if counts["time"] >= 3 and not amounts:
        yield "time", {"other": 1.0}
    if counts["running_balance"] >= 2:
        yield "running_balance", {"statement": 2.5, "invoice": -1.0}
    if counts["dated_row"] >= 2:
        yield "dated_row", {"statement": 1.2, "report": 0.2}
    if counts["negative"] and counts["running_balance"] < 2:
        is_much = counts["negative"] * NEGATIVE_SHARE >= sum(bool(line.amounts) for line in lines)
        yield "negative", {"credit note": 1.5, "invoice": -0.5} if is_much else {"credit note": 0.3}
    is_summed = any(counts[name] for name in ("sum_row", "priced_row", "dated_row"))
    if counts["amount_row"] >= 4 and not is_summed and not counts["negative"]:
        yield "amount_row", {"other": 1.5}
    if counts["measured_row"] >= 3 and not is_summed:
        yield "measured_row", {"report": 1.5}
    if counts["time"]:
        yield "time", {"receipt": 0.8}
    if counts["counted_row"] >= 2 and counts["priced_row"] == 0:
        yield "counted_row", {"delivery note": 1.5}
    if counts["quantity_row"] >= 2 and not amounts and not counts["counted_row"]:
        yield "quantity_row", {"order": 1.0, "letter": -0.5}
    if not amounts:
        lacking = ("invoice", "receipt", "credit note", "statement", "payslip")
        yield "no_amounts", dict.fromkeys(lacking, -3.0)
    if prose >= 0.5:
        weights = dict.fromkeys(("statement", "payslip", "delivery note", "identity paper", "form"), -1.2)
        yield "prose", weights | {"letter": 0.8, "contract": 0.5, "report": 0.5, "invoice": -1.2, "receipt": -0.4}
