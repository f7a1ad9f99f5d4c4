"""The agent's settings of an organization: everybody reads them, admins change them."""

from __future__ import annotations

from itertools import groupby

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from agent.forms import AgentSettingsForm
from agent.models import AgentSettings
from agent.policy import agent_settings
from agent.toolkit.registry import Tool, registry
from agent.views.mode_words import MODES
from kit.errors import Invalid

GROUPS = {
    "document": "Document",
    "extraction": "Extraction",
    "schemas": "Schemas",
    "prompts": "Prompts",
    "tags": "Tags",
}


@require_http_methods(["GET", "POST"])
@organization_page()
def settings(request: PageRequest) -> HttpResponse:
    organization = request.actor.organization
    row = AgentSettings.objects.filter(organization=organization).first() or AgentSettings()
    form = AgentSettingsForm(organization, row, request.POST if request.method == "POST" else None)
    if request.method != "POST":
        return _page(request, form)
    request.actor.require(Role.ADMIN)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        agent_settings.change(request.actor, **form.changes())
    except Invalid as error:
        form.add_error(None, error.sentence)
        return _page(request, form, status=422)
    messages.success(request, "Saved. It holds from the next turn on.")
    return redirect("agent-settings", organization.pk)


def _page(request: PageRequest, form: AgentSettingsForm, *, status: int = 200) -> HttpResponse:
    installed = agent_settings.installation_settings(request.actor.organization)
    context: dict[str, object] = {
        "section": "settings",
        "form": form,
        "may_change": request.actor.may(Role.ADMIN),
        "installed": installed,
        "research_limits": [
            (form["tool_seconds"], "Seconds of a tool that reads by a model", installed.tool_seconds),
            (form["research_seconds"], "Seconds of a turn about many documents", installed.research_seconds),
            (form["research_min_tokens"], "Tokens that its model reads at least", "any"),
        ],
        "modes": MODES,
        "groups": [
            (GROUPS.get(group, group.capitalize()), list(tools)) for group, tools in groupby(_sort_tools(), _group)
        ],
    }
    return render(request, "agent/settings.html", context, status=status)


def _sort_tools() -> list[Tool]:
    order = list(GROUPS)
    return sorted(registry, key=lambda tool: (order.index(tool.group) if tool.group in order else 9, tool.name))


def _group(tool: Tool) -> str:
    return tool.group
