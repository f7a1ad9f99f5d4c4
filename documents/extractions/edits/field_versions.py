"""The version of one value: another one when a person has changed or verified it, which a client could overwrite."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence

from documents.catalog.row_versions import get_extraction_version, require_version
from documents.models import Extraction, FieldEdit, Verification
from documents.values import Where
from documents.values.addresses import overlaps


def compute_field_version(
    extraction: Extraction, where: Where, touching: Sequence[FieldEdit], marks: Iterable[Verification]
) -> str:
    """`touching` are the edits at, around or inside the place, `marks` the verifications a change of it would clear.

    Rests on the row's id and not on its position, so it also differs when another row stands there now.
    """
    newest = max((edit.number for edit in touching), default=0)
    text = f"{extraction.pk} {where} {newest} {' '.join(sorted(mark.pk for mark in marks))}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def require_field_version(
    extraction: Extraction, where: Where, edits: Iterable[FieldEdit], expected_versions: Collection[str] | None
) -> None:
    """Under the extraction's lock. One of the value or one of the whole extraction will do.

    Raises PreconditionFailed for any other. None stands for any.
    """
    if expected_versions is None:
        return
    touching = [edit for edit in edits if overlaps(edit.where, where)]
    marks = extraction.verifications.filter(cleared_at=None)
    marks_of_place = [mark for mark in marks if not mark.where or overlaps(mark.where, where)]
    if get_extraction_version(extraction) not in expected_versions:
        version = compute_field_version(extraction, where, touching, marks_of_place)
        require_version(version, expected_versions)
