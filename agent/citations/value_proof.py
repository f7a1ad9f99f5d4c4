"""What values rest on, with the lines under the names that a thread knows them by."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from agent.citations.aliases import name_lines
from agent.models import Thread
from documents.extractions.proof_notes import ProofNotes, describe_proof
from documents.models import Extraction
from documents.values.row_keys import RowNames


def describe_cited_proof(thread: Thread, extraction: Extraction, left_out: Collection[str] = ()) -> ProofNotes:
    """As `describe_proof`, with `D1:2.14` for each line, by which values may be cited, and rows named by their keys."""
    proof, names = describe_proof(extraction, left_out), RowNames(extraction.current)
    if extraction.reading_id and proof.get("lines"):
        proof["lines"] = name_lines(thread, extraction.reading_id, proof["lines"])
    return cast(
        ProofNotes, {part: notes if part == "same_words" else _name_rows(notes, names) for part, notes in proof.items()}
    )


def _name_rows(notes: object, names: RowNames) -> object:
    if isinstance(notes, dict):
        return {names.name(path): note for path, note in notes.items()}
    return [names.name(path) for path in notes] if isinstance(notes, list) else notes
