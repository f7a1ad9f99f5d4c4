"""The page of rules: what always runs, always asks or never runs, who said so, and how to end it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page, redirect_unless_staying
from agent.conversation import threads
from agent.forms import ASKERS, CLIENT, LIFETIMES, MADE_SCOPES, MADE_VERDICTS, RuleForm
from agent.models import Rule, ToolCall
from agent.outside.catalog import is_outside
from agent.policy import rules
from agent.policy.active_rules import EVERY_TOOL
from agent.policy.policy_context import Policy
from agent.policy.rule_trials.rule_effects import explain_no_effect
from agent.policy.rule_trials.rule_simulation import join_simulations, simulate_allow, simulate_rule
from agent.policy.rule_trials.suggested_rules import suggest_rules
from agent.toolkit.tool_kinds import group_tools
from kit.errors import AppError, Conflict, Invalid, NotFound
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
    """Says what the rule in the form would have decided on past calls."""
    form = RuleForm(request.GET)
    if not form.is_valid():
        raise Invalid("Choose a tool, what the rule does and where.")
    return render(request, "agent/rule_trial.html", _simulate(request, form))


@require_POST
@organization_page(role=Role.REVIEWER)
def new(request: PageRequest) -> HttpResponse:
    form = RuleForm(request.POST)
    if not form.is_valid():
        return _page(request, form=form, status=422)
    if not form.is_simulated():
        form.add_error(None, "Read below what this rule would have let run, then add it.")
        return _page(request, form=form, status=422)
    try:
        rule = _create(request, form)
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
        messages.info(request, "The rule is revoked. All that it allowed stays. The next call asks again.")
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
    context = {"call": call, "simulations": simulations, "all": join_simulations(simulations) if simulations else None}
    return render(request, "agent/rule_simulations.html", context)


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


def _create(request: PageRequest, form: RuleForm) -> Rule:
    rule = form.rule
    return rules.create_rule(
        request.actor,
        scope=rule.scope,
        tool=rule.tool,
        verdict=rule.verdict,
        occasion=rule.occasion,
        days=form.cleaned_data["days"],
    )


def _simulate(request: PageRequest, form: RuleForm) -> dict[str, object]:
    """`useless` says why an allowing rule would allow nothing; then there is nothing to simulate."""
    rule = form.rule
    try:
        if rule.verdict == Rule.Verdict.ALLOW and (useless := explain_no_effect(request.actor, rule)):
            return {"useless": useless}
        return {"simulation": simulate_rule(request.actor, rule), "key": form.key}
    except NotFound as error:
        return {"useless": error.sentence}


def _page(request: PageRequest, *, form: RuleForm | None = None, status: int = 200) -> HttpResponse:
    is_admin = request.actor.may(Role.ADMIN)
    tools = [(category, (name, _continue(name, words))) for name, words, category in rules.tools_to_rule(request.actor)]
    shown = form if form and form.is_valid() else _first_form()
    context = {
        "section": "settings",
        "subject": "Agent rules",
        "suggested": suggest_rules(request.actor),
        "form": form or shown,
        "every_tool": tools[0][1],
        "tools": group_tools(tools[1:]),
        "askers": ASKERS if is_admin else [each for each in ASKERS if each[0] != CLIENT],
        "scopes": MADE_SCOPES if is_admin else MADE_SCOPES[:1],
        "verdicts": MADE_VERDICTS,
        "lifetimes": LIFETIMES,
        **_read_rows(request),
        **_simulate(request, shown),
    }
    return render(request, "agent/rules.html", context, status=status)


def _first_form() -> RuleForm:
    form = RuleForm({"scope": MADE_SCOPES[0][0], "tool": EVERY_TOOL, "verdict": MADE_VERDICTS[0][0]})
    form.full_clean()
    return form


def _continue(name: str, words: str) -> str:
    """The title within "When the agent wants to …". Tools of outside servers begin with the server's name."""
    if name == EVERY_TOOL:
        return "do anything, even read"
    return f"{words[0].lower()}{words[1:]}" if not is_outside(name) else words
