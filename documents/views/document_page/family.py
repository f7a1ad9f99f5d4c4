"""What the document page says of the mail or archive that a document came in, and of what came in it."""

from __future__ import annotations

from dataclasses import dataclass

from documents.models import Document


@dataclass(frozen=True)
class Family:
    parent: Document | None
    parts: list[Document]
    is_waiting: bool
    reasons: list[str]


def load_family(document: Document) -> Family | None:
    """None for a document that came alone and has nothing in it."""
    if not document.parent_id and not document.unpacking:
        return None
    parent = Document.objects.filter(pk=document.parent_id, trashed_at=None).only("pk", "name").first()
    return Family(
        parent=parent if document.parent_id else None,
        parts=list(document.list_parts().only("pk", "name")) if document.unpacking else [],
        is_waiting=document.unpacking == Document.Unpacking.WAITING,
        reasons=document.parts_reason.splitlines(),
    )
