"""Types of documents of an organization, in the settings."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.find import lists
from documents.models import DocumentType
from documents.types.catalogue import MAX_NAME, add_type, change_type, list_types
from kit.errors import AppError


@require_GET
@organization_page()
def show(request: PageRequest) -> HttpResponse:
    """Each type with the documents that have it; a viewer sees them alone."""
    actor = request.actor
    counted = Count("documents", filter=Q(documents__trashed_at=None))
    context = {
        "section": "settings",
        "subject": "Types",
        "types": list_types(actor.organization).select_related("schema", "prompt").annotate(document_count=counted),
        "schemas": lists.list_schemas(actor).order_by("name_folded"),
        "prompts": lists.list_prompts(actor).order_by("name_folded"),
        "max_name": MAX_NAME,
        "may_build": actor.may(Role.BUILDER),
    }
    return render(request, "documents/settings/types.html", context)


@require_POST
@organization_page(role=Role.BUILDER)
def add(request: PageRequest) -> HttpResponse:
    try:
        row = add_type(request.actor, name=request.POST.get("name", ""))
        messages.info(request, f"“{row.name}” is a type now. People give it; rules do not know it.")
    except AppError as error:
        messages.error(request, error.sentence)
    return redirect("document-types", request.actor.organization.pk)


@require_POST
@organization_page(role=Role.BUILDER)
def change(request: PageRequest, type_id: str) -> HttpResponse:
    sent, row = request.POST, fetch(request.actor, DocumentType.objects.all(), type_id, noun="Type")
    try:
        row = change_type(
            request.actor,
            document_type=row,
            name=sent.get("name", row.name),
            is_on="is_on" in sent,
            schema_id=sent.get("schema", ""),
            prompt_id=sent.get("prompt", ""),
        )
        messages.info(request, f"“{row.name}” is saved.")
    except AppError as error:
        messages.error(request, error.sentence)
    return redirect("document-types", request.actor.organization.pk)
