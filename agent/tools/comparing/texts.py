"""A tool that compares the texts of two documents."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from agent.citations.aliases import note_all_read
from agent.models import ReadingAlias
from agent.toolkit.page_ranges import parse_page_ranges
from agent.toolkit.previews import format_count
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools import lookup
from agent.tools.comparing.excerpts import MATTERS, ChangeExcerpt, write_change
from documents.comparing import Change, Comparison, compare_readings
from documents.models import Reading
from documents.reading.page_text import make_data_block
from kit.errors import Invalid

MAX_TOKENS = 2_300
NONE_ON_PAGES = "There is no change on these pages."
MAX_SECTIONS = 5
MARKS = "(newer text, with [-words of the older-]{+words of the newer+}; … for words that both have)"


def _resolve(context: ToolContext, arguments: Arguments) -> Arguments:
    pinned = lookup.pin_document(context, arguments)
    return {**pinned, "with_document": lookup.find_document(context, pinned["with_document"]).pk}


def _summarize(arguments: Arguments, result: Result) -> str:
    return (
        f"{format_count(result.get('total_changes', 0), 'change')}, {result.get('same_passages', 0)} passages the same"
    )


@tool(
    category="search",
    access="read",
    title="Compare texts",
    icon="i-git-compare",
    shows_any=True,
    resolve=_resolve,
    summary=_summarize,
    is_rare=True,
)
def compare_documents(
    context: ToolContext,
    with_document: str,
    document: str | None = None,
    pages: str | None = None,
    from_change: int = 1,
) -> Result:
    """Compares the texts of two documents, such as two versions of a contract: numbers and dates first, then what was
    changed, added, removed or moved, each with its block ids in both. Exact and free: do not read both. Other line
    breaks, page numbers and numbers of clauses are no changes.

    with_document: name or id of the newer document
    document: name or id of the older document; without it this one
    pages: only what is on these pages of the older one, such as 9-20
    from_change: the place in the list to go on with, where `more` says so
    """
    one, other = (lookup.reading_of(lookup.choose_to_read(context, each)) for each in (document, with_document))
    if one.document_id == other.document_id:
        raise Invalid("Both are the same document. Name another one in with_document.")
    comparison = compare_readings(one, other)
    changes = _choose(comparison.changes, pages, one)
    if not 1 <= from_change <= max(1, len(changes)):
        raise Invalid(f"There are {len(changes)} changes; from_change is the place of one of them.")
    excerpts = list(_take_fitting(changes[from_change - 1 :]))
    aliases = note_all_read(context.thread, _list_lines(one, other, excerpts))
    answer = _describe(comparison, changes, aliases, (one, other))
    if excerpts:
        answer["changes"] = make_data_block("changes", _print(excerpts, aliases[one.pk], aliases[other.pk]))
    following = from_change + len(excerpts)
    if following <= len(changes):
        answer["more"] = f"The same call with from_change={following} reads on: {len(changes) - following + 1} follow."
    return answer


def _choose(changes: Sequence[Change], pages: str | None, one: Reading) -> list[Change]:
    """Sorts what weighs most first; on the pages also what was added behind a passage of theirs."""
    if pages is None:
        return sorted(changes, key=lambda change: change.rank)
    numbers = parse_page_ranges(pages, one.page_count or 0)
    return sorted((each for each in changes if each.page in numbers), key=lambda change: change.rank)


def _take_fitting(changes: Iterable[Change]) -> Iterator[ChangeExcerpt]:
    room = MAX_TOKENS
    for at, change in enumerate(changes):
        excerpt = write_change(change)
        room -= excerpt.tokens
        if at and room < 0:
            return
        yield excerpt


def _list_lines(
    one: Reading, other: Reading, excerpts: Sequence[ChangeExcerpt]
) -> Mapping[str, Mapping[int, Sequence[int]]]:
    """The lines of either that are shown."""
    places = {
        one.pk: [p for each in excerpts for p in each.lines],
        other.pk: [p for e in excerpts for p in e.other_lines],
    }
    lines: dict[str, defaultdict[int, list[int]]] = {key: defaultdict(list) for key in places}
    for key, place in ((key, place) for key, listed in places.items() for place in listed):
        lines[key][place.page].append(place.line)
    return lines


def _describe(
    comparison: Comparison,
    changes: Sequence[Change],
    aliases: Mapping[str, ReadingAlias],
    readings: Sequence[Reading],
) -> Result:
    answer: Result = {
        "compared": [_name(aliases[reading.pk], reading) for reading in readings],
        "total_changes": len(changes),
        "by_kind": dict(Counter(change.kind for change in changes)),
        "about": dict(Counter(MATTERS[change.matter] for change in changes)),
        "most_changed_sections": dict(
            Counter(each.section for each in changes if each.section).most_common(MAX_SECTIONS)
        ),
        "same_passages": comparison.same,
    }
    if not changes:
        answer["result"] = NONE_ON_PAGES if comparison.changes else comparison.sameness
    if comparison.renumbered:
        first = comparison.renumbered[0]
        answer["renumbered"] = (
            f"{len(comparison.renumbered)} clauses of the same words, first {first.was} → {first.now}"
        )
    return {**answer, "notes": list(comparison.notes)} if comparison.notes else answer


def _name(alias: ReadingAlias, reading: Reading) -> str:
    return f"{alias.name}: {reading.document.name}, {format_count(reading.page_count or 0, 'page')}"


def _print(excerpts: Sequence[ChangeExcerpt], one: ReadingAlias, other: ReadingAlias) -> str:
    return "\n".join([MARKS, *(excerpt.print(one.name, other.name) for excerpt in excerpts)])
