"""The outcome of a bulk action for the model that asked for it: counts first, then a row for each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from django.db.models import Prefetch

from agent.calls.outcomes import REST
from agent.citations.aliases import name_lines
from agent.citations.failed_checks import list_check_problems
from agent.models import Thread
from agent.toolkit.registry import Result
from documents.extractions.proof_notes import ProofNotes, describe_proof
from documents.models import BulkAction, BulkItem, Extraction
from documents.values import Stored, iterate_leaves, map_wire_paths
from kit.json_types import Json

MAX_ROWS, MAX_WORST = 20, 10
MAX_VALUES, MAX_LETTERS, MAX_NAMED = 10, 60, 5
# The later the worse.
_DOUBTS = ("empty", "left_out", "beside_a_label", "unread", "missing", "unsure", "checks", "failed")
_WORDS = {BulkItem.Status.FAILED: "failed", BulkItem.Status.LEFT_OUT: "left_out"}


@dataclass
class DocumentOutcome:
    """`doubts` are the names of what somebody should look at."""

    row: Result
    doubts: list[str] = field(default_factory=list)

    @property
    def rank(self) -> int:
        return max((_DOUBTS.index(doubt) + 1 for doubt in self.doubts if doubt in _DOUBTS), default=0)


def describe_job(thread: Thread, action: BulkAction) -> Result:
    """Describe an action that has ended. Above MAX_ROWS documents the worst come first, and all others in the rest."""
    runs = Extraction.objects.select_related("prompt_revision__prompt", "schema_revision").order_by("number")
    items = BulkItem.objects.filter(action=action).select_related("document").prefetch_related(Prefetch("runs", runs))
    outcomes = [_describe_item(thread, item) for item in items.order_by("pk")]
    result = _count(action, outcomes)
    if len(outcomes) <= MAX_ROWS:
        return {**result, "rows": [each.row for each in outcomes]}
    worst = sorted(filter(lambda each: each.rank, outcomes), key=lambda each: -each.rank)[:MAX_WORST]
    shown = {id(each) for each in worst}
    return {
        **result,
        "worst": [each.row for each in worst],
        REST: [each.row for each in outcomes if id(each) not in shown],
    }


def _count(action: BulkAction, outcomes: Sequence[DocumentOutcome]) -> Result:
    """Count the documents of each kind; a kind that is not there is not named."""
    counts = Counter(doubt for each in outcomes for doubt in each.doubts)
    gone = action.total_count - len(outcomes)
    return {
        "documents": action.total_count,
        "done": action.done_count,
        **counts,
        **({"deleted_since": gone} if gone > 0 else {}),
        **({"ended_early": action.reason} if action.status != BulkAction.Status.DONE else {}),
    }


def _describe_item(thread: Thread, item: BulkItem) -> DocumentOutcome:
    row: Result = {"document": item.document.name, "document_id": item.document_id}
    doubts = [word] if (word := _WORDS.get(BulkItem.Status(item.status))) else []
    if doubts:
        row[doubts[0]] = item.reason or "No reason is known."
    elif item.reason:
        row["note"] = item.reason
    ended = [run for run in item.runs.all() if run.status == Extraction.Status.COMPLETED]
    results = [] if item.document.trashed_at else [_describe_run(thread, run) for run in ended]
    doubts += dict.fromkeys(doubt for result in results for doubt in _DOUBTS if doubt in result)
    if len(results) == 1:
        return DocumentOutcome({**row, **results[0]}, doubts)
    return DocumentOutcome({**row, **({"results": results} if results else {})}, doubts)


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
