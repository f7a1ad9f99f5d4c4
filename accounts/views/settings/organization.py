"""The organization's settings: name, switches, and the two that hold the agent and the text of documents."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.forms import OrganizationForm
from accounts.models import Role
from accounts.services import organizations
from accounts.views.pages import PageRequest, organization_page
from kit.errors import AppError


@require_GET
@organization_page()
def show(request: PageRequest) -> HttpResponse:
    return _render(request)


@require_POST
@organization_page(role=Role.ADMIN)
def change(request: PageRequest) -> HttpResponse:
    form = OrganizationForm(request.POST)
    if not form.is_valid():
        return _render(request, form=form, status=422)
    try:
        organizations.change(request.actor, **form.cleaned_data)
    except AppError as error:
        form.add_error(None, error.sentence)
        return _render(request, form=form, status=422)
    messages.info(request, "Saved.")
    return redirect("settings", request.actor.organization.pk)


@require_POST
@organization_page(role=Role.ADMIN)
def stop_agent(request: PageRequest) -> HttpResponse:
    """`on` stops every turn of the agent; without it they go on."""
    stopped = "on" in request.POST
    organizations.stop_agent(request.actor, stopped=stopped)
    messages.info(request, "The agent is stopped." if stopped else "The agent may work again.")
    return redirect("agent-settings", request.actor.organization.pk)


@require_POST
@organization_page(role=Role.ADMIN)
def keep_text_local(request: PageRequest) -> HttpResponse:
    """`on` keeps document text on this machine; without it every model may be used."""
    local = "on" in request.POST
    organizations.keep_text_local(request.actor, local=local)
    messages.info(request, "Document text stays on this machine." if local else "Every model may be used.")
    return redirect("agent-settings", request.actor.organization.pk)


def _render(request: PageRequest, *, form: OrganizationForm | None = None, status: int = 200) -> HttpResponse:
    context = {
        "section": "settings",
        "subject": "Organization",
        "form": form,
        "may_administrate": request.actor.may(Role.ADMIN),
    }
    return render(request, "accounts/settings/organization.html", context, status=status)
