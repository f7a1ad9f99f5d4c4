"""The next steps after the first verified document: one press each, or dismissed."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.review import next_steps


@require_POST
@organization_page()
def dismiss(request: PageRequest) -> HttpResponse:
    """`step` is its name."""
    next_steps.dismiss(request.actor, name=request.POST.get("step", ""))
    return _answer(request)


@require_POST
@organization_page(role=Role.BUILDER)
def tag_prompt(request: PageRequest) -> HttpResponse:
    """The prompt starts by a tag from now on. Its page says so, and leads back to the version before."""
    prompt, tag = next_steps.tag_prompt(request.actor)
    messages.info(request, f"“{prompt.name}” runs on documents with the tag “{tag.name}”.")
    if request.htmx:
        return HttpResponse(headers={"HX-Refresh": "true"})
    return redirect("prompt", request.actor.organization.pk, prompt.pk)


def _answer(request: PageRequest) -> HttpResponse:
    if request.htmx:
        return render(request, "documents/review/next_steps.html")
    return redirect("inbox", request.actor.organization.pk)
