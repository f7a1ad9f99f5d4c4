"""What values rest on, with the lines under the names that a thread knows them by."""

from __future__ import annotations

from agent.citations.aliases import name_lines
from agent.models import Thread
from documents.extractions.proof_notes import ProofNotes, describe_proof
from documents.models import Extraction


def describe_cited_proof(thread: Thread, extraction: Extraction) -> ProofNotes:
    """As `describe_proof`, with `D1:2.14` for each line: values may be cited by them."""
    proof = describe_proof(extraction)
    if extraction.reading_id and proof.get("lines"):
        proof["lines"] = name_lines(thread, extraction.reading_id, proof["lines"])
    return proof
