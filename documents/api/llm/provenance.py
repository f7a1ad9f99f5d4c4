"""Values on the wire with what they rest on; answers are bounded, however much was extracted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rest_framework.request import Request

from accounts.api.wire import conditions
from accounts.api.wire.described import Choice
from accounts.api.wire.errors import Unprocessable, make_fault
from accounts.api.wire.fields import read_list
from documents import values
from documents.api.field_answers import Box, FailedCheck, Field, FieldEdit, NearbyWords, ProvenField, Value
from documents.checks.findings import CheckResult
from documents.extractions.field_proofs import FieldProof, FieldProofs, Leaf, PastEdit
from documents.models import Verification
from kit.timestamps import format_timestamp

# Of one answer, in letters of JSON; the first value always comes.
MAX_LETTERS = 4_000_000
MAX_EDITS, MAX_BOXES, MAX_ADDRESSES, MAX_TEXT = 20, 100, 100, 2000


PROVENANCE = "provenance"
INCLUDE = Choice(
    "include",
    "`provenance`: of each value the page, boxes, words, edits, verification and failed checks.",
    allowed=(PROVENANCE,),
)


@dataclass(frozen=True)
class Part:
    """`letters` is what the fields take as JSON."""

    fields: list[Field]
    letters: int
    is_cut: bool


def prove_leaves(proofs: FieldProofs, leaves: Sequence[Leaf], *, maximum: int = MAX_LETTERS) -> Part:
    """As many of them as have room, in their order."""
    fields, letters = list[Field](), 0
    for leaf in leaves:
        now = represent_field(proofs.prove(leaf))
        size = len(now.content) + len(now.etag)
        if fields and letters + size > maximum:
            return Part(fields, letters, is_cut=True)
        fields.append(make_field(now))
        letters += size
    return Part(fields, letters, is_cut=False)


def make_field(now: conditions.Representation[ProvenField]) -> Field:
    return {**now.body, "etag": now.etag}


def represent_field(proof: FieldProof) -> conditions.Representation[ProvenField]:
    place, mark = proof.place, proof.verification
    body: ProvenField = {
        "path": proof.leaf.path,
        "value": values.strip_row_ids(proof.leaf.value),
        "state": proof.state,
        "page": place.get("page"),
        "boxes": [_serialize_box(box) for box in place.get("boxes", ())[:MAX_BOXES]],
        "words": place.get("words", ""),
        "note": place.get("note", ""),
        "addresses": place.get("addresses", [])[:MAX_ADDRESSES],
        "looked_for": place.get("looked_for", []),
        "candidates": [_serialize_candidate(each) for each in place.get("candidates", ())],
        "differences": [{"value": one, "page": other} for one, other in place.get("differences", ())],
        "places": [_serialize_candidate(each) for each in place.get("places", ())],
        "look_first": place.get("look_first", False),
        "is_verified": mark is not None,
        "verified_by": _name_verifier(mark),
        "verified_at": format_timestamp(mark.created_at) if mark else None,
        "edits": [_serialize_edit(past) for past in proof.list_past_edits(MAX_EDITS)],
        "edit_count": len(proof.edits),
        "failed_checks": [_serialize_check(result) for result in proof.failed_checks],
    }
    return conditions.Representation(body, proof.version)


def _serialize_box(box: Sequence[float]) -> Box:
    left, top, right, bottom = box
    return {"left": left, "top": top, "right": right, "bottom": bottom}


def _serialize_candidate(candidate: values.NearbyWords) -> NearbyWords:
    return {**candidate, "boxes": [_serialize_box(box) for box in candidate["boxes"]]}


def _serialize_edit(past: PastEdit) -> FieldEdit:
    edit = past.edit
    return {
        "edit_id": edit.pk,
        "kind": edit.kind,
        "old": _shorten(past.old),
        "new": _shorten(past.new),
        "origin": edit.origin,
        "by": edit.user.shown_name if edit.user else "",
        "allowed_by": edit.allowed_by,
        "at": format_timestamp(edit.created_at),
    }


def _shorten(value: Value) -> Value:
    return f"{value[:MAX_TEXT]}…" if isinstance(value, str) and len(value) > MAX_TEXT else value


def _serialize_check(result: CheckResult) -> FailedCheck:
    return {"check": result["check"], "kind": result["kind"], "message": result["message"]}


def _name_verifier(mark: Verification | None) -> str | None:
    if mark is None:
        return None
    return mark.user.shown_name if mark.user else ""


def read_include(request: Request) -> bool:
    """Whether `include` asks for provenance, which is all it can name. Raises Unprocessable."""
    named = read_list(request, "include")
    if any(name != PROVENANCE for name in named):
        message = f"Input should be '{PROVENANCE}'"
        raise Unprocessable([make_fault("query", "include", message, ",".join(named)[:200], type="enum")])
    return bool(named)
