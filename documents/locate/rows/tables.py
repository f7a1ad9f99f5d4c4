"""Rows of an array stand on lines of the pages: first each row's line, then the fields along it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, NamedTuple

from documents.locate.leaves import Leaf
from documents.locate.matches import Match, Matcher
from documents.locate.rows.columns import SHORT, Column, choose_match, find_named_columns
from documents.locate.weights import get_weight
from documents.locate.words.pages import Line, Span, Spot

COMMON = 200
KEPT_LINES, MOST_LINES = 6, 60
NEAR = 2
"""Lines by which a model may miscount where a table begins or ends."""
ENOUGH = 4.0
BESIDE = 0.5


class Anchor(NamedTuple):
    line: Line
    score: float


@dataclass
class TableRow:
    row_id: str
    leaves: list[Leaf]
    anchors: list[Anchor] = field(default_factory=list)
    line: Line | None = None
    matches: dict[str, Match] = field(default_factory=dict)
    """Field → match."""

    def list_missing(self) -> list[Leaf]:
        """The leaves still to be found, those first that say most: a description keeps its numbers to itself."""
        left = [leaf for leaf in self.leaves if leaf.field not in self.matches and leaf.value not in (None, "")]
        return sorted(
            (leaf for leaf in left if not isinstance(leaf.value, bool)), key=lambda leaf: -get_weight(leaf.value)
        )


class Table:
    """The rows of one array. `taken` are the words that rows of any table use."""

    def __init__(self, matcher: Matcher, leaves: Sequence[Leaf], taken: set[Spot]) -> None:
        self.matcher, self.taken = matcher, taken
        grouped: dict[str, list[Leaf]] = {}
        for leaf in leaves:
            grouped.setdefault(leaf.row_id, []).append(leaf)
        self.rows = [TableRow(row_id, members) for row_id, members in grouped.items()]
        self.labels = {leaf.field: leaf.label for leaf in leaves}

    def place(self) -> None:
        for row in self.rows:
            row.anchors = self._anchors(row)
        _assign_lines_in_order(self.rows)
        _assign_late_lines(self.rows)
        self.lines = {row.line for row in self.rows if row.line}
        headers = self._headers()
        columns = headers
        for _ in range(2):
            for row in self.rows:
                if row.line:
                    self._fill(row, columns, row.line)
            columns = self._columns(headers)
        for row in self.rows:
            if row.line:
                self._fill_beside(row, columns, row.line)
                self._add_repeats(row, row.line)

    def _add_repeats(self, row: TableRow, line: Line) -> None:
        """Add the words of this line printed again, where it is no other row's."""
        pages = self.matcher.index.pages
        again = [each for each in self.matcher.index.list_same_lines(line) if each not in self.lines]
        places = {at: place for place, at in enumerate(pages[line[0]].rows[line[1]])}
        for match in row.matches.values():
            if match.lines == (line[1],):
                words = [places[at] for at in match.span.words]
                spans = (Span(page, tuple(pages[page].rows[at][place] for place in words)) for page, at in again)
                match.repeats = tuple(Match(pages[span.page], span, match.kind) for span in spans)[:MOST_LINES]

    def _anchors(self, row: TableRow) -> list[Anchor]:
        """The lines that could be this row's, best first."""
        weights: defaultdict[Line, dict[str, float]] = defaultdict(dict)
        for leaf in row.leaves:
            matches = self.matcher.find_all(leaf.value)
            if len(matches) > COMMON:
                continue
            weight = get_weight(leaf.value)
            for match in matches:
                for line in match.lines:
                    weights[match.span.page, line][leaf.field] = weight
        fields_by_line = {line: frozenset(fields) for line, fields in weights.items()}
        field_sets = set(fields_by_line.values())
        # A line that says only part of what another line says is some other row's, or a mention elsewhere.
        whole = [line for line, fields in fields_by_line.items() if not any(fields < others for others in field_sets)]
        anchors = [Anchor(line, _score_with_neighbours(line, weights)) for line in whole]
        best = sorted((a for a in anchors if sum(weights[a.line].values()) >= ENOUGH), key=lambda a: (-a.score, a.line))
        return self._keep_likely(self._prefer_hinted(row, best))

    def _keep_likely(self, anchors: list[Anchor]) -> list[Anchor]:
        """A line that is printed again counts once, since as many rows may say the same."""
        pages = self.matcher.index.pages
        texts = dict.fromkeys(pages[page].read_line(line) for (page, line), _ in anchors)
        likely = set(list(texts)[:KEPT_LINES])
        return [anchor for anchor in anchors if pages[anchor.line[0]].read_line(anchor.line[1]) in likely][:MOST_LINES]

    def _prefer_hinted(self, row: TableRow, anchors: list[Anchor]) -> list[Anchor]:
        """Of lines that are as good as the best, those that the model names, where it names any."""
        pages, leaf = self.matcher.index.pages, row.leaves[0]
        equal = [anchor for anchor in anchors if leaf.hint and anchor.score == anchors[0].score]
        hinted = [
            anchor for anchor in equal if leaf.is_hinted(pages[anchor.line[0]].number, anchor.line[1], within=NEAR)
        ]
        return hinted or anchors

    def _fill(self, row: TableRow, columns: Mapping[str, Column], line: Line) -> None:
        for leaf in row.list_missing():
            match = choose_match(leaf, self._free(leaf, line), columns)
            if match is not None:
                self._take(row, leaf, match)

    def _fill_beside(self, row: TableRow, columns: Mapping[str, Column], line: Line) -> None:
        """What the row's own line does not say may stand right under it, or above it where no other row is as near."""
        page, at = line
        below = [(page, at + step) for step in (1, 2) if not self.lines & {(page, at + 1), (page, at + step)}]
        above = [] if self.lines & {(page, at - 1), (page, at - 2)} else [(page, at - 1)]
        for leaf in row.list_missing():
            options = next(filter(None, (self._free(leaf, beside) for beside in below + above)), [])
            match = choose_match(leaf, options, columns)
            if match and (
                leaf.field in columns or get_weight(leaf.value) >= SHORT or _count_digits(match) >= SHORT - 1
            ):
                self._take(row, leaf, match)

    def _free(self, leaf: Leaf, line: Line) -> list[Match]:
        return [match for match in self.matcher.on_line(leaf.value, *line) if not match.spots & self.taken]

    def _take(self, row: TableRow, leaf: Leaf, match: Match) -> None:
        row.matches[leaf.field] = match
        self.taken |= match.spots

    def _columns(self, headers: Mapping[str, Column]) -> dict[str, Column]:
        """Headers, and where there are none the columns that the rows located so far show."""
        seen: defaultdict[str, list[Match]] = defaultdict(list)
        for row in self.rows:
            for name, match in row.matches.items():
                seen[name].append(match)
        learned = {
            name: Column(median(m.sides[0] for m in matches), median(m.sides[1] for m in matches))
            for name, matches in seen.items()
            if len(matches) > 1
        }
        sure = {name: column for name, column in headers.items() if column.is_sure}
        return {**headers, **learned, **sure}

    def _headers(self) -> dict[str, Column]:
        """Columns from the line that names most of the fields, on a page where rows stand."""
        best: dict[str, Column] = {}
        for page_at in sorted({line[0] for line in self.lines}):
            first = min(line for at, line in self.lines if at == page_at)
            page = self.matcher.index.pages[page_at]
            for line in page.lines:
                if line >= first:
                    break
                columns = find_named_columns(page, line, self.labels)
                is_head = len(columns) > 1 or any(column.is_sure for column in columns.values())
                if is_head and len(columns) > len(best):
                    best = columns
        return best


def _score_with_neighbours(line: Line, weights: Mapping[Line, Mapping[str, float]]) -> float:
    own = weights[line]
    beside: dict[str, float] = {}
    for step in (1, -1):
        for name, worth in weights.get((line[0], line[1] + step), {}).items():
            if name not in own:
                beside[name] = max(beside.get(name, 0.0), worth)
    return sum(own.values()) + BESIDE * sum(beside.values())


def _assign_lines_in_order(rows: Sequence[TableRow]) -> None:
    """Give rows their lines so that lines go down as rows do and the sum of scores is greatest (weighted longest
    increasing subsequence, with a front of best scores by line)."""
    front_lines: list[Line] = []
    front: list[tuple[float, int, Anchor, Any]] = []
    for at, row in enumerate(rows):
        reached = []
        for anchor in row.anchors:
            before = bisect_left(front_lines, anchor.line) - 1
            chain = front[before] if before >= 0 else None
            reached.append(((chain[0] if chain else 0.0) + anchor.score, at, anchor, chain))
        for entry in reached:
            _update_front(front_lines, front, entry)
    chain = front[-1] if front else None
    while chain:
        _, at, anchor, chain = chain
        rows[at].line = anchor.line


def _update_front(
    lines: list[Line], front: list[tuple[float, int, Anchor, object]], entry: tuple[float, int, Anchor, object]
) -> None:
    line = entry[2].line
    place = bisect_right(lines, line)
    if place and front[place - 1][0] >= entry[0]:
        return
    end = place
    while end < len(front) and front[end][0] <= entry[0]:
        end += 1
    start = place - 1 if place and lines[place - 1] == line else place
    lines[start:end] = [line]
    front[start:end] = [entry]


def _assign_late_lines(rows: Sequence[TableRow]) -> None:
    """Rows that the order left out, as when values are sorted otherwise than the page: only where one line is best."""
    used = {row.line for row in rows}
    for row in rows:
        free = [anchor for anchor in row.anchors if anchor.line not in used]
        if row.line or not free or free[0] != row.anchors[0]:
            continue
        if len(free) == 1 or free[0].score - free[1].score >= 1:
            row.line = free[0].line
            used.add(row.line)


def _count_digits(match: Match) -> int:
    return sum(char.isdigit() for char in match.quote)


def iterate_tables(matcher: Matcher, leaves: Sequence[Leaf], taken: set[Spot]) -> Iterator[Table]:
    """Inner arrays first: their values are fewer and closer together."""
    arrays: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        if leaf.row_id:
            arrays.setdefault(leaf.array, []).append(leaf)
    for members in arrays.values():
        yield Table(matcher, members, taken)
