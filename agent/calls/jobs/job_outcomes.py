"""The outcome of a bulk action for the model that asked for it: counts first, then a row for each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from django.db.models import Count, Prefetch, QuerySet

from agent.calls.jobs.job_summaries import summarize_values
from agent.calls.outcomes import REST
from agent.citations.aliases import name_lines
from agent.citations.failed_checks import list_check_problems
from agent.models import Thread
from agent.policy.deleted_documents import SUMMED
from agent.toolkit.previews import format_count
from agent.toolkit.registry import Result
from documents.extractions.proof_notes import ProofNotes, describe_proof
from documents.models import BulkAction, BulkItem, Extraction
from documents.values import Stored, iterate_leaves, map_wire_paths
from kit.errors import Invalid
from kit.json_types import Json

MAX_ROWS, MAX_WORST, MAX_EXAMPLES = 20, 10, 5
MAX_DESCRIBED = 2_000
MAX_VALUES, MAX_LETTERS, MAX_NAMED = 10, 60, 5
# The later the worse.
_DOUBTS = ("empty", "left_out", "beside_a_label", "unread", "missing", "unsure", "checks", "failed")
UNKNOWN = "No reason is known."
_WORDS = {BulkItem.Status.FAILED: "failed", BulkItem.Status.LEFT_OUT: "left_out"}


@dataclass
class DocumentOutcome:
    """`doubts` are the names of what somebody should look at."""

    row: Result
    doubts: list[str] = field(default_factory=list)
    runs: Sequence[Extraction] = ()

    @property
    def rank(self) -> int:
        return max((_DOUBTS.index(doubt) + 1 for doubt in self.doubts if doubt in _DOUBTS), default=0)


def describe_job(thread: Thread, action: BulkAction) -> Result:
    """Describe an action that has ended. Above MAX_ROWS documents a summary of their values, the worst and some others
    come first, and all the rest where a model reads on."""
    outcomes = [_describe_item(thread, item) for item in _list_items(action)]
    result = _count(action, outcomes)
    if len(outcomes) <= MAX_ROWS:
        return {**result, "rows": [each.row for each in outcomes]}
    worst = sorted(filter(lambda each: each.rank, outcomes), key=lambda each: -each.rank)[:MAX_WORST]
    shown = {id(each) for each in worst}
    others = [each.row for each in outcomes if id(each) not in shown]
    summary = summarize_values(run for each in outcomes for run in each.runs)
    return {
        **result,
        **({SUMMED: summary} if summary else {}),
        "worst": [each.row for each in worst],
        "examples": others[:MAX_EXAMPLES],
        REST: others[MAX_EXAMPLES:],
    }


def list_rows(thread: Thread, action: BulkAction, start: int) -> Result:
    """List MAX_ROWS documents in the order of the job, from the place `start`, and where to go on.

    Raises Invalid for a place behind the last.
    """
    count = BulkItem.objects.filter(action=action).count()
    if start > count:
        raise Invalid(f"The job has {format_count(count, 'document')}; from_document is none of their places.")
    end = start - 1 + MAX_ROWS
    items = _list_items(action, start - 1, end)
    result: Result = {"documents": action.total_count, "rows": [_describe_item(thread, item).row for item in items]}
    return {**result, "more": f"Ask again with from_document={end + 1}."} if end < count else result


def _list_items(action: BulkAction, start: int = 0, end: int = MAX_DESCRIBED) -> QuerySet[BulkItem, BulkItem]:
    """The first of them; what is counted of the others stands in the action."""
    runs = Extraction.objects.select_related("prompt_revision__prompt", "schema_revision", "document")
    items = BulkItem.objects.filter(action=action).select_related("document")
    return items.prefetch_related(Prefetch("runs", runs.order_by("number"))).order_by("pk")[start:end]


def _count(action: BulkAction, outcomes: Sequence[DocumentOutcome]) -> Result:
    """Count the documents of each kind; a kind that is not there is not named."""
    items = BulkItem.objects.filter(action=action)
    counts = Counter(doubt for each in outcomes for doubt in each.doubts)
    gone = action.total_count - items.count()
    reasons = {word: _group_reasons(items.filter(status=status)) for status, word in _WORDS.items()}
    return {
        "documents": action.total_count,
        "done": action.done_count,
        **counts,
        **{f"{word}_because": each for word, each in reasons.items() if each and len(outcomes) > MAX_ROWS},
        **({"deleted_since": gone} if gone > 0 else {}),
        **({"ended_early": action.reason} if action.status != BulkAction.Status.DONE else {}),
        **({"looked_at": f"The first {MAX_DESCRIBED:,}."} if len(outcomes) == MAX_DESCRIBED else {}),
    }


def _group_reasons(items: QuerySet[BulkItem, BulkItem]) -> list[Result]:
    """The reasons that most documents share, with how many they are."""
    counted = items.order_by().values("reason").annotate(number=Count("pk")).order_by("-number", "reason")[:MAX_NAMED]
    return [{"reason": each["reason"] or UNKNOWN, "documents": each["number"]} for each in counted]


def _describe_item(thread: Thread, item: BulkItem) -> DocumentOutcome:
    row: Result = {"document": item.document.name, "document_id": item.document_id}
    doubts = [word] if (word := _WORDS.get(BulkItem.Status(item.status))) else []
    if doubts:
        row[doubts[0]] = item.reason or UNKNOWN
    elif item.reason:
        row["note"] = item.reason
    is_trashed = item.document.trashed_at is not None
    runs = [] if is_trashed else [run for run in item.runs.all() if run.status == Extraction.Status.COMPLETED]
    results = [_describe_run(thread, run) for run in runs]
    doubts += dict.fromkeys(doubt for result in results for doubt in _DOUBTS if doubt in result)
    described = results[0] if len(results) == 1 else {"results": results} if results else {}
    return DocumentOutcome({**row, **described}, doubts, runs)


def _describe_run(thread: Thread, run: Extraction) -> Result:
    """Its key values and their lines, what is unsure, empty or fails a check; no more than a few of each."""
    values = dict(islice(_iterate_values(run), MAX_VALUES))
    proof = describe_proof(run)
    lines = {path: line for path, line in proof.get("lines", {}).items() if path in values}
    checks = list_check_problems(run, thread)
    described: Result = {
        "prompt": str(run.prompt_revision or ""),
        "values": values,
        "lines": name_lines(thread, run.reading_id, lines) if run.reading_id and lines else {},
        **dict(_iterate_doubts(proof)),
        "checks": checks[:MAX_NAMED],
        "missing": run.pages_missing,
    }
    return {name: part for name, part in described.items() if part}


def _iterate_values(run: Extraction) -> Iterator[tuple[str, Json]]:
    """Single values outside of rows by their paths; of a list how many rows it has."""
    if run.is_prose:
        yield "text", _shorten(run.current.get("text") if isinstance(run.current, dict) else run.current)
        return
    paths, lists = map_wire_paths(run.current), Counter[str]()
    for where, value in iterate_leaves(run.current):
        path = paths[where]
        names = path.split(".")
        at = next((at for at, name in enumerate(names) if at and name.isdecimal()), None)
        if at is None:
            yield path, _shorten(value)
        else:
            lists[".".join(names[:at])] = int(names[at]) + 1
    yield from ((name, f"{number:,} rows") for name, number in lists.items())


def _shorten(value: Stored) -> Json:
    if isinstance(value, str) and len(value) > MAX_LETTERS:
        return f"{value[:MAX_LETTERS]}…"
    return value if isinstance(value, str | int | float | bool | None) else "…"


def _iterate_doubts(proof: ProofNotes) -> Iterator[tuple[str, Json]]:
    yield "unsure", dict(islice(proof.get("unsure", {}).items(), MAX_NAMED))
    yield "beside_a_label", dict(islice(proof.get("left_out", {}).items(), MAX_NAMED))
    yield "unread", dict(islice(proof.get("unread", {}).items(), MAX_NAMED))
    yield "empty", list(proof.get("empty", ())[:MAX_NAMED])
