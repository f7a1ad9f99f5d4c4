"""The trash of documents: what lies there, back into the lists, or deleted for good."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.models import Document
from documents.retention import families
from documents.retention import trash as services
from documents.views.bulk.strip import TRASH, list_jobs
from documents.views.lists import MAX_ROWS, STEP, read_row_count
from kit import formats
from kit.errors import NotFound


@require_GET
@organization_page(role=Role.BUILDER)
def trash(request: PageRequest) -> HttpResponse:
    """`shown=<number>` asks for that many rows. htmx gets the rows alone."""
    shown = read_row_count(request, STEP)
    rows = list(services.list_trash(request.actor).select_related("trashed_by")[: shown + 1])
    is_part = request.htmx and not request.htmx.history_restore_request
    context = {
        "documents": rows[:shown],
        "more": shown + STEP if len(rows) > shown < MAX_ROWS else 0,
        "days": settings.TRASH_DAYS,
        "may_delete": request.actor.may(Role.ADMIN),
        "jobs": () if is_part else list_jobs(request.actor, place=TRASH),
        "place": TRASH,
    }
    return render(request, f"documents/trash/{'rows' if is_part else 'list'}.html", context)


@require_POST
@organization_page(role=Role.BUILDER)
def restore(request: PageRequest, document_id: str) -> HttpResponse:
    families.restore(request.actor, document=_fetch_trashed(request, document_id))
    if not request.htmx:
        return redirect("trash", request.actor.organization.pk)
    response = HttpResponse()
    response["HX-Trigger"] = "documents-changed"
    return response


@require_POST
@organization_page(role=Role.ADMIN)
def delete(request: PageRequest, document_id: str) -> HttpResponse:
    document = _fetch_trashed(request, document_id)
    services.delete_for_good(request.actor, document=document)
    messages.info(request, f"{document.name} is deleted for good within the next minutes.")
    return redirect("trash", request.actor.organization.pk)


@require_POST
@organization_page(role=Role.ADMIN)
def empty(request: PageRequest) -> HttpResponse:
    count = services.empty_trash(request.actor)
    left = services.list_trash(request.actor).exists()
    more = " There are more: empty the trash again." if left else ""
    what = "1 document is" if count == 1 else f"{formats.format_number(count)} documents are"
    messages.info(request, f"{what} deleted for good within the next minutes.{more}")
    return redirect("trash", request.actor.organization.pk)


def _fetch_trashed(request: PageRequest, document_id: str) -> Document:
    document = services.list_trash(request.actor).filter(pk=document_id).first()
    if document is None:
        raise NotFound("This document is not in the trash. Somebody may have restored or deleted it meanwhile.")
    return document
