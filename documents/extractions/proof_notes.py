"""What the values of an extraction rest on, in few words: for models, which see no page and pay for each word."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypedDict, cast

from documents.extractions.extraction_view.field_marks import FieldMarks, fetch_marks
from documents.extractions.field_proofs import FieldProofs
from documents.models import Extraction
from documents.values import State, Stored, ValuePlace, Where

MAX_LINES, MAX_UNSURE, MAX_EMPTY, MAX_SHARED = 200, 100, 50, 10
NOT_PRINTED = "Not printed as such."
NOT_LOOKED_UP = "It was not looked up on the pages."


class ProofNotes(TypedDict, total=False):
    """By dotted paths, each of these only where there is something to say.

    `lines`: page and line of each value; a row whose cells stand in one line has that line. `unsure`: why. `edited`:
    values that were corrected. `same_words`: fields that rest on the same words, of which one may be wrong. Of fields
    without a value `empty`: no label on the pages says them; `left_out`: a value stands beside a label of theirs;
    `unread`: not all pages were read, or seen by the model.
    """

    lines: dict[str, str]
    unsure: dict[str, str]
    empty: list[str]
    left_out: dict[str, str]
    unread: dict[str, str]
    edited: list[str]
    same_words: list[str]


@dataclass(frozen=True)
class _Leaf:
    path: str
    value: Stored
    state: str
    place: ValuePlace

    @property
    def line(self) -> str:
        """`2.14`; empty for a value that was found nowhere."""
        return _get_line(self.place)

    @property
    def row(self) -> str:
        """The path of the outermost row that it stands in; empty outside of rows."""
        names = self.path.split(".")
        position = next((at for at, name in enumerate(names) if at and name.isdecimal()), None)
        return ".".join(names[: position + 1]) if position else ""


def describe_proof(extraction: Extraction, left_out: Collection[str] = ()) -> ProofNotes:
    """Nothing of free text, which was looked up on no page, and no lines of the rows that are `left_out`, by paths."""
    if extraction.is_prose:
        return {}
    leaves, rows = list(_iterate_leaves(extraction)), frozenset(left_out)
    notes: ProofNotes = {
        "lines": dict(islice(_iterate_lines([leaf for leaf in leaves if leaf.row not in rows]), MAX_LINES)),
        "unsure": dict(islice(_iterate_doubts(leaves), MAX_UNSURE)),
        "empty": [leaf.path for leaf in leaves if leaf.state in (State.EMPTY, State.ABSENT)][:MAX_EMPTY],
        "left_out": dict(islice(_iterate_notes(leaves, State.LEFT_OUT), MAX_EMPTY)),
        "unread": dict(islice(_iterate_notes(leaves, State.UNREAD), MAX_EMPTY)),
        "edited": [leaf.path for leaf in leaves if leaf.state == "edited"][:MAX_EMPTY],
        "same_words": list(islice(_iterate_shared(leaves), MAX_SHARED)),
    }
    return cast(ProofNotes, {name: note for name, note in notes.items() if note})


def list_found(extraction: Extraction) -> Iterator[tuple[str, Stored, str]]:
    """The path, value and line of each value that was found as it is kept, or only written otherwise."""
    for leaf in () if extraction.is_prose else _iterate_leaves(extraction):
        if leaf.state in (State.EXACT, State.NORMALIZED) and leaf.line:
            yield leaf.path, leaf.value, leaf.line


def find_line(extraction: Extraction, where: Where) -> str:
    """Where a value was found, such as `2.14`; empty for one that was found nowhere."""
    return _get_line(extraction.provenance.get(where, {}))


def _get_line(place: ValuePlace) -> str:
    blocks = place.get("blocks") or [""]
    return ".".join(blocks[0].split(".")[:2])


def _iterate_leaves(extraction: Extraction) -> Iterator[_Leaf]:
    # Where nothing was changed there are no edits to fetch.
    is_as_run = extraction.current == extraction.result
    marks = FieldMarks(extraction, (), ()) if is_as_run else fetch_marks([extraction])[extraction.pk]
    proofs = FieldProofs(extraction, marks)
    for leaf in proofs.list_leaves():
        yield _Leaf(leaf.path, leaf.value, proofs.find_state(leaf), proofs.find_place(leaf))


def _iterate_lines(leaves: Sequence[_Leaf]) -> Iterator[tuple[str, str]]:
    """In the order of the values."""
    lines_of_rows: defaultdict[str, set[str]] = defaultdict(set)
    for leaf in leaves:
        lines_of_rows[leaf.row].add(leaf.line)
    written: set[str] = set()
    for leaf in leaves:
        is_together = bool(leaf.row) and len(lines_of_rows[leaf.row] - {""}) == 1
        name = leaf.row if is_together else leaf.path
        if leaf.line and name not in written:
            written.add(name)
            yield name, leaf.line


def _iterate_doubts(leaves: Sequence[_Leaf]) -> Iterator[tuple[str, str]]:
    for leaf in leaves:
        if leaf.state == "not_located":
            yield leaf.path, leaf.place.get("note") or NOT_LOOKED_UP
        elif leaf.state == State.SIMILAR:
            yield (
                leaf.path,
                f"Only similar words are there, “{leaf.place['words'][:100]}”. {leaf.place.get('note', '')}",
            )
        elif leaf.state == "inferred":
            source = f" From “{leaf.place['words'][:100]}”." if leaf.place.get("words") else ""
            yield leaf.path, f"{leaf.place.get('note') or NOT_PRINTED}{source}"


def _iterate_notes(leaves: Sequence[_Leaf], state: State) -> Iterator[tuple[str, str]]:
    for leaf in leaves:
        if leaf.state == state:
            yield leaf.path, leaf.place.get("note", "")


def _iterate_shared(leaves: Sequence[_Leaf]) -> Iterator[str]:
    """Of fields that stand alone: in a table the words of one cell serve one column."""
    paths: defaultdict[tuple[str, ...], list[_Leaf]] = defaultdict(list)
    for leaf in leaves:
        if leaf.place.get("blocks") and not leaf.row and leaf.state not in ("empty", "edited"):
            paths[tuple(leaf.place["blocks"])].append(leaf)
    for same in paths.values():
        if len(same) > 1:
            names = " and ".join(leaf.path for leaf in same)
            yield f"{names} rest on the same words, “{same[0].place.get('words', '')[:100]}” on line {same[0].line}"
