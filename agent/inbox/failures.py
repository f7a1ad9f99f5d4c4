"""Documents that failed, by cause: many that failed alike are one line and one decision."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.actor import Actor
from agent.inbox.inbox_rows import FAILED, UNREAD, InboxRow, build_row
from documents import bulk
from documents.bulk.kinds import get_kind
from documents.models import BulkAction, BulkItem, Document, Extraction, Reading
from kit.errors import Invalid

# So many are named in a case, and so many are in one group at most.
MAX_NAMED, MAX_ALIKE = 8, 1000
# Failures older than that wait behind documents to verify.
LATELY = timedelta(days=7)
FAILED_STATES = (Document.State.OCR_FAILED, Document.State.LLM_FAILED)
# What can be done to all of a group, by the kind of bulk action that does it.
ACTIONS = (BulkAction.Kind.RETRY, BulkAction.Kind.TRASH)


@dataclass(frozen=True)
class Alike:
    """The documents that failed for one cause, of which `named` are the oldest.

    `words` say how far the action is that works on them already.
    """

    total: int
    named: list[Document]
    words: str

    @property
    def rest(self) -> int:
        return self.total - len(self.named)

    @property
    def face(self) -> str:
        """Differs when the page has to draw it anew."""
        return f"{self.total} {self.words}"


def group_by_cause(documents: Iterable[Document]) -> list[InboxRow]:
    """A row for each cause, the one of the newest document first. Its first document stands for it."""
    groups: dict[tuple[str, str], list[Document]] = defaultdict(list)
    for document in documents:
        groups[document.state, document.state_reason].append(document)
    newest_first = sorted(groups.values(), key=_find_newest, reverse=True)
    return [_build_group(alike) for alike in newest_first]


def has_failed_lately(documents: Sequence[Document]) -> bool:
    """Whether one was uploaded, read or run within `LATELY`; a document of long ago may have been tried today."""
    limit, keys = timezone.now() - LATELY, [document.pk for document in documents]
    if not documents or any(document.created_at >= limit for document in documents):
        return bool(documents)
    is_tried_lately = Q(document__in=keys, finished_at__gte=limit)
    return Reading.objects.filter(is_tried_lately).exists() or Extraction.objects.filter(is_tried_lately).exists()


def find_alike(actor: Actor, document: Document) -> Alike:
    rows = list_alike(actor, document)
    items = BulkItem.objects.filter(
        document=document,
        status__in=(BulkItem.Status.PENDING, BulkItem.Status.STARTED),
        action__status__in=BulkAction.UNDER_WAY,
    )
    item = items.select_related("action").first()
    return Alike(rows[:MAX_ALIKE].count(), list(rows[:MAX_NAMED]), _describe_progress(item.action) if item else "")


def list_alike(actor: Actor, document: Document) -> QuerySet[Document, Document]:
    """Those that failed for the same cause, this one among them, the oldest first."""
    rows = Document.objects.for_org(actor.organization).filter(state=document.state, state_reason=document.state_reason)
    return rows.order_by("created_at", "pk")


def request_for_all(actor: Actor, *, document: Document, kind: str) -> BulkAction:
    """The one action for all that failed as this document did. Raises Invalid, Denied."""
    if kind not in ACTIONS:
        raise Invalid("Choose whether they are tried again or moved to the trash.")
    if document.state not in FAILED_STATES:
        raise Invalid("This document does not wait any more. Look at the list again.")
    ids = list(list_alike(actor, document).values_list("pk", flat=True)[:MAX_ALIKE])
    return bulk.create(actor, kind=kind, arguments={}, documents=Document.objects.filter(pk__in=ids))


def _describe_progress(action: BulkAction) -> str:
    doing = get_kind(action.kind).describe_progress(action.arguments)
    return f"{doing}: {action.done_count:,} of {action.total_count:,} done."


def _build_group(alike: list[Document]) -> InboxRow:
    first = alike[0]
    is_unread = first.state == Document.State.OCR_FAILED
    row = build_row(UNREAD if is_unread else FAILED, first)
    if len(alike) == 1:
        return row
    what = "files could not be read" if is_unread else "extractions failed"
    title = f"{len(alike):,} {what}"
    return replace(row, title=title, note=first.state_reason, count=len(alike), since=_find_newest(alike))


def _find_newest(alike: Sequence[Document]) -> datetime:
    return max(document.created_at for document in alike)
