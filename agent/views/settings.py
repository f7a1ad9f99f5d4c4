"""The agent's settings of an organization: everybody reads them, admins change them."""

from __future__ import annotations

from operator import attrgetter

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from agent.forms import AgentSettingsForm
from agent.models import AgentSettings
from agent.policy import agent_settings
from agent.toolkit.registry import registry
from agent.toolkit.tool_kinds import Access, group_tools
from agent.views.mode_words import MODES
from kit.errors import Invalid

TITLES = {
    "model": "Model",
    "mode": "Mode of new threads",
    "instructions": "Organization instructions",
    "tools": "Tools",
    "limits": "Limits per turn",
    "ranking": "Search ranking",
}

EFFECTS = {
    Access.WRITE: "changes",
    Access.DESTRUCTIVE: "removes",
    Access.COSTLY: "costs",
    Access.COSTLY_READ: "costs",
    Access.EXTERNAL: "leaves DocRouter",
}


@require_http_methods(["GET", "POST"])
@organization_page()
def settings(request: PageRequest) -> HttpResponse:
    """A card for each subject, which is saved by itself; htmx gets that card alone."""
    if request.method != "POST":
        return _page(request)
    request.actor.require(Role.ADMIN)
    subject = request.POST.get("subject", "")
    if subject not in TITLES:
        raise Invalid(f"Say which settings to save: {', '.join(TITLES)}.")
    form = AgentSettingsForm(request.actor.organization, _find_row(request), request.POST, subject=subject)
    is_saved = _save(request, form)
    if request.htmx:
        context = {"card": _describe_card(subject), "form": form, "is_saved": is_saved, **_list_choices(request)}
        return render(request, "agent/settings/card.html", context)
    if not is_saved:
        return _page(request, subject, form)
    messages.success(request, "Saved. It applies from the next turn.")
    return redirect("agent-settings", request.actor.organization.pk)


def _save(request: PageRequest, form: AgentSettingsForm) -> bool:
    if not form.is_valid():
        return False
    try:
        agent_settings.change(request.actor, **form.changes())
    except Invalid as error:
        form.refuse(error)
        return False
    return True


def _find_row(request: PageRequest) -> AgentSettings:
    return AgentSettings.objects.filter(organization=request.actor.organization).first() or AgentSettings()


def _page(request: PageRequest, refused: str = "", form: AgentSettingsForm | None = None) -> HttpResponse:
    saved = AgentSettingsForm(request.actor.organization, _find_row(request))
    cards = [_describe_card(subject) | {"form": form if subject == refused else saved} for subject in TITLES]
    context = {"section": "settings", "subject": "Agent", "cards": cards, **_list_choices(request)}
    return render(request, "agent/settings.html", context, status=422 if form else 200)


def _describe_card(subject: str) -> dict[str, object]:
    return {"subject": subject, "title": TITLES[subject], "template": f"agent/settings/{subject}.html"}


def _list_choices(request: PageRequest) -> dict[str, object]:
    return {
        "may_change": request.actor.may(Role.ADMIN),
        "installed": agent_settings.installation_settings(request.actor.organization),
        "modes": MODES,
        "groups": _list_tools(),
    }


def _list_tools() -> list[dict[str, object]]:
    """By what they are about, and within that by title."""
    named = [
        (tool.category, {"name": tool.name, "title": tool.title, "effect": EFFECTS.get(tool.access, "")})
        for tool in sorted(registry, key=attrgetter("title"))
    ]
    return [{"title": title, "tools": tools} for title, tools in group_tools(named)]
