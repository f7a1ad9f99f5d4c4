"""From one document to the next, and who is at one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.find.filters.verification import filter_to_verify
from documents.models import Document, Extraction
from documents.review import presence
from documents.views.review.neighbours import AFTER, find_next, format_list_query, read_list_query
from documents.views.undo_lines import make_undo


@require_GET
@organization_page()
def go_next(request: PageRequest, document_id: str) -> HttpResponseBase:
    """To the next document of the list `list`; of those to verify, to one that nobody else is at."""
    return _go(request, document_id, forward=True)


@require_GET
@organization_page()
def go_previous(request: PageRequest, document_id: str) -> HttpResponseBase:
    return _go(request, document_id, forward=False)


@require_POST
@organization_page(role=Role.REVIEWER)
def note_presence(request: PageRequest, document_id: str) -> HttpResponse:
    """A sign of the open page, `leaving` of one that closes. Answers who else is there."""
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    if "leaving" in request.POST:
        presence.release(request.actor, document.pk)
        return HttpResponse(status=204)
    presence.claim(request.actor, document.pk)
    other = presence.find_others(request.actor, [document.pk]).get(document.pk, "")
    return render(request, "documents/review/other.html", {"other": other})


def redirect_after_verifying(request: PageRequest, extraction: Extraction) -> HttpResponse | None:
    """To the next document to verify, which says what was verified; None when none is left, or this one still waits."""
    document = extraction.document
    still_waits = filter_to_verify(Document.objects.filter(pk=document.pk)).exists()
    next_id = None if still_waits else find_next(request, document)
    if next_id is None:
        return None
    end = format_list_query(read_list_query(request), **{AFTER: document.pk})
    address = reverse("document", args=(request.actor.organization.pk, next_id)) + end
    undo = make_undo(request, "extraction-verify", document, extraction.pk, values={"on": "false"})
    messages.info(request, f"Verified {document.name}", extra_tags=undo.as_tag())
    return HttpResponse(headers={"HX-Redirect": address})


def _go(request: PageRequest, document_id: str, *, forward: bool) -> HttpResponseBase:
    """When there is no further one, back to where it was."""
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    next_id = find_next(request, document, forward=forward) or document.pk
    address = reverse("document", args=(request.actor.organization.pk, next_id))
    return redirect(address + format_list_query(read_list_query(request)))
