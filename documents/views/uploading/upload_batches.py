"""After the drop: how far its files are, what came first, and what to do next."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.autosetup import lookalikes
from documents.bulk import alike_runs, requesting
from documents.intake import upload_batches
from documents.intake.upload_batches import AlikeGroup, UploadBatch
from documents.models import BulkAction, Document, Prompt
from kit.errors import Invalid


@require_GET
@organization_page(role=Role.REVIEWER)
def progress(request: PageRequest) -> HttpResponse:
    """Of what one has uploaded oneself `since`; nothing when that is none. While files are on their way the page says
    how many were `chosen`; what was `refused` is no row."""
    chosen, refused = (_read_count(request, name) for name in ("chosen", "refused"))
    sent = request.GET.get("since", "")
    since = timezone.now() if chosen and not sent else _read_moment(sent)
    return _render_progress(request, since, chosen=chosen, refused=refused)


@require_POST
@organization_page(role=Role.REVIEWER)
def set_up(request: PageRequest) -> HttpResponse:
    """Asks the agent about those of the drop that no prompt fits. A second press finds none left."""
    since = _read_moment(request.POST.get("since", ""))
    waiting = upload_batches.list_without_prompt(request.actor, since=since)
    # Those that look like what a prompt has run on are for that prompt.
    waiting = waiting.exclude(pk__in=lookalikes.filter_alike(waiting).values("pk"))
    if waiting.exists():
        requesting.create(request.actor, kind=BulkAction.Kind.SET_UP, arguments={}, documents=waiting)
    return _render_progress(request, since, is_asked=True)


@require_POST
@organization_page(role=Role.REVIEWER)
def run_alike(request: PageRequest) -> HttpResponse:
    """Runs `prompt` on those of the drop, or on the one `document`, that look like what it has run on. A second press
    finds none left."""
    rows = Prompt.objects.select_related("latest")
    prompt = fetch(request.actor, rows, request.POST.get("prompt", ""), noun="Prompt")
    document_id = request.POST.get("document", "")
    if document_id:
        document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
        alike_runs.request(request.actor, prompt=prompt, documents=Document.objects.filter(pk=document.pk))
        return HttpResponse(status=204)
    since = _read_moment(request.POST.get("since", ""))
    waiting = lookalikes.filter_alike(upload_batches.list_without_prompt(request.actor, since=since), prompt)
    if waiting.exists():
        alike_runs.request(request.actor, prompt=prompt, documents=waiting)
    return _render_progress(request, since)


def _estimate_groups(request: PageRequest, drop: UploadBatch) -> list[tuple[AlikeGroup, str]]:
    """With what running it on them costs."""
    waiting = upload_batches.list_without_prompt(request.actor, since=drop.since)
    return [
        (
            group,
            alike_runs.estimate(
                request.actor, prompt=group.prompt, documents=lookalikes.filter_alike(waiting, group.prompt)
            ).format_cost(),
        )
        for group in drop.alike
    ]


def _render_progress(
    request: PageRequest, since: datetime, *, is_asked: bool = False, chosen: int = 0, refused: int = 0
) -> HttpResponse:
    drop = upload_batches.summarize_batch(request.actor, since=since, chosen=chosen, refused=refused)
    warns = request.actor.organization.identical_files == "warn"
    groups = _estimate_groups(request, drop) if drop else []
    context = {
        "drop": drop,
        "groups": groups,
        "warns": warns,
        "is_asked": is_asked,
        "may_build": request.actor.may(Role.BUILDER),
    }
    return render(request, "documents/drop/progress.html", context)


def _read_count(request: PageRequest, name: str) -> int:
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 7 else 0


def _read_moment(text: str) -> datetime:
    """Raises Invalid."""
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    if moment is None:
        raise Invalid("Say since when: a date and time such as 2026-11-21T09:30:00+00:00.")
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)
