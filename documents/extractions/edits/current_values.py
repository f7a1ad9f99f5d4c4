"""The current value as edits make it, and which edits can be kept: how long addresses and texts may be."""

from __future__ import annotations

from collections.abc import Sequence

from documents import values
from documents.extractions.reapplied_edits import make_edit
from documents.models import Extraction, FieldEdit
from documents.values import Change, Edit, Origin, Stored, Where
from documents.values.addresses import split_steps
from kit.errors import Invalid

MAX_ADDRESS = FieldEdit._meta.get_field("where").max_length or 0
# As many characters as are read of a page.
MAX_TEXT = 200_000


def compute_current_after(
    extraction: Extraction, earlier: Sequence[FieldEdit], changes: Sequence[Change], origin: Origin
) -> Stored:
    """The current value with the changes. Computed from the run and all edits, so that it can never drift.

    Raises Invalid for an address that cannot be kept, before anything is done at it.
    """
    for change in changes:
        require_storable_address(change.where)
    added = (
        Edit(change.where, change.old, change.new, origin, number, change.kind)
        for number, change in enumerate(changes, start=get_last_number(earlier) + 1)
    )
    return values.compute_current(extraction.result, [*map(make_edit, earlier), *added])


def require_storable_address(where: Where) -> None:
    """Raises Invalid for an address that is too long to be kept, as names that no schema lists can make it."""
    if len(where) > MAX_ADDRESS:
        raise Invalid(f"The name of this value has over {MAX_ADDRESS} letters. It can only be seen, not changed.")


def require_bounded_texts(change: Change) -> Change:
    """Raises Invalid for a new text that no page could hold. What a run gave may be longer, and an undo of it too."""
    for _, value in values.iterate_leaves(change.new, split_steps(change.where)):
        if isinstance(value, str) and len(value) > MAX_TEXT:
            raise Invalid(
                f"This text has {len(value):,} characters; {MAX_TEXT:,} is the most. Shorten it.", code="value"
            )
    return change


def get_last_number(edits: Sequence[FieldEdit]) -> int:
    return max((edit.number for edit in edits), default=0)
