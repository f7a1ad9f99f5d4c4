"""Sentences about failed value checks, with the values and the lines that each is about."""

from __future__ import annotations

from collections.abc import Mapping

from agent.citations.aliases import name_lines
from agent.models import Thread
from documents.checks.findings import CheckResult, Status
from documents.extractions.proof_notes import find_line
from documents.models import Extraction
from documents.values import map_wire_paths
from documents.values.row_keys import RowNames

MAX_SHOWN, MAX_PLACES = 20, 3
_WORDS = {Status.FAILED: "", Status.NOT_COMPUTED: "Not computed: "}


def list_check_problems(extraction: Extraction, thread: Thread | None = None) -> list[str]:
    """At most MAX_SHOWN sentences, such as “lines.2.total (D1:1.14): 2 × 3.00 is 6.00; the page says 7.00.”

    The names of lines are those of the `thread`, where they may be cited by them.
    """
    results = [result for result in extraction.check_results if result["status"] in _WORDS][:MAX_SHOWN]
    names = RowNames(extraction.current)
    paths = {where: names.name(path) for where, path in map_wire_paths(extraction.current).items()} if results else {}
    lines = {place: find_line(extraction, place) for result in results for place in result["places"][:MAX_PLACES]}
    lines = {place: line for place, line in lines.items() if line}
    if thread is not None and extraction.reading_id and lines:
        lines = name_lines(thread, extraction.reading_id, lines)
    return [_describe(result, paths, lines) for result in results]


def _describe(result: CheckResult, paths: Mapping[str, str], lines: Mapping[str, str]) -> str:
    """A place that is no single value, such as a list, has no path of its own here."""
    places = [place for place in result["places"][:MAX_PLACES] if place in paths]
    named = [f"{paths[place]} ({lines[place]})" if place in lines else paths[place] for place in places]
    about = f"{', '.join(named)}: " if named else ""
    return f"{about}{_WORDS[Status(result['status'])]}{result['message']}"
