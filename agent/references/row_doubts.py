"""Whether a change is of the rows that a person's message names: a row beside the one that was meant looks alike."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agent.references.row_mentions import BARE_NUMBER, KEY, OTHER_VALUE, PLACE, RowMention, RowNaming
from documents.values import Change, Stored, StoredRow, find_where, get_value, strip_row_ids
from documents.values.row_keys import describe_key
from printed.folding import fold_letters
from printed.numbers import list_readings
from printed.references.row_words import joins_rows

MAX_NAMED = 5
_LINE_END = re.compile(r"[;\n]|(?<!\d)\.\s")
_WORD = re.compile(r"\w(?:[\w.,'/-]*\w)?")


@dataclass
class ChangedRows:
    """The rows of one list that a call changes, each by its position with the new and old values of its cells."""

    array: str
    rows: Sequence[StoredRow]
    is_added: bool = False
    new: dict[int, list[Stored]] = field(default_factory=lambda: defaultdict(list))
    old: dict[int, list[Stored]] = field(default_factory=lambda: defaultdict(list))

    def describe(self, positions: Sequence[int] | frozenset[int]) -> str:
        """By their keys, or as row 3; of many the first."""
        chosen = sorted(positions)
        names = [describe_key(self.rows, at) or f"row {at + 1}" for at in chosen[:MAX_NAMED]]
        more = f" and {len(chosen) - MAX_NAMED} more" if len(chosen) > MAX_NAMED else ""
        return ", ".join(names) + more


def list_row_doubts(message: str, stored: Stored, changes: Sequence[tuple[str, Change]]) -> list[str]:
    """Sentences for a person to read before the changes, each of which has its path with positions. Empty where the
    message names just these rows, or none of their lists.
    """
    return [sentence for rows in _list_changed(stored, changes) for sentence in _judge_rows(message, rows)]


def _list_changed(stored: Stored, changes: Sequence[tuple[str, Change]]) -> list[ChangedRows]:
    """A row that is to be added stands behind the others, alone."""
    lists: dict[tuple[str, int], ChangedRows] = {}
    for path, change in changes:
        for array, position, rows in _iterate_rows(stored, path):
            is_added = position >= len(rows)
            if is_added:
                rows, position = [*rows, {"row_id": "", "value": change.new}], len(rows)
            changed = lists.setdefault((array, position if is_added else -1), ChangedRows(array, rows, is_added))
            changed.new[position].append(strip_row_ids(change.new))
            changed.old[position].append(strip_row_ids(change.old))
    return list(lists.values())


def _iterate_rows(stored: Stored, path: str) -> Iterator[tuple[str, int, Sequence[StoredRow]]]:
    """The lists on the way to a value, with the position of its row."""
    names = path.split(".")
    for at, name in enumerate(names):
        array = ".".join(names[:at])
        rows = get_value(stored, find_where(stored, array)) if at and name.isdecimal() else None
        if isinstance(rows, list) and rows:
            yield array, int(name), rows
            if int(name) >= len(rows):
                return


def _judge_rows(message: str, changed: ChangedRows) -> list[str]:
    naming = RowNaming(message, changed.array, changed.rows)
    mentions = naming.join_spans(_leave_values(message, naming.list_mentions(), changed))
    if changed.is_added:  # Others are named to say where it goes, and what it is like.
        mentions = [each for each in mentions if each.level == KEY and each.positions <= changed.new.keys()]
    twisted = [each for each in mentions if each.twist]
    plain = _keep_surest([each for each in mentions if not each.twist])
    at_hand = frozenset(changed.new)
    named = frozenset(at for each in plain for at in each.positions)
    doubts = [f"Your message says “{each.twist}”." for each in twisted if not plain or at_hand & each.positions]
    if (others := at_hand - named) and plain:
        words = ", ".join(dict.fromkeys(each.written for each in plain[:MAX_NAMED]))
        doubts.append(f"Your message names {words}, not {changed.describe(others)}.")
    elif twisted and doubts:
        doubts.append(f"This changes {changed.describe(at_hand)}.")
    elif _is_ambiguous(plain, named, at_hand):
        doubts.append(f"Your message may mean {changed.describe(named)}; this changes {changed.describe(at_hand)}.")
    return doubts or list(_pair_values(message, plain, changed))


def _keep_surest(mentions: Sequence[RowMention]) -> list[RowMention]:
    level = min(max((each.level for each in mentions), default=KEY), PLACE)
    return [each for each in mentions if each.level >= level]


def _is_ambiguous(plain: Sequence[RowMention], named: frozenset[int], at_hand: frozenset[int]) -> bool:
    """Whether a number alone, or one that several keys have, could as well mean another row than those at hand."""
    return at_hand < named and any(each.level == BARE_NUMBER or _is_vague(each, at_hand) for each in plain)


def _is_vague(mention: RowMention, at_hand: frozenset[int]) -> bool:
    return mention.is_vague and bool(mention.positions & at_hand)


def _leave_values(message: str, mentions: Sequence[RowMention], changed: ChangedRows) -> list[RowMention]:
    """Without those that only say what is to be or has been: the last two of “set A3 from 5 to 7”."""
    left = list(mentions)
    for side, highest in ((changed.new, KEY), (changed.old, OTHER_VALUE)):
        for value in (value for values in side.values() for value in values):
            spans = find_value(message, value)
            inside = [each for each in left if each.level <= highest and any(a <= each.start < b for a, b in spans)]
            # The only 5 of “line 5 … to five” is the row's.
            if inside and (len(left) > 1 or not inside[-1].written.isdecimal() or inside[-1].level == BARE_NUMBER):
                left.remove(min(reversed(inside), key=lambda each: each.level))
    return left


def find_value(message: str, value: Stored) -> list[tuple[int, int]]:
    """Where the message has the value, as a number of any form or as the same words."""
    text = fold_letters(message)
    if isinstance(value, bool) or not isinstance(value, str | int | float) or not str(value).strip():
        return []
    if readings := list_readings(value):
        tokens = _WORD.finditer(message)
        return [match.span() for match in tokens if list_readings(match[0]) & readings]
    words = r"\s+".join(map(re.escape, fold_letters(str(value)).split()))
    return [match.span() for match in re.finditer(rf"(?<!\w){words}(?!\w)", text)]


def _pair_values(message: str, plain: Sequence[RowMention], changed: ChangedRows) -> Iterator[str]:
    """Doubts where a message names several rows, and has a value beside another one than it is written to."""
    sure = [each for each in plain if each.level > BARE_NUMBER]
    if len({each.positions for each in sure}) < 2:
        return
    for position, values in changed.new.items():
        for spans in (find_value(message, value) for value in values):
            free = [span for span in spans if not any(each.start <= span[0] < each.end for each in sure)]
            beside = _find_beside(message, sure, *free[0]) if len(free) == 1 else frozenset()
            if beside and position not in beside:
                written = message[slice(*free[0])]
                there, here = changed.describe(beside), changed.describe([position])
                yield f"Your message has “{written}” beside {there}, not beside {here}."


def _find_beside(message: str, mentions: Sequence[RowMention], start: int, end: int) -> frozenset[int]:
    """The rows that a value belongs to: those before it, or those behind it where the line ends with rows."""
    begin, stop = _find_line(message, start, end)
    inside = [each for each in mentions if begin <= each.start < stop]
    runs = _join_lists(message, inside or mentions)
    before, behind = [run for run in runs if run[-1].end <= start], [run for run in runs if run[0].start >= end]
    ends_with_rows = bool(inside) and not _WORD.search(message, inside[-1].end, stop)
    nearest = [*behind[:1], *before[-1:]] if ends_with_rows else [*before[-1:], *behind[:1]]
    return frozenset(at for each in nearest[0] for at in each.positions) if nearest else frozenset()


def _find_line(message: str, start: int, end: int) -> tuple[int, int]:
    begin = max((match.end() for match in _LINE_END.finditer(message, 0, start)), default=0)
    stop = _LINE_END.search(message, end)
    return begin, stop.start() if stop else len(message)


def _join_lists(message: str, mentions: Sequence[RowMention]) -> list[list[RowMention]]:
    runs: list[list[RowMention]] = []
    for mention in mentions:
        if runs and joins_rows(fold_letters(message[runs[-1][-1].end : mention.start])):
            runs[-1].append(mention)
        else:
            runs.append([mention])
    return runs
