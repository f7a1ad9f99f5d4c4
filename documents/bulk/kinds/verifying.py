"""Verifying many documents: those of which a person has verified each value already (ADR 13)."""

from __future__ import annotations

from accounts.actor import Actor
from accounts.models import Role
from documents import extractions, values
from documents.bulk.kinds.base import BulkKind, Change, LeftOut, get_document
from documents.catalog.state import lock_document, lock_run
from documents.extractions import edits
from documents.models import BulkAction, BulkItem, Extraction, Verification
from kit.json_types import JsonObject

NO_VALUES = "It has no values to verify."


class Verify(BulkKind):
    kind, inverse, role = BulkAction.Kind.VERIFY, BulkAction.Kind.UNVERIFY, Role.REVIEWER
    title, progress_title = "Verify", "Verifying"

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        extraction = _lock_newest(item)
        marks = set(extraction.verifications.filter(cleared_at=None).values_list("where", flat=True))
        if "" in marks:
            raise LeftOut("It is verified already.", code="verified")
        _require_all_verified(extraction, marks)
        mark = edits.verify(actor, extraction=extraction)
        return Change(undo={"verification": mark.pk})


class TakeVerificationBack(BulkKind):
    """Of an undo: only the mark that the action made."""

    kind, inverse, role = BulkAction.Kind.UNVERIFY, BulkAction.Kind.VERIFY, Role.REVIEWER
    title, progress_title = "Take the verification back", "Taking verifications back"

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        extraction = _lock_newest(item)
        marks = Verification.objects.filter(extraction=extraction, where="", cleared_at=None)
        if isinstance(item.undo, dict):
            marks = marks.filter(pk=item.undo.get("verification"))
        if not marks.exists():
            raise LeftOut("It is not verified, or somebody has verified it again since.", code="not_verified")
        edits.unverify(actor, extraction=extraction)
        return Change(undo={})


def _lock_newest(item: BulkItem) -> Extraction:
    """The run that its page shows, the document first. Nobody edits it until the transaction ends."""
    newest = extractions.get_newest(lock_document(get_document(item).pk))
    if newest is None:
        raise LeftOut(NO_VALUES, code="no_values")
    return lock_run(newest)


def _require_all_verified(extraction: Extraction, marks: set[str]) -> None:
    filled = [where for where, value in values.iterate_leaves(extraction.current) if value not in (None, "")]
    done = sum(where in marks for where in filled)
    if not filled:
        raise LeftOut(NO_VALUES, code="no_values")
    if done < len(filled):
        verified = "is" if done == 1 else "are"
        raise LeftOut(
            f"{done} of {len(filled)} values {verified} verified. Look at the others on its page.", code="unseen"
        )
