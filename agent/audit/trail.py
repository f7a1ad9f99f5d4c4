"""Who changed what, by whose leave, and for the agent's changes what was shown and what ran. Read only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any

from django.db.models import Model, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry, Member, Organization, Role
from agent.audit.automatic_setups import SetUpDocument, find_setups
from agent.audit.field_places import describe_edits
from agent.audit.phrases import Phrase, phrase_entry
from agent.conversation.addresses import address_of
from agent.models import Rule, Thread, ToolCall, Turn
from agent.policy.rules import VERDICT_WORDS
from agent.toolkit.registry import registry
from documents.models import Document, Extraction, Prompt, Proposal, Schema, Tag
from kit.json_types import JsonObject
from kit.rows.models import fold_case

A_PAGE = 100
CALL = str(ToolCall._meta.verbose_name)
_OWN_NAMES = ("name", "email", "rule", "tool", "model", "provider")


@dataclass(frozen=True)
class AuditFilter:
    """Which entries; what is empty does not narrow. `text` is part of an action or a name, or an id."""

    user_id: str = ""
    origin: str = ""
    kind: str = ""
    text: str = ""
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True)
class AuditLine:
    """One entry as it is read. `call` is the agent's call behind it, with its decision."""

    entry: AuditEntry
    name: str
    address: str
    call: ToolCall | None
    place: str = ""
    change: str = ""
    setup: SetUpDocument | None = None

    @cached_property
    def phrase(self) -> Phrase:
        return phrase_entry(self.entry, self.name, self.place, self.change)

    @property
    def day(self) -> date:
        return timezone.localtime(self.entry.created_at).date()

    @property
    def who(self) -> str:
        return self.entry.user.shown_name if self.entry.user else "DocRouter"

    @property
    def by(self) -> str:
        """person, agent or system, and for the agent whose leave it had."""
        if self.entry.origin == AuditEntry.Origin.AGENT_RULE and self.call and self.call.allowed_by:
            return f"agent, allowed by {self.call.allowed_by}"
        return self.entry.get_origin_display()

    @property
    def shown(self) -> str:
        return str(self.call.preview.get("title", "")) if self.call else ""

    @property
    def face(self) -> JsonObject:
        """What the card showed besides its title, or would have."""
        preview = self.call.preview if self.call else {}
        return {
            name: value
            for name, value in preview.items()
            if value and name not in ("title", "done", "ended", "crop", "first_pages")
        }

    @property
    def ran(self) -> JsonObject:
        """The arguments that ran, or would have."""
        return {"tool": self.call.tool, "arguments": self.call.effective or {}} if self.call else {}

    @property
    def reason(self) -> str:
        decision = self.call and next(iter(self.call.decisions.all()), None)
        return decision.reason if decision else ""


def list_entries(actor: Actor, filters: AuditFilter) -> QuerySet[AuditEntry]:
    """The organization's entries, newest first. For admins."""
    actor.require(Role.ADMIN)
    rows = AuditEntry.objects.filter(organization=actor.organization).select_related("user")
    exact = {"user": filters.user_id, "origin": filters.origin, "target_kind": filters.kind}
    rows = rows.filter(**{name: value for name, value in exact.items() if value})
    if filters.text:
        rows = rows.filter(_match_text(actor.organization, filters.text))
    if filters.since:
        rows = rows.filter(created_at__gte=_midnight(filters.since))
    if filters.until:
        rows = rows.filter(created_at__lt=_midnight(filters.until + timedelta(days=1)))
    return rows.order_by("-created_at", "-id")


def _match_text(organization: Organization, text: str) -> Q:
    """Part of an action or of the name of a document or definition, or the id of a target or call."""
    condition = Q(action__icontains=text) | Q(target_id=text) | Q(call_id=text)
    for kind, model in _NAMED.items():
        named = model._default_manager.filter(organization=organization, name_folded__contains=fold_case(text))
        condition |= Q(target_kind=kind, target_id__in=named.values("pk"))
    return condition


def older_than(rows: QuerySet[AuditEntry], last: AuditEntry | None) -> QuerySet[AuditEntry]:
    """What is older than the last one seen, by the same order."""
    if last is None:
        return rows
    return rows.filter(Q(created_at__lt=last.created_at) | Q(created_at=last.created_at, id__lt=last.pk))


def build_lines(rows: Sequence[AuditEntry]) -> list[AuditLine]:
    """With names, addresses and calls, in a query for each kind of thing."""
    calls = _fetch_calls(rows)
    named, edits, setups = _link_targets(rows), describe_edits(rows), find_setups(rows, calls)
    built = []
    for entry in rows:
        name, address = named.get((entry.target_kind, entry.target_id), ("", ""))
        call = calls.get(entry.target_id if entry.target_kind == CALL else entry.call_id)
        place, change = edits.get(entry.pk, ("", ""))
        line = AuditLine(entry, name or _read_name(entry), address, call, place, change, setups.get(entry.pk))
        built.append(line)
    return built


def _read_name(entry: AuditEntry) -> str:
    """The name that the entry itself kept, for something that is gone or has none."""
    return str(next((entry.detail[name] for name in _OWN_NAMES if entry.detail.get(name)), ""))


def list_kinds() -> list[str]:
    return sorted([*_LINKED, *_WITHOUT_LINK])


def list_people(actor: Actor) -> QuerySet[Member]:
    return Member.objects.filter(organization=actor.organization).select_related("user").order_by("user__email")


def _fetch_calls(rows: Iterable[AuditEntry]) -> dict[str, ToolCall]:
    ids = {entry.target_id if entry.target_kind == CALL else entry.call_id for entry in rows} - {""}
    return ToolCall.objects.select_related("thread").prefetch_related("decisions").in_bulk(ids)


def _link_document(row: Document) -> tuple[str, str]:
    return row.name, reverse("document", args=(row.organization_id, row.pk))


def _link_extraction(row: Extraction) -> tuple[str, str]:
    name, address = _link_document(row.document)
    return f"run {row.number} of {name}", f"{address}?run={row.pk}"


def _link_thread(row: Thread) -> tuple[str, str]:
    return row.title, address_of(row) if not row.private else ""


def _link_turn(row: Turn) -> tuple[str, str]:
    return _link_thread(row.thread)


def _link_call(row: ToolCall) -> tuple[str, str]:
    return str(row.preview.get("title") or row.tool), _link_thread(row.thread)[1]


def _link_definition(page: str) -> Callable[[Any], tuple[str, str]]:
    return lambda row: (row.name, reverse(page, args=(row.organization_id, row.pk)))


def _link_tag(row: Tag) -> tuple[str, str]:
    return row.name, reverse("tags", args=(row.organization_id,))


def _link_proposal(row: Proposal) -> tuple[str, str]:
    name = row.prompt_revision.prompt.name if row.prompt_revision else ""
    return name, reverse("document-agent", args=(row.organization_id, row.lead_id)) if row.lead_id else ""


def _link_member(row: Member) -> tuple[str, str]:
    return row.user.shown_name, reverse("members", args=(row.organization_id,))


def _link_organization(row: Organization) -> tuple[str, str]:
    return row.name, ""


def _link_rule(row: Rule) -> tuple[str, str]:
    title = next((tool.title for tool in registry if tool.name == row.tool), row.tool)
    return f"{title} {VERDICT_WORDS[Rule.Verdict(row.verdict)]}", reverse("rules", args=(row.organization_id,))


_Link = Callable[[Any], tuple[str, str]]
_LINKED: dict[str, tuple[type[Model], tuple[str, ...], _Link]] = {
    "document": (Document, (), _link_document),
    "extraction": (Extraction, ("document",), _link_extraction),
    "schema": (Schema, (), _link_definition("schema")),
    "prompt": (Prompt, (), _link_definition("prompt")),
    "tag": (Tag, (), _link_tag),
    "thread": (Thread, (), _link_thread),
    "turn": (Turn, ("thread",), _link_turn),
    "rule": (Rule, (), _link_rule),
    "proposal": (Proposal, ("prompt_revision__prompt",), _link_proposal),
    "member": (Member, ("user",), _link_member),
    "organization": (Organization, (), _link_organization),
    CALL: (ToolCall, ("thread",), _link_call),
}
_NAMED: dict[str, type[Model]] = {"document": Document, "schema": Schema, "prompt": Prompt, "tag": Tag}
_WITHOUT_LINK = (
    "budget",
    "invitation",
    "bulk action",
    "access token",
    "language model",
    "agent settings",
    "model call",
)


def _link_targets(rows: Iterable[AuditEntry]) -> dict[tuple[str, str], tuple[str, str]]:
    names: dict[tuple[str, str], tuple[str, str]] = {}
    ids: dict[str, set[str]] = {}
    for entry in rows:
        ids.setdefault(entry.target_kind, set()).add(entry.target_id)
    for kind, target_ids in ids.items():
        if kind in _LINKED:
            model, related, name_of = _LINKED[kind]
            targets = model._default_manager.select_related(*related) if related else model._default_manager.all()
            names |= {(kind, row.pk): name_of(row) for row in targets.filter(pk__in=target_ids)}
    return names


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
