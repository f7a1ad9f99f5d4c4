"""The tags of one document, as a page with a tick for each. What carries a prompt's tag is what the prompt runs on."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents import document_changes
from documents.catalog.lists import list_tags
from documents.models import Document
from kit.errors import AppError

# Each is sent twice, and Django takes 1,000 fields of a form.
MAX_OFFERED = 400


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.REVIEWER)
def change(request: PageRequest, document_id: str) -> HttpResponse:
    """`tag` are the ticked ones of those `offered`; `new_name` makes one more. `back=list` goes back to the list."""
    document = fetch(request.actor, Document.objects.prefetch_related("tags"), document_id, noun="Document")
    if request.method == "GET":
        return _render_form(request, document)
    try:
        document_changes.choose_tags(
            request.actor,
            document=document,
            offered=request.POST.getlist("offered"),
            chosen=request.POST.getlist("tag"),
            new_name=request.POST.get("new_name", "").strip(),
        )
    except AppError as error:
        return _render_form(request, document, error=error, typed=request.POST.get("new_name", ""))
    if request.GET.get("back") == "list":
        return redirect("documents", request.actor.organization.pk)
    return redirect("document", request.actor.organization.pk, document.pk)


def _render_form(request: PageRequest, document: Document, **state: object) -> HttpResponse:
    ticked = set(request.POST.getlist("tag")) if state else {tag.pk for tag in document.tags.all()}
    names = list_tags(request.actor).order_by("name_folded", "pk")
    context = {
        "section": "documents",
        "document": document,
        "offered": sorted(((tag, tag.pk in ticked) for tag in names[:MAX_OFFERED]), key=lambda each: not each[1]),
        "hidden_count": max(0, names.count() - MAX_OFFERED),
        "may_build": request.actor.may(Role.BUILDER),
        **state,
    }
    return render(request, "documents/document_tags.html", context, status=422 if state else 200)
