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
from agent.toolkit.tool_groups import group_tools
from agent.views.mode_words import MODES
from kit.errors import Invalid


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
    messages.success(request, "Saved. It applies from the next turn.")
    return redirect("agent-settings", organization.pk)


def _page(request: PageRequest, form: AgentSettingsForm, *, status: int = 200) -> HttpResponse:
    installed = agent_settings.installation_settings(request.actor.organization)
    context: dict[str, object] = {
        "section": "settings",
        "subject": "Agent",
        "form": form,
        "may_change": request.actor.may(Role.ADMIN),
        "installed": installed,
        "research_limits": [
            (form["tool_seconds"], "Seconds per tool call that uses a model", installed.tool_seconds),
            (form["research_seconds"], "Seconds per research turn", installed.research_seconds),
            (form["research_min_tokens"], "Minimum context of its model, in tokens", "any"),
        ],
        "modes": MODES,
        "groups": group_tools((tool.group, tool) for tool in sorted(registry, key=attrgetter("name"))),
    }
    return render(request, "agent/settings.html", context, status=status)
