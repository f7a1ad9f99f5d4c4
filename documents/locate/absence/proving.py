"""Why a field has no value: it is not on the pages, it was left out, or a part of them could not be read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from documents.locate.absence.empty_fields import EmptyField, list_empty_fields
from documents.locate.absence.printed_labels import (
    PrintedLabel,
    WordRun,
    iterate_labels,
    join_runs,
    pick_under,
    read_names,
)
from documents.locate.absence.wording import list_own_phrases, list_phrases
from documents.locate.labels import Label, make_tokens
from documents.locate.words.pages import Page, make_page
from documents.values.addresses import Where, is_inside
from documents.values.provenance import Candidate, Location, State
from documents.values.stored import Schema, Stored
from printed.folding import split_names
from printed.page_languages import guess_languages
from reader.words import Word

SAME, NEAR = 0.85, 0.3
"""A label has to fit so well the field's: to be the field's own, and to be worth a look."""
MAX_NEAR = 3
MAX_NAMED = 4
FEWEST_HEADS = 2
LONGEST_QUOTE = 80
_WITH_DIGITS = frozenset(["number", "id", "code", "phone", "iban", "sku", "order"])


def prove_absence(
    stored: Stored,
    schema: Schema,
    places: Mapping[Where, Location],
    pages: Iterable[tuple[int, Sequence[Word]]],
    unread: Sequence[str] = (),
) -> dict[Where, Location]:
    """Say of every field without a value what was looked for and found. `places`: of the values that there are.

    `pages`: (number, words) of those that were read. `unread`: sentences on what could not be read or was not asked.
    """
    empty = list_empty_fields(stored, schema)
    search = _Search(places, unread, [make_page(number, words) for number, words in pages] if empty else [])
    return {each.where: search.explain(each) for each in empty}


@dataclass
class _AskedField:
    """A field with the labels that it may have; a translated one has to stand there as it is."""

    phrases: Sequence[str]
    own: Sequence[Label] = ()

    def __post_init__(self) -> None:
        self.names = set(map(read_names, self.phrases))

    def fit(self, names: tuple[str, ...]) -> float:
        if names in self.names:
            return 1.0
        tokens = make_tokens(names)
        return max((label.fit(tokens) for label in self.own), default=0.0)

    @property
    def needs_digit(self) -> bool:
        """Whether it is called a number, which every text has that is one."""
        return any(not _WITH_DIGITS.isdisjoint(label.own) for label in self.own)


@dataclass
class _Search:
    places: Mapping[Where, Location]
    unread: Sequence[str]
    pages: Sequence[Page]
    _asked: dict[tuple[str, ...], _AskedField] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.languages = guess_languages(word.text for page in self.pages for word in page.words)
        self.used = {block for place in self.places.values() for block in place.blocks}
        self.labels: defaultdict[tuple[str, ...], list[PrintedLabel]] = defaultdict(list)
        for page in self.pages:
            for label in iterate_labels(page):
                self.labels[label.names].append(label)
        self.rows: defaultdict[Where, set[tuple[int, int]]] = defaultdict(set)
        for where, place in self.places.items():
            if "[" in where and place.blocks:
                page_number, line, _ = map(int, place.blocks[0].split("."))
                self.rows[where[: where.rindex("]") + 1]].add((page_number, line))

    def explain(self, empty: EmptyField) -> Location:
        asked = self._want(empty)
        if empty.row:
            return self._explain_cell(empty, asked)
        if empty.kind == "array":
            return self._explain_list(empty, asked)
        return self._explain_single(empty, asked)

    def _want(self, empty: EmptyField) -> _AskedField:
        if empty.names not in self._asked:
            own = [_make_label(title) for title in list_own_phrases(empty)]
            self._asked[empty.names] = _AskedField(list_phrases(empty, self.languages), own)
        return self._asked[empty.names]

    def _explain_single(self, empty: EmptyField, asked: _AskedField) -> Location:
        near = self._find_labels(asked, NEAR)
        own = [label for fit, label in near if fit >= SAME]
        for label in own:
            if value := self._find_free_value(label, empty, asked):
                return _say_left_out(asked, label.run, value)
        return self._say_absent(asked, own[:1], [label for _, label in near])

    def _find_labels(self, asked: _AskedField, fit: float) -> list[tuple[float, PrintedLabel]]:
        """List labels that fit so well, the best first."""
        fits = {names: asked.fit(names) for names in self.labels}
        ordered = sorted((names for names in fits if fits[names] >= fit), key=lambda names: -fits[names])
        return [(fits[names], label) for names in ordered for label in self.labels[names]]

    def _find_free_value(self, label: PrintedLabel, empty: EmptyField, asked: _AskedField) -> WordRun | None:
        """What stands beside it, if it can be the field's value and is no other one's."""
        needs_digit = empty.kind == "string" and asked.needs_digit
        for value in label.iterate_values():
            if value.has_digit if needs_digit else value.fits(empty.kind):
                return value if value.blocks.isdisjoint(self.used) else None
        return None

    def _explain_list(self, empty: EmptyField, asked: _AskedField) -> Location:
        """A table that has its columns stands on a page, or none does."""
        columns = _AskedField(empty.columns, [_make_label(title) for title in empty.columns])
        needed = max(FEWEST_HEADS, (len(empty.columns) + 1) // 2)
        heads: defaultdict[tuple[int, int], list[WordRun]] = defaultdict(list)
        for _, label in self._find_labels(columns, SAME):
            heads[label.run.page.number, label.run.line].append(label.run)
        for runs in heads.values():
            if len(runs) >= needed:
                return _say_table_left_out(columns, sorted(runs, key=lambda run: run.box))
        return self._say_absent(_AskedField([*asked.phrases[:1], *empty.columns]), (), ())

    def _explain_cell(self, empty: EmptyField, asked: _AskedField) -> Location:
        lines = sorted(place for row, at in self.rows.items() if is_inside(row, empty.row) for place in at)
        if not lines:
            return Location(State.EMPTY, note="It is not known where its row is, so nothing was looked for.")
        head = self._find_head(asked, lines[0])
        if head is None:
            return self._say_absent(asked, (), ())
        for page_number, line in lines:
            if value := self._find_under(head.run, page_number, line, empty.kind):
                return _say_left_out(asked, head.run, value)
        return self._say_absent(asked, [head], ())

    def _find_head(self, asked: _AskedField, line: tuple[int, int]) -> PrintedLabel | None:
        """The nearest one above the row, on an earlier page where its own has none."""
        above = [label for _, label in self._find_labels(asked, SAME) if label.place < line]
        return max(above, key=lambda label: label.place, default=None)

    def _find_under(self, head: WordRun, number: int, line: int, kind: str) -> WordRun | None:
        page = next(page for page in self.pages if page.number == number)
        cells = dict.fromkeys(page.cell_of[at] for at in pick_under(page, page.rows.get(line, ()), head.box))
        words = tuple(at for cell in cells for at in page.cells[cell])
        value = WordRun(page, words)
        return value if words and value.fits(kind) and value.blocks.isdisjoint(self.used) else None

    def _say_absent(self, asked: _AskedField, own: Sequence[PrintedLabel], near: Sequence[PrintedLabel]) -> Location:
        """Nothing of it was found. Where not all was read, nobody can say that it is not there."""
        if own:
            sentence = f"“{own[0].run.text[:LONGEST_QUOTE]}” is on page {own[0].place[0]} with no value of its own."
        else:
            pages = "the page" if len(self.pages) == 1 else "the pages"
            sentence = f"No label on {pages} says {_name_phrases(asked.phrases)}."
        state, lead = (State.UNREAD, " ".join(self.unread)) if self.unread else (State.ABSENT, "Not on the pages.")
        candidates = tuple(map(_make_candidate, dict.fromkeys([*own, *near])))[:MAX_NEAR]
        return Location(state, note=f"{lead} {sentence}", looked_for=tuple(asked.phrases), candidates=candidates)


def _make_label(phrase: str) -> Label:
    return Label(dict.fromkeys(make_tokens(split_names(phrase)), 1.0))


def _name_phrases(phrases: Sequence[str]) -> str:
    quoted = [f"“{phrase}”" for phrase in phrases[:MAX_NAMED]]
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}" if len(quoted) > 1 else "".join(quoted)


def _say_left_out(asked: _AskedField, label: WordRun, value: WordRun) -> Location:
    quote = value.text[:LONGEST_QUOTE]
    note = f"Left out by the model. “{quote}” is with “{label.text[:LONGEST_QUOTE]}” on page {value.page.number}."
    boxes = (label.box, value.box) if label.page is value.page else (value.box,)
    candidate = Candidate(value.page.number, boxes, join_runs(label, value)[:LONGEST_QUOTE])
    return Location(State.LEFT_OUT, note=note, looked_for=tuple(asked.phrases), candidates=(candidate,))


def _say_table_left_out(asked: _AskedField, heads: Sequence[WordRun]) -> Location:
    words = " · ".join(run.text for run in heads)[:LONGEST_QUOTE]
    number = heads[0].page.number
    note = f"Left out by the model. A table with the heads “{words}” is on page {number}."
    candidate = Candidate(number, tuple(run.box for run in heads), words)
    return Location(State.LEFT_OUT, note=note, looked_for=tuple(asked.phrases), candidates=(candidate,))


def _make_candidate(label: PrintedLabel) -> Candidate:
    return Candidate(label.place[0], (label.run.box,), label.text[:LONGEST_QUOTE])
