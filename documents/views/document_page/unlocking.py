"""The password of a locked PDF: asked for on the document's page and in the inbox, by one form."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.intake import unlocking
from documents.models import Document
from kit.errors import AppError


@require_POST
@organization_page(role=Role.REVIEWER)
def unlock(request: PageRequest, document_id: str) -> HttpResponse:
    """htmx gets the form once more, with what is wrong in it."""
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    try:
        unlocking.unlock(request.actor, document=document, password=request.POST.get("password", ""))
    except AppError as error:
        if not request.htmx:
            raise
        context = {"document": document, "problem": error.sentence, "key": request.POST.get("key", "")[:1]}
        return render(request, "documents/unlock_form.html", context, status=422)
    if not request.htmx:
        return redirect("document", request.actor.organization.pk, document.pk)
    return render(request, "documents/unlocked.html")
