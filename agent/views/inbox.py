"""The inbox: all that waits for a person, the chosen item beside it, and how much there is for the navigation."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from django import forms
from django.http import HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.models import Role, User
from accounts.views.pages import PageRequest, organization_page
from agent.inbox import failures, inbox, inbox_cases
from agent.inbox.decided.today import find_just_decided, list_today
from agent.inbox.inbox import AGES, InboxFilter
from agent.inbox.inbox_cases import Case
from agent.inbox.inbox_rows import CHECKS, VERIFY
from agent.inbox.sections import SECTIONS, Section, add_up
from agent.inbox.verify_rows import add_values
from agent.usage.gate import HastyRun, list_hasty_runs
from documents.models import Document
from documents.review import presence
from kit.errors import Invalid
from kit.processes import heartbeats

AWAY = "The agent is not running at the moment. Nothing is lost: what you decide is kept, and runs when it is back."
AGE_WORDS = {"day": "Older than a day", "week": "Older than a week"}


class Filters(forms.Form):
    whose = forms.ChoiceField(required=False, choices=[("", ""), ("mine", "")])
    kind = forms.ChoiceField(required=False, choices=[("", ""), *((name, "") for name in SECTIONS)])
    older = forms.ChoiceField(required=False, choices=[("", ""), *((name, "") for name in AGES)])
    after = forms.CharField(required=False, max_length=40)


@require_GET
@organization_page()
def page(request: PageRequest) -> HttpResponse:
    """The whole page; `item` chooses. htmx gets the parts, where an item that was decided gives way to `next`."""
    narrowing = _read_filters(request)
    sections = [_add_values(section) for section in inbox.list_sections(request.actor, narrowing)]
    case, decided = _choose_case(request, sections), list_today(request.actor)
    context = {
        "section": "inbox",
        "sections": sections,
        "numbers": add_up(sections),
        "case": case,
        "wanted": narrowing,
        "filters": _encode_filters(request),
        "kind_url": _build_kind_url(request, narrowing),
        "titles": [(name, title) for name, (title, _) in SECTIONS.items()],
        "ages": AGE_WORDS.items(),
        "decided": decided,
        "hasty": _find_hasty_run(request),
        "just_decided": find_just_decided(decided),
        "may_undo": any(each.undo and each.is_own for each in decided),
        "is_looking": case is not None and "item" in request.GET,
        "away": AWAY if heartbeats.is_away("agent") else "",
        "may_review": request.actor.may(Role.REVIEWER),
        "may_build": request.actor.may(Role.BUILDER),
    }
    part = request.htmx and not request.htmx.history_restore_request
    return render(request, "agent/inbox_parts.html" if part else "agent/inbox.html", context)


def _find_hasty_run(request: PageRequest) -> HastyRun | None:
    """Find the one of today, which the page tells to nobody but the reader."""
    runs = list_hasty_runs(request.actor, User.objects.filter(pk=request.actor.user.pk))
    return next((run for run in runs if timezone.localdate(run.at) == timezone.localdate()), None)


@require_GET
@organization_page()
def count(request: PageRequest) -> HttpResponse:
    """The badge of the navigation."""
    return render(request, "agent/inbox_count.html")


@require_POST
@organization_page(role=Role.REVIEWER)
def decide_failures(request: PageRequest) -> HttpResponseBase:
    """One action, `kind`, for all that failed as `document` did."""
    document = fetch(request.actor, Document.objects.all(), request.POST.get("document", ""), noun="Document")
    failures.request_for_all(request.actor, document=document, kind=request.POST.get("kind", ""))
    return HttpResponse(status=204) if request.htmx else redirect("inbox", request.actor.organization.pk)


def _add_values(section: Section) -> Section:
    if section.is_counted:
        return section
    documents = inbox.select_details(VERIFY).in_bulk([row.pk for row in section.rows])
    return replace(section, rows=add_values(section.rows, documents))


def _read_filters(request: PageRequest) -> InboxFilter:
    form = Filters(request.GET)
    if not form.is_valid():
        name = next(iter(form.errors))
        raise Invalid(f"The filter {name} cannot be {request.GET.get(name, '')[:40]!r}.")
    chosen = form.cleaned_data
    return InboxFilter(
        is_mine=chosen["whose"] == "mine",
        section=chosen["kind"],
        age=chosen["older"],
        after=chosen["after"] if chosen["kind"] else "",
    )


def _build_kind_url(request: PageRequest, narrowing: InboxFilter) -> str:
    """The inbox as it is filtered, up to where the name of a kind follows."""
    filters = {"whose": "mine" if narrowing.is_mine else "", "older": narrowing.age}
    query = urlencode([*((name, value) for name, value in filters.items() if value), ("kind", "")])
    return f"{reverse('inbox', args=[request.actor.organization.pk])}?{query}"


def _choose_case(request: PageRequest, sections: list[Section]) -> Case | None:
    """The item that the address names, else the first of the list."""
    listed = [row.key for section in sections for row in section.rows]
    named = inbox_cases.find_case(request.actor, request.GET.get("item", ""))
    if named and (named.waits or "next" not in request.GET):
        return named
    after = request.GET.get("next", "")
    start = listed.index(after) if after in listed else 0
    keys = listed[start:] + listed[:start]
    return inbox_cases.find_case(request.actor, _pick_free(request, keys)) if keys else None


def _pick_free(request: PageRequest, keys: list[str]) -> str:
    """The first item, but of documents to verify one that nobody else is at, when somebody goes on to it."""
    if "next" not in request.GET or not request.actor.may(Role.REVIEWER):
        return keys[0]
    for key in keys[: presence.MAX_PASSED]:
        kind, _, pk = key.partition("-")
        if kind not in (CHECKS, VERIFY) or presence.claim(request.actor, pk):
            return key
    return keys[0]


def _encode_filters(request: PageRequest) -> str:
    """The filters as the addresses of items and pages carry them on."""
    query = QueryDict(mutable=True)
    query.update({name: request.GET[name] for name in ("whose", "kind", "older", "after") if request.GET.get(name)})
    return query.urlencode()
