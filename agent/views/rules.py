"""The page of rules: what always runs, always asks or never runs, who said so, and how to end it."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page, redirect_unless_staying
from agent.conversation import threads
from agent.conversation.addresses import address_of
from agent.forms import LIFETIMES, MADE_SCOPES, MADE_VERDICTS, RuleForm
from agent.models import Rule, ToolCall
from agent.policy import rules
from agent.policy.past_calls import rule_preview
from agent.policy.past_calls.rule_simulation import simulate_allow, suggest_rules
from agent.policy.permissions import EVERY_TOOL
from agent.policy.policy_context import Policy
from agent.toolkit.tool_groups import group_tools
from kit.errors import AppError, Conflict, Invalid
from kit.http.undo_buttons import UndoButton


@require_GET
@organization_page(role=Role.REVIEWER)
def list_rules(request: PageRequest) -> HttpResponse:
    """The page; htmx gets the list alone, which is how a change elsewhere gets here."""
    if request.htmx and not request.htmx.history_restore_request:
        return render(request, "agent/rules_list.html", _read_rows(request))
    return _page(request)


@require_GET
@organization_page(role=Role.REVIEWER)
def preview(request: PageRequest) -> HttpResponse:
    """Says which recent calls the rule in the form would have stopped."""
    form = RuleForm(request.GET)
    if not form.is_valid():
        raise Invalid("Choose a tool, what the rule does and where.")
    return render(request, "agent/rule_preview.html", _preview(request, form.cleaned_data))


@require_POST
@organization_page(role=Role.REVIEWER)
def new(request: PageRequest) -> HttpResponse:
    form = RuleForm(request.POST)
    if not form.is_valid():
        return _page(request, form=form, status=422)
    try:
        rule = rules.create_rule(request.actor, **form.cleaned_data)
    except AppError as error:
        form.add_error(None, error.sentence)
        return _page(request, form=form, status=422)
    undo = UndoButton(reverse("rule-revoke", args=(request.actor.organization.pk, rule.pk)), key=rule.pk)
    messages.info(request, "The rule is in force.", extra_tags=undo.as_tag())
    return redirect("rules", request.actor.organization.pk)


@require_POST
@organization_page(role=Role.REVIEWER)
def revoke(request: PageRequest, rule_id: str) -> HttpResponse:
    rule = fetch(request.actor, Rule.objects.select_related("thread"), rule_id, noun="Rule")
    rules.revoke_rule(request.actor, rule=rule)
    if "stay" not in request.POST:
        messages.info(request, "The rule is revoked. What it allowed stays. The next call asks again.")
    return redirect_unless_staying(request, reverse("rules", args=(request.actor.organization.pk,)))


@require_GET
@organization_page(role=Role.REVIEWER)
def simulate(request: PageRequest, call_id: str) -> HttpResponse:
    """Says what "always allow" of this card would have decided on past cards, for each place that it is offered for."""
    rows = ToolCall.objects.select_related("thread__owner", "thread__organization", "thread__document", "turn")
    call = fetch(request.actor, rows, call_id, noun="Call")
    threads.fetch_readable(request.actor, call.thread_id)
    scopes = rules.find_offers(request.actor, call=call, policy=Policy(call.thread)).scopes
    simulations = simulate_allow(request.actor, scopes=scopes, tool=call.tool, thread=call.thread)
    return render(request, "agent/rule_simulations.html", {"simulations": simulations})


@require_POST
@organization_page(role=Role.REVIEWER)
def allow_suggested(request: PageRequest) -> HttpResponse:
    try:
        rule = rules.allow_suggested(request.actor, tool=request.POST.get("tool", "")[:100])
    except Conflict as error:
        messages.error(request, error.sentence)
        return redirect("rules", request.actor.organization.pk)
    undo = UndoButton(reverse("rule-revoke", args=(request.actor.organization.pk, rule.pk)), key=rule.pk)
    messages.info(request, "The rule is in force.", extra_tags=undo.as_tag())
    return redirect("rules", request.actor.organization.pk)


def _read_rows(request: PageRequest) -> dict[str, object]:
    return {"rules": rules.list_rules(request.actor)}


def _preview(request: PageRequest, asked: Mapping[str, str]) -> dict[str, object]:
    preview = rule_preview.preview_rule(request.actor, **{name: asked[name] for name in ("scope", "tool", "verdict")})
    return {"preview": preview, "last_url": address_of(preview.last.thread) if preview.last else ""}


def _page(request: PageRequest, *, form: RuleForm | None = None, status: int = 200) -> HttpResponse:
    scopes = MADE_SCOPES if request.actor.may(Role.ADMIN) else MADE_SCOPES[:1]
    tools = [(group, (name, words)) for name, words, group in rules.tools_to_rule(request.actor)]
    first = {"scope": scopes[0][0], "tool": EVERY_TOOL, "verdict": MADE_VERDICTS[0][0]}
    context = {
        "section": "settings",
        "subject": "Agent rules",
        "suggested": suggest_rules(request.actor),
        "form": form,
        "every_tool": tools[0][1],
        "tools": group_tools(tools[1:]),
        "scopes": scopes,
        "verdicts": MADE_VERDICTS,
        "lifetimes": LIFETIMES,
        **_read_rows(request),
        **_preview(request, form.cleaned_data if form and form.is_valid() else first),
    }
    return render(request, "agent/rules.html", context, status=status)
