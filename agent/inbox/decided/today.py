"""What people have decided today, newest first, and whether it can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby, islice

from django.db.models import Model, QuerySet
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry
from agent.inbox import inbox
from agent.inbox.decided import conversations, documents, values
from agent.inbox.decided.decision_row import Decided, DecisionRow
from agent.inbox.inbox_rows import PROPOSAL
from agent.models import Rule, Thread, ToolCall, Turn
from agent.policy import rules
from agent.policy.visibility import filter_visible
from documents.models import BulkAction, Document, Extraction, Prompt, Proposal, Schema

MAX_SHOWN = 8
LOOKED_AT = 200
# So long the last decision is said above what comes next.
JUST = timedelta(minutes=10)
_Describe = Callable[[Decided], DecisionRow | None]


@dataclass(frozen=True)
class _Kind:
    """`describe` by the action of the audit log; `list_rows` gives what the actor may see."""

    model: type[Model]
    list_rows: Callable[[Actor], QuerySet[Model]]
    describe: dict[str, _Describe]

    @property
    def name(self) -> str:
        """As the audit log calls it."""
        return str(self.model._meta.verbose_name)


def _list_calls(actor: Actor) -> QuerySet[Model]:
    rows = ToolCall.objects.filter(filter_visible(actor))
    return rows.select_related("thread__document", "turn", "undone_by")


def _list_turns(actor: Actor) -> QuerySet[Model]:
    return Turn.objects.filter(filter_visible(actor)).select_related("thread__document")


def _list_proposals(actor: Actor) -> QuerySet[Model]:
    return inbox.select_details(PROPOSAL).filter(organization=actor.organization)


def _list_runs(actor: Actor) -> QuerySet[Model]:
    rows = Extraction.objects.for_org(actor.organization).filter(document__trashed_at=None)
    return rows.select_related("document")


def _list_threads(actor: Actor) -> QuerySet[Model]:
    """One's own: nobody else restores them."""
    return Thread.objects.filter(organization=actor.organization, owner=actor.user)


def _list_own(model: type[Document | BulkAction | Schema | Prompt]) -> Callable[[Actor], QuerySet[Model]]:
    return lambda actor: model._default_manager.filter(organization=actor.organization)


_KINDS = {
    kind.name: kind
    for kind in (
        _Kind(ToolCall, _list_calls, dict.fromkeys(conversations.CALL_WORDS, conversations.describe_call)),
        _Kind(Turn, _list_turns, dict.fromkeys(conversations.TURN_WORDS, conversations.describe_turn)),
        _Kind(Proposal, _list_proposals, dict.fromkeys(conversations.PROPOSAL_WORDS, conversations.describe_offer)),
        _Kind(Rule, rules.filter_concerning, dict.fromkeys(("made", "revoked"), conversations.describe_rule)),
        _Kind(Thread, _list_threads, {"trashed": conversations.describe_thread}),
        _Kind(Extraction, _list_runs, {"verified": values.describe_verified, "edited": values.describe_edited}),
        _Kind(
            Document,
            _list_own(Document),
            {
                "changed": documents.describe_changed,
                "renamed": documents.describe_renamed,
                "split": documents.describe_split,
                "trashed": documents.describe_trashed,
            },
        ),
        _Kind(Schema, _list_own(Schema), {"trashed": documents.describe_trashed}),
        _Kind(Prompt, _list_own(Prompt), {"trashed": documents.describe_trashed}),
        _Kind(BulkAction, _list_own(BulkAction), {"asked for": documents.describe_bulk_action}),
    )
}
_ACTIONS = {action for kind in _KINDS.values() for action in kind.describe}


def find_just_decided(decided: Sequence[DecisionRow]) -> DecisionRow | None:
    """What the reader has decided last, where that was a short while ago and stands."""
    last = next((row for row in decided if row.is_own), None)
    is_fresh = last is not None and timezone.now() - last.entry.created_at < JUST
    return last if last is not None and is_fresh and not last.is_undone else None


def list_today(actor: Actor) -> list[DecisionRow]:
    """At most MAX_SHOWN, of what the actor may see."""
    entries = _list_entries(actor)
    targets = _fetch_targets(actor, entries)
    decided = (
        Decided(actor, group, targets[group[0].target_id]) for group in _group(entries) if group[0].target_id in targets
    )
    rows = (_KINDS[each.entry.target_kind].describe[each.entry.action](each) for each in decided)
    return list(islice((row for row in rows if row is not None), MAX_SHOWN))


def _list_entries(actor: Actor) -> list[AuditEntry]:
    """Without changes that follow from another decision, such as those of a bulk action or an undo."""
    day = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    rows = AuditEntry.objects.filter(
        organization=actor.organization,
        created_at__gte=day,
        user__isnull=False,
        action__in=_ACTIONS,
        target_kind__in=_KINDS,
        origin=AuditEntry.Origin.PERSON,
    ).exclude(detail__has_key="cause")
    newest = rows.select_related("user").order_by("-created_at", "-id")[:LOOKED_AT]
    return [entry for entry in newest if entry.action in _KINDS[entry.target_kind].describe]


def _group(entries: Iterable[AuditEntry]) -> Iterator[list[AuditEntry]]:
    """Values of one result that somebody verified or changed one after the other are one decision."""
    for _, group in groupby(entries, _key):
        yield list(group)


def _key(entry: AuditEntry) -> tuple[object, ...]:
    if entry.target_kind == _RUN and values.is_of_values(entry):
        return entry.user_id, entry.action, entry.target_id
    return (entry.pk,)


_RUN = str(Extraction._meta.verbose_name)


def _fetch_targets(actor: Actor, entries: Iterable[AuditEntry]) -> dict[str, Model]:
    ids: dict[str, set[str]] = {}
    for entry in entries:
        ids.setdefault(entry.target_kind, set()).add(entry.target_id)
    targets: dict[str, Model] = {}
    for kind, target_ids in ids.items():
        targets |= _KINDS[kind].list_rows(actor).in_bulk(target_ids)
    return targets
