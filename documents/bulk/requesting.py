"""Asking for a bulk action, and for the undo of one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from django.db import IntegrityError, transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from documents.bulk import progress
from documents.bulk.freezing import freeze_selection, freeze_undoable
from documents.bulk.kinds import BulkKind, get_kind
from documents.models import BulkAction, BulkItem, Document
from kit import jobs
from kit.errors import Conflict, Denied, Invalid
from kit.jobs import Job
from kit.json_types import JsonObject
from kit.rows.state import move

NOTHING = "No document is selected, or none of them is there any more."
KEY_USED = "This Idempotency-Key came with another request before, so nothing was done. Send a new key with this one."
NOTHING_LEFT = "Nothing that this bulk action did can be undone any more."
NOT_YOURS = "Only whoever asked for this bulk action, or an admin, can do that."


@dataclass(frozen=True)
class RequestKey:
    """Digests of a client's Idempotency-Key, which is of one person, and of the request that it came with."""

    request_key: str
    request_hash: str


@transaction.atomic
def create(
    actor: Actor,
    *,
    kind: str,
    documents: QuerySet[Document],
    arguments: JsonObject | None = None,
    named_ids: Sequence[str] = (),
    request_key: RequestKey | None = None,
) -> BulkAction:
    """A queued action on these documents of the organization, which are settled here.

    The same `request_key` gives the same action again. Raises Invalid for none, too many, `named_ids` that are none of
    the documents, or arguments that cannot be used; Conflict for a key that came with another request; Denied.
    """
    chosen = get_kind(kind)
    actor.require(chosen.role)
    cleaned = chosen.clean(actor, arguments or {})
    if known := find_by_key(actor, request_key):
        return known
    # After the key: what the action did may have moved them since, such as into the trash.
    _require_all(documents, named_ids)
    return start(actor, chosen=chosen, arguments=cleaned, documents=documents, request_key=request_key)


@transaction.atomic
def start(
    actor: Actor,
    *,
    chosen: BulkKind,
    arguments: JsonObject,
    documents: QuerySet[Document],
    request_key: RequestKey | None,
) -> BulkAction:
    """The same with arguments as they are kept."""
    if known := find_by_key(actor, request_key):
        return known
    try:
        with transaction.atomic():
            action = _make(actor, chosen, arguments, **(asdict(request_key) if request_key else {}))
    except IntegrityError:  # Of two who send the same at once, the first has it.
        if known := find_by_key(actor, request_key):
            return known
        raise
    total = freeze_selection(action, chosen.list_candidates(actor), documents, keeps_version=chosen.keeps_version)
    selected = Document.objects.filter(bulk_items__action=action)
    action.estimate_micros = chosen.estimate_micros(actor, selected, arguments) if chosen.runs and total else None
    return _start(actor, action, total)


@transaction.atomic
def undo(actor: Actor, *, action: BulkAction) -> BulkAction:
    """A queued action that takes back what this one has done and nobody has changed since.

    Asked for again it is the same; one that ended early goes on. Raises Invalid where there is no way back, Conflict
    before it has ended, Denied.
    """
    require_own(actor, action)
    # Of two who ask at once, the second finds the first one's.
    action = BulkAction.objects.select_for_update(of=("self",), no_key=True).get(pk=action.pk)
    if known := BulkAction.objects.filter(undo_of=action).first():
        return _go_on(actor, known) if is_unfinished(known) else known
    inverse = get_kind(action.kind).inverse
    if not inverse:
        raise Invalid("What this bulk action did cannot be undone.", code="no_undo")
    actor.require(get_kind(inverse).role)
    if action.status in BulkAction.UNDER_WAY:
        raise Conflict("This bulk action is still under way. Stop it first.", code="under_way")
    undoing = _make(actor, get_kind(inverse), action.arguments, undo_of=action)
    total = freeze_undoable(undoing, get_kind(action.kind).list_undoable(action))
    if not total:
        raise Invalid(NOTHING_LEFT, code="no_undo")
    return _start(actor, undoing, total)


def is_undoable(action: BulkAction) -> bool:
    """Whether it has ended, did something, has a way back, and that was not gone to its end."""
    kind = get_kind(action.kind)
    if action.status in BulkAction.UNDER_WAY or not kind.inverse:
        return False
    undo, changed = getattr(action, "undo", None), action.done_count + action.failed_count * kind.undoes_failed
    return bool(changed) and (undo is None or is_unfinished(undo))


def is_unfinished(undo: BulkAction) -> bool:
    """Whether something of it is left to do. One that was undone itself stays as it is."""
    early = undo.status in (BulkAction.Status.STOPPED, BulkAction.Status.FAILED)
    return early and undo.done_count < undo.total_count and getattr(undo, "undo", None) is None


def require_own(actor: Actor, action: BulkAction) -> None:
    """Raises Denied for others than who asked and admins, and for who may no longer do what it does."""
    actor.require(get_kind(action.kind).role)
    if action.requested_by_id != actor.user.pk and not actor.may(Role.ADMIN):
        raise Denied(NOT_YOURS)


def _go_on(actor: Actor, undoing: BulkAction) -> BulkAction:
    """With what it has not done, also what it left out: that is looked at once more."""
    move(
        undoing,
        BulkAction.Status.QUEUED,
        transitions=BulkAction.TRANSITIONS,
        requested_by=actor.user,
        role_ceiling=_get_ceiling(actor),
        queued_at=timezone.now(),
        finished_at=None,
        dismissed_at=None,
        reason="",
        attempt=0,
    )
    was = BulkItem.objects.filter(action=undoing.undo_of_id, document=OuterRef("document")).values("undo")
    rest = undoing.items.exclude(status=BulkItem.Status.DONE)
    rest.update(status=BulkItem.Status.PENDING, code="", reason="", undo=Subquery(was))
    return _announce(actor, undoing)


def _make(actor: Actor, kind: BulkKind, arguments: JsonObject, **columns: object) -> BulkAction:
    return BulkAction.objects.create(
        organization=actor.organization,
        requested_by=actor.user,
        role_ceiling=_get_ceiling(actor),
        kind=kind.kind,
        arguments=arguments,
        **columns,
    )


def _get_ceiling(actor: Actor) -> str:
    return actor.token.role_ceiling if actor.token else ""


def _start(actor: Actor, action: BulkAction, total: int) -> BulkAction:
    if not total:
        raise Invalid(NOTHING, code="nothing_selected")
    kind = get_kind(action.kind)
    action.total_count = total
    if kind.is_immediate(action):
        action.status, action.done_count, action.finished_at = BulkAction.Status.DONE, total, timezone.now()
        action.items.update(status=BulkItem.Status.DONE)
    action.save(update_fields=["total_count", "estimate_micros", "status", "done_count", "finished_at"])
    kind.check_selection(action)
    return _announce(actor, action)


def _announce(actor: Actor, action: BulkAction) -> BulkAction:
    total, audited = action.total_count, get_kind(action.kind).list_audited(action.arguments)
    audit.record(actor, "asked for", action, kind=action.kind, documents=total, **audited)
    progress.publish_progress(action)
    if not get_kind(action.kind).is_immediate(action):
        jobs.enqueue(Job.RUN_BULK_ACTION, action.pk)
    return action


def _require_all(documents: QuerySet[Document], named_ids: Sequence[str]) -> None:
    present = set(documents.values_list("pk", flat=True)) if named_ids else set()
    if unknown := [document_id for document_id in named_ids if document_id not in present]:
        more = f" and {len(unknown) - 20:,} more" if len(unknown) > 20 else ""
        raise Invalid(f"Invalid document IDs: {unknown[:20]}{more}")


def find_by_key(actor: Actor, key: RequestKey | None) -> BulkAction | None:
    """What was made of this request before; to be asked before what it names is looked up, which may be gone by now.

    Raises Conflict where another request came with the key.
    """
    if key is None:
        return None
    known = BulkAction.objects.for_org(actor.organization).filter(request_key=key.request_key).first()
    if known is not None and known.request_hash != key.request_hash:
        raise Conflict(KEY_USED, code="key_used")
    return known


def make_request_key(actor: Actor, sent: JsonObject, key: str) -> RequestKey | None:
    """None without a key.

    The request counts as it was sent: what a filter selects is something else a moment later.
    """
    if not key:
        return None
    return RequestKey(_hash([str(actor.user.pk), key]), _hash(sent))


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
