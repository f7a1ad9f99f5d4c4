"""The page of rules: what always runs, always asks or never runs, who said so, and how to end it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from agent.forms import LIFETIMES, MADE_SCOPES, MADE_VERDICTS, RuleForm
from agent.models import Rule
from agent.policy import rules
from kit.errors import AppError


@require_GET
@organization_page(role=Role.REVIEWER)
def list_rules(request: PageRequest) -> HttpResponse:
    """The page; htmx gets the list alone, which is how a change elsewhere gets here."""
    if request.htmx and not request.htmx.history_restore_request:
        return render(request, "agent/rules_list.html", _read_rows(request))
    return _page(request)


@require_POST
@organization_page(role=Role.REVIEWER)
def new(request: PageRequest) -> HttpResponse:
    form = RuleForm(request.POST)
    if not form.is_valid():
        return _page(request, form=form, status=422)
    try:
        rules.create_rule(request.actor, **form.cleaned_data)
    except AppError as error:
        form.add_error(None, error.sentence)
        return _page(request, form=form, status=422)
    messages.info(request, "The rule holds from now on.")
    return redirect("rules", request.actor.organization.pk)


@require_POST
@organization_page(role=Role.REVIEWER)
def revoke(request: PageRequest, rule_id: str) -> HttpResponse:
    rule = fetch(request.actor, Rule.objects.select_related("thread"), rule_id, noun="Rule")
    rules.revoke_rule(request.actor, rule=rule)
    messages.info(request, "The rule is revoked. What it let run stays; the next call asks again.")
    return redirect("rules", request.actor.organization.pk)


def _read_rows(request: PageRequest) -> dict[str, object]:
    return {"rules": rules.list_rules(request.actor)}


def _page(request: PageRequest, *, form: RuleForm | None = None, status: int = 200) -> HttpResponse:
    scopes = MADE_SCOPES if request.actor.may(Role.ADMIN) else MADE_SCOPES[:1]
    context = {
        "section": "settings",
        "form": form,
        "tools": list(rules.tools_to_rule(request.actor)),
        "scopes": scopes,
        "verdicts": MADE_VERDICTS,
        "lifetimes": LIFETIMES,
        **_read_rows(request),
    }
    return render(request, "agent/rules.html", context, status=status)
