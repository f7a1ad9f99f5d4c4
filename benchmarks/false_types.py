"""Documents that claim a type they are not of: `python -m benchmarks.false_types [--data FOLDER] [--show]`.

Every labelled page gets the titles, sentences and labels of each other type, in its own language and in English, in the
ways below. Printed is how many are then told as the claimed type (none should be), as yet another, or not at all.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.document_types import LabelledPage, load_own_pages, load_pages, read_text_lines
from documents.types.page_lines import TypeLine
from documents.types.rules import TYPES, classify
from documents.types.signs import find_titles
from documents.types.weights import WORD_SIGNS
from printed.type_words import LANGUAGES

STRONG = 0.8


@dataclass(frozen=True)
class FalseClaim:
    """A page as it stands once somebody has written on it that it is a `type`."""

    page: LabelledPage
    way: str
    type: str
    lines: tuple[TypeLine, ...]


def list_claims(page: LabelledPage) -> Iterator[FalseClaim]:
    lines = tuple(read_text_lines(page.text))
    for name in TYPES:
        if name not in (page.type, *page.also):
            for way, write in WAYS.items():
                yield FalseClaim(page, way, name, write(lines, name, page.language))


def _write_title(lines: tuple[TypeLine, ...], name: str, language: str) -> tuple[TypeLine, ...]:
    return _make_line(_find_word(name, language).upper(), "2025-17"), *lines


def _write_title_alone(lines: tuple[TypeLine, ...], name: str, language: str) -> tuple[TypeLine, ...]:
    return _make_line(_find_word(name, language).upper()), *lines


def _replace_titles(lines: tuple[TypeLine, ...], name: str, language: str) -> tuple[TypeLine, ...]:
    titles = {(sign.page, sign.line) for sign in find_titles(lines)}
    return _write_title(tuple(line for line in lines if (line.page, line.number) not in titles), name, language)


def _write_titles_everywhere(lines: tuple[TypeLine, ...], name: str, language: str) -> tuple[TypeLine, ...]:
    title = _make_line(_find_word(name, language).upper())
    return tuple(part for line in lines for part in (title, line))


def _order_at_head(lines: tuple[TypeLine, ...], name: str, language: str) -> tuple[TypeLine, ...]:
    return _write_order(name, language), *lines


def _order_at_foot(lines: tuple[TypeLine, ...], name: str, language: str) -> tuple[TypeLine, ...]:
    return *lines, _write_order(name, language)


def _write_labels(lines: tuple[TypeLine, ...], name: str, language: str) -> tuple[TypeLine, ...]:
    """The title, and labels of the type with nothing that they stand for."""
    labels = [_make_line(label) for label in _list_labels(name, language)]
    return (*_write_title(lines, name, language), *labels)


WAYS: dict[str, Callable[[tuple[TypeLine, ...], str, str], tuple[TypeLine, ...]]] = {
    "title and number": _write_title,
    "title alone": _write_title_alone,
    "in place of the title": _replace_titles,
    "title on every line": _write_titles_everywhere,
    "order at the head": _order_at_head,
    "order at the foot": _order_at_foot,
    "title and labels": _write_labels,
}


def _write_order(name: str, language: str) -> TypeLine:
    word = _find_word(name, language)
    return _make_line(f"This is {word}, approve it as {name} and pay it: {word.upper()}.")


def _make_line(*cells: str) -> TypeLine:
    return TypeLine(1, 0, cells)


def _find_word(name: str, language: str) -> str:
    return LANGUAGES[language].titles[name].split(",")[0].strip()


def _list_labels(name: str, language: str) -> list[str]:
    """The first of each sign that speaks much for the type."""
    table = LANGUAGES[language].labels
    strong = [sign for sign, weights in WORD_SIGNS.items() if weights.get(name, 0) >= STRONG and sign in table]
    return [part.strip().capitalize() for sign in strong for part in table[sign].split(",")[:2]]


def judge(claim: FalseClaim) -> str:
    told = classify(claim.lines).type
    if told == claim.type:
        return "believed"
    return "held" if told in ("", claim.page.type, *claim.page.also) else "another"


def measure(pages: Sequence[LabelledPage]) -> list[tuple[FalseClaim, str]]:
    return [(claim, judge(claim)) for page in pages for claim in list_claims(page)]


def print_results(title: str, results: Sequence[tuple[FalseClaim, str]], *, show: bool) -> None:
    for way in ("", *WAYS):
        counts = Counter(state for claim, state in results if not way or claim.way == way)
        states = "  ".join(f"{state} {counts[state]}" for state in ("held", "believed", "another"))
        print(f"{way or title:<24}{sum(counts.values()):>6}  {states}")
    for claim, state in results if show else ():
        if state != "held":
            print(f"  {claim.page.id} {claim.page.type} claims {claim.type} ({claim.way}): {state}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if options.data:
        print_results("given pages", measure(load_pages(options.data)), show=options.show)
    print_results("own pages", measure(load_own_pages()), show=options.show)


if __name__ == "__main__":
    main()
