"""What the document page says of the mail, archive or whole that a document came in, and of what came in it."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.actor import Actor
from accounts.models import Role
from documents.intake import splitting
from documents.models import Document, Reading
from documents.views.rows import DocumentRow, list_documents, make_rows


@dataclass(frozen=True)
class Family:
    parent: Document | None
    parts: list[DocumentRow]
    is_waiting: bool
    is_split: bool
    reasons: list[str]


def load_family(actor: Actor, document: Document, part_count: int) -> Family | None:
    """None for a document that came alone and has nothing in it."""
    if not (part_count or document.parent_id or document.unpacking):
        return None
    rows = list_documents(actor).filter(parent=document).order_by(*Document.ORDER_IN_WHOLE)
    parts = list(rows) if part_count else []
    parent = Document.objects.filter(pk=document.parent_id, trashed_at=None).only("pk", "name").first()
    return Family(
        parent=parent if document.parent_id else None,
        parts=make_rows(parts, actor),
        is_split=any(part.first_page for part in parts),
        is_waiting=document.unpacking in (Document.Unpacking.WAITING, Document.Unpacking.WORKING),
        reasons=document.parts_reason.splitlines(),
    )


def may_split(actor: Actor, document: Document, reading: Reading | None) -> bool:
    """Whether there is something to split, and the actor may."""
    is_long = reading is not None and (reading.page_count or 0) > 1
    return is_long and document.media_type in splitting.SPLITTABLE and actor.may(Role.REVIEWER)
