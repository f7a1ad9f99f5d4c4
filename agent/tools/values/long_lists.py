"""Long lists of an extraction in short: the rows at their ends, and those that somebody should look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from agent.toolkit.registry import Result
from documents.models import Extraction
from documents.values.row_keys import RowNames
from kit.json_types import Json

MAX_WHOLE, ENDS, MAX_DOUBTFUL = 20, 5, 30
"""Rows of a list that is given whole, those of each end of a longer one, and the doubtful ones between."""
DOUBTS = ("unsure", "left_out", "unread", "edited")
PLACES = ("lines", "addresses")
MORE = 'With detail="full" it gives all rows.'


def shorten_lists(extraction: Extraction, described: Result) -> Result:
    """Leave out rows that nothing is said of, with their places, and the pages seen where these are all.

    `described`: as `describe_extraction` gives it. Its summary counts all rows; its notes are left as they are.
    """
    result = described["result"]
    if len(described["pages_seen"]) == described["page_count"]:
        described = {name: part for name, part in described.items() if name != "pages_seen"}
    long = {name: rows for name, rows in result.items() if _is_long(rows)} if isinstance(result, dict) else {}
    if not long:
        return described
    names, doubtful_rows = RowNames(extraction.current), {_cut_row(path) for path in _iterate_doubts(described)}
    positions = {name: _choose_positions(name, len(rows), names, doubtful_rows) for name, rows in long.items()}
    kept_paths = {f"{name}.{at}" for name, chosen in positions.items() for at in chosen}
    kept_paths |= {names.name(path) for path in kept_paths}
    shortened = {name: _describe_rows(rows, positions[name]) for name, rows in long.items()}
    places = {part: _keep_places(described[part], long, kept_paths) for part in PLACES if part in described}
    return {**described, "result": {**result, **shortened}, **places, "more": MORE}


def _is_long(rows: Json) -> bool:
    return isinstance(rows, list) and len(rows) > MAX_WHOLE


def _iterate_doubts(described: Result) -> Iterator[str]:
    for part in DOUBTS:
        yield from described.get(part, ())


def _choose_positions(name: str, count: int, names: RowNames, doubtful_rows: set[str]) -> list[int]:
    """The ends, and between them the first doubtful rows."""
    between = range(ENDS, count - ENDS)
    paths = {at: f"{name}.{at}" for at in between} if doubtful_rows else {}
    doubtful = [at for at, path in paths.items() if path in doubtful_rows or names.name(path) in doubtful_rows]
    return [*range(ENDS), *doubtful[:MAX_DOUBTFUL], *range(count - ENDS, count)]


def _describe_rows(rows: Sequence[Json], positions: Sequence[int]) -> Result:
    between = positions[ENDS:-ENDS]
    doubtful = {"doubtful": {str(at): rows[at] for at in between}} if between else {}
    return {"rows": len(rows), "first": rows[:ENDS], **doubtful, "last": rows[-ENDS:]}


def _keep_places(places: Mapping[str, str], long: Mapping[str, Json], kept_paths: set[str]) -> Result:
    return {
        path: place for path, place in places.items() if _get_list(path) not in long or _cut_row(path) in kept_paths
    }


def _get_list(path: str) -> str:
    """`assets` of `assets[no=A0105].location`, and of `assets.104.location`."""
    return path.partition("[")[0].partition(".")[0]


def _cut_row(path: str) -> str:
    """`assets[no=A0105]` of `assets[no=A0105].location`, and `assets.104` of `assets.104.location`."""
    if path.startswith(f"{_get_list(path)}["):
        return f"{path.partition(']')[0]}]"
    return ".".join(path.split(".")[:2])
