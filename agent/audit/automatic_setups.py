"""Entries that one automatic setup has left, from its request to the values that it found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.urls import reverse

from accounts.models import AuditEntry
from agent.models import ToolCall
from documents.models import AutoSetup

REQUESTED = "asked for automatic setup"


@dataclass(frozen=True)
class SetUpDocument:
    """The document that was set up."""

    id: str
    name: str
    address: str


def find_setups(entries: Sequence[AuditEntry], calls: Mapping[str, ToolCall]) -> dict[str, SetUpDocument]:
    """By the id of the entry; a setup that was asked for again keeps what its newest run did."""
    keys = {entry.pk: key for entry in entries if (key := _read_key(entry, calls))}
    if not keys:
        return {}
    ids = set(keys.values())
    by_key: dict[str, SetUpDocument] = {}
    condition = Q(thread_id__in=ids) | Q(turn_id__in=ids) | Q(document__in=ids)
    for row in AutoSetup.objects.filter(condition).select_related("document"):
        address = reverse("document", args=(row.document.organization_id, row.document_id))
        document = SetUpDocument(row.document_id, row.document.name, address)
        by_key |= {row.thread_id: document, row.turn_id: document, row.document_id: document}
    return {pk: by_key[key] for pk, key in keys.items() if key in by_key}


def _read_key(entry: AuditEntry, calls: Mapping[str, ToolCall]) -> str:
    """The id of a thread, a turn or a document, by which the setup is found; empty for what belongs to none."""
    if entry.action == REQUESTED or entry.target_kind in ("thread", "turn"):
        return entry.target_id
    call = calls.get(entry.call_id)
    return call.turn_id if call and entry.origin == AuditEntry.Origin.AGENT_RULE else ""
