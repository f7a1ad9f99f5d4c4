"""A whole result from a client, with its word on whether a person has checked it."""

from __future__ import annotations

from collections.abc import Collection

from accounts.actor import Actor
from documents.extractions.edits.fields import check_result, write_result
from documents.extractions.edits.verifying import unverify, verify
from documents.models import Extraction
from kit.json_types import Json


def replace_result(
    actor: Actor,
    *,
    extraction: Extraction,
    result: Json,
    verified: bool,
    reason: str = "",
    expected_versions: Collection[str] | None = None,
) -> Extraction:
    """Edits until the current value reads as `result`, then verifies the whole or takes that back. All or nothing.
    `reason` goes with the verification.

    Raises Invalid when the top-level names differ or a value does not fit the schema, PreconditionFailed when the
    newest run of the prompt has none of the `expected_versions`.
    """
    check_result(extraction, result)
    write_result(
        actor,
        extraction=extraction,
        result=result,
        then=lambda: _mark(actor, extraction, verified, reason),
        expected_versions=expected_versions,
    )
    extraction.refresh_from_db()
    return extraction


def _mark(actor: Actor, extraction: Extraction, verified: bool, reason: str) -> None:
    if verified:
        verify(actor, extraction=extraction, reason=reason)
    else:
        unverify(actor, extraction=extraction)
