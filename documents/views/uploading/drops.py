"""After the drop: how far its files are, what came first, and what to do next."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_GET, require_POST

from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.bulk import requesting
from documents.intake import drops
from documents.models import BulkAction
from kit.errors import Invalid


@require_GET
@organization_page(role=Role.REVIEWER)
def progress(request: PageRequest) -> HttpResponse:
    """Of what one has uploaded oneself `since`; nothing when that is none."""
    return _render_progress(request, _read_moment(request.GET.get("since", "")))


@require_POST
@organization_page(role=Role.REVIEWER)
def set_up(request: PageRequest) -> HttpResponse:
    """Asks the agent about those of the drop that no prompt fits. A second press finds none left."""
    since = _read_moment(request.POST.get("since", ""))
    waiting = drops.list_without_prompt(request.actor, since=since)
    if waiting.exists():
        requesting.create(request.actor, kind=BulkAction.Kind.SET_UP, arguments={}, documents=waiting)
    return _render_progress(request, since, is_asked=True)


def _render_progress(request: PageRequest, since: datetime, *, is_asked: bool = False) -> HttpResponse:
    drop = drops.summarize_drop(request.actor, since=since)
    warns = request.actor.organization.identical_files == "warn"
    context = {"drop": drop, "warns": warns, "is_asked": is_asked, "may_build": request.actor.may(Role.BUILDER)}
    return render(request, "documents/drop/progress.html", context)


def _read_moment(text: str) -> datetime:
    """Raises Invalid."""
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    if moment is None:
        raise Invalid("Say since when: a date and time such as 2026-11-21T09:30:00+00:00.")
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)
