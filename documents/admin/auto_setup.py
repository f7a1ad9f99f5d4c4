from __future__ import annotations

from collections.abc import Callable

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.admin.base import RowAdmin, as_operator
from documents.autosetup import proposals
from documents.models import AutoSetup, Proposal, ProposalSibling, Sketch


@admin.register(Proposal)
class ProposalAdmin(RowAdmin):
    """Accepted on the document's page or in the inbox, where the values can be seen beside the page."""

    rows_of = ("members", "siblings")
    list_display = ("lead", "organization", "status", "reused", "extends", "decided_by", "decided_at", "created_at")
    list_select_related = ("lead", "organization", "decided_by")
    list_filter = ("status", "reused", "extends", "organization", "created_at")
    search_fields = ("=id", "=lead__id", "lead__name_folded")
    actions = ("reject",)

    @admin.action(description="Reject, and remove the schema and prompt that it created", permissions=["view"])
    def reject(self, request: HttpRequest, queryset: QuerySet[Proposal]) -> None:
        rows = queryset.select_related("organization", "lead")
        self.each(
            request,
            rows,
            lambda row: proposals.reject(as_operator(request, row.organization), proposal=row),
            "Rejected, and removed what it created",
        )


@admin.register(AutoSetup)
class AutoSetupAdmin(RowAdmin):
    list_display = ("document", "status", "proposal", "requested_by", "done_at", "created_at")
    list_select_related = ("document", "proposal__lead", "requested_by")
    list_filter = ("status", "document__organization", "created_at")
    search_fields = ("=id", "=document__id", "document__name_folded", "=thread_id", "=turn_id")
    actions = ("ask_again",)

    @admin.action(description="Propose again, instead of the proposal that waits", permissions=["view"])
    def ask_again(self, request: HttpRequest, queryset: QuerySet[AutoSetup]) -> None:
        rows = queryset.select_related("document__organization", "proposal")
        self.each(request, rows, _again(request), "The agent will propose again for")


def _again(request: HttpRequest) -> Callable[[AutoSetup], object]:
    return lambda row: proposals.retry(as_operator(request, row.document.organization), setup=row)


@admin.register(Sketch)
class SketchAdmin(RowAdmin):
    list_display = ("document", "created_at")
    list_select_related = ("document",)
    search_fields = ("=document__id", "document__name_folded")


@admin.register(ProposalSibling)
class ProposalSiblingAdmin(RowAdmin):
    list_display = ("document", "proposal", "likeness", "prompt_revision", "reason", "created_at")
    list_select_related = ("document", "proposal__lead", "prompt_revision__prompt")
    search_fields = ("=id", "=document__id", "document__name_folded", "=thread_id", "=proposal__id")
