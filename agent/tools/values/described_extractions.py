"""An extraction as a model reads it: what is unsure, empty, failed or missing, the values, and where each is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Sized
from itertools import islice

from agent.citations.failed_checks import list_check_problems
from agent.citations.value_proof import describe_cited_proof
from agent.models import Thread
from agent.toolkit.previews import format_count
from agent.toolkit.registry import Result
from agent.tools.values.long_lists import shorten_lists
from documents.definitions import prompts
from documents.extractions.proof_notes import MAX_EMPTY, MAX_UNSURE, ProofNotes
from documents.extractions.windowing import format_spans
from documents.models import Extraction
from documents.values import map_wire_paths, strip_row_ids

MAX_REASONS = 3
# Each costs the model some tokens.
MAX_ADDRESSES = 200


def describe_extraction(thread: Thread, extraction: Extraction, *, is_concise: bool = False) -> Result:
    """A summary first; then what is unsure and why, the values as the model reads them, and their places."""
    paths = map_wire_paths(extraction.current)
    revision = extraction.prompt_revision
    proof = describe_cited_proof(thread, extraction)
    lines = proof.pop("lines", {})
    checks = list_check_problems(extraction, thread)
    described: Result = {
        "extraction_id": extraction.pk,
        "prompt_revid": revision.pk if revision else "default",
        "prompt": str(revision or prompts.DEFAULT_NAME),
        "summary": _summarize_values(extraction, paths, proof, checks),
        **({"missing": _describe_missing(extraction)} if extraction.pages_missing else {}),
        "unsure": {},
        **proof,
        **({"checks": checks} if extraction.check_results else {}),
        "pages_seen": extraction.coverage,
        "page_count": extraction.page_count,
        "result": strip_row_ids(extraction.current),
        **({"lines": lines} if lines else {}),
        **({"addresses": addresses} if (addresses := list_addresses(extraction, paths)) else {}),
        **({"reading_id": extraction.reading_id} if extraction.reading_id else {}),
    }
    return shorten_lists(extraction, described) if is_concise else described


def _summarize_values(
    extraction: Extraction, paths: Mapping[str, str], proof: ProofNotes, checks: Sequence[str]
) -> str:
    """Such as “9 values, 750 rows of assets; 3 unsure, 1 empty, 2 checks failed; 5 of 30 pages seen”."""
    lists = Counter(path.partition(".")[0] for path in paths.values() if any(map(str.isdecimal, path.split("."))))
    rows = {name: value for name, value in _list_rows(extraction) if name in lists}
    single = len(paths) - sum(lists.values())
    counts = [format_count(single, "value"), *(f"{number:,} rows of {name}" for name, number in rows.items())]
    doubts = [
        f"{_count_up_to(proof.get('unsure', ()), MAX_UNSURE)} unsure",
        f"{_count_up_to(proof.get('empty', ()), MAX_EMPTY)} empty",
        f"{format_count(len(checks), 'check')} not passed",
    ]
    doubtful = [words for words in doubts if not words.startswith("0 ")] or ["nothing unsure"]
    seen = f"{len(extraction.coverage):,} of {format_count(extraction.page_count, 'page')} seen"
    return "; ".join([", ".join(counts), ", ".join(doubtful), seen])


def _count_up_to(listed: Sized, maximum: int) -> str:
    return f"{len(listed):,}{' or more' if len(listed) == maximum else ''}"


def _list_rows(extraction: Extraction) -> Iterator[tuple[str, int]]:
    if isinstance(extraction.current, dict):
        yield from ((name, len(value)) for name, value in extraction.current.items() if isinstance(value, list))


def _describe_missing(extraction: Extraction) -> str:
    pages = format_spans(extraction.pages_missing)
    reasons = [note["reason"] for note in extraction.conflicts if not note["where"]][:MAX_REASONS]
    offer = "" if extraction.is_prose else " run_extraction with go_on asks for them alone."
    return " ".join([f"Not seen: pages {pages}.", *reasons]) + offer


def list_addresses(extraction: Extraction, paths: Mapping[str, str]) -> dict[str, str]:
    """Where values are in a file that names its places, such as a sheet: of the first MAX_ADDRESSES of them."""
    named = (
        (paths[where], ", ".join(place["addresses"]))
        for where, place in extraction.provenance.items()
        if place.get("addresses") and where in paths
    )
    return dict(islice(named, MAX_ADDRESSES))
