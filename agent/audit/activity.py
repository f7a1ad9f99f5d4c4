"""Entries about one document, for everybody who may see it."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from accounts.actor import Actor
from accounts.models import AuditEntry
from agent.audit.trail import CALL
from agent.models import ToolCall
from agent.policy.visibility import filter_visible
from documents.models import Document

ACTIVITY_PAGE = 50
# Decisions of a person about calls of the agent; the changes that followed have entries of their own.
_DECIDED = ("approved", "rejected", "expired", "undid")


def list_activity(actor: Actor, document: Document) -> QuerySet[AuditEntry]:
    """Entries of the document, of its runs and proposals, and of decisions in threads that the actor may see."""
    calls = ToolCall.objects.filter(filter_visible(actor), thread__document=document)
    about = (
        Q(target_kind="document", target_id=document.pk)
        | Q(target_kind="extraction", target_id__in=document.extractions.values("pk"))
        | Q(target_kind="proposal", target_id__in=document.led_proposals.values("pk"))
        | Q(target_kind=CALL, action__in=_DECIDED, target_id__in=calls.values("pk"))
    )
    rows = AuditEntry.objects.filter(about, organization=actor.organization)
    return rows.select_related("user").order_by("-created_at", "-id")
