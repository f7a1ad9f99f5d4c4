"""The audit of an organization, for admins, and the activity of a document, for everybody who may see it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable

from asgiref.sync import sync_to_async
from django.db.models import QuerySet
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from accounts.access import fetch
from accounts.models import AuditEntry, Role
from accounts.views.pages import PageRequest, organization_page
from agent.audit import trail
from agent.audit.activity import ACTIVITY_PAGE, list_activity
from agent.audit.grouping import group_lines
from agent.audit.trail import A_PAGE, AuditFilter, AuditLine
from agent.forms import AuditFilters
from documents.models import Document
from documents.reading.exports.csv_lines import format_lines
from kit.errors import Invalid
from kit.ids import is_id

COLUMNS = ("time", "who", "by", "action", "kind", "name", "id", "shown", "ran", "reason", "detail")
A_CHUNK = 500


@require_GET
@organization_page(role=Role.ADMIN)
def audit(request: PageRequest) -> HttpResponse:
    filters = _read_filters(request)
    rows = trail.older_than(trail.list_entries(request.actor, filters), _last_seen(request))
    page = list(rows[: A_PAGE + 1])
    query = request.GET.copy()
    query.pop("before", None)
    context = {
        "rows": group_lines(trail.build_lines(page[:A_PAGE])),
        "older": page[A_PAGE - 1].pk if len(page) > A_PAGE else "",
        "wanted": filters,
        "is_narrowed": any(value for name, value in vars(filters).items() if name != "text"),
        "people": trail.list_people(request.actor),
        "kinds": trail.list_kinds(),
        "origins": AuditEntry.Origin.choices,
        "asked": query.urlencode(),
        "is_later": "before" in request.GET,
        "section": "settings",
        "subject": "Audit",
    }
    return render(request, "agent/audit.html", context)


@require_GET
@organization_page(role=Role.ADMIN)
def export(request: PageRequest) -> StreamingHttpResponse:
    """All entries that the filters leave, oldest last, in pieces: the file may be long."""
    rows = trail.list_entries(request.actor, _read_filters(request))
    response = StreamingHttpResponse(_stream_csv(rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="audit-{timezone.localdate():%Y-%m-%d}.csv"'
    return response


@require_GET
@organization_page()
def activity(request: PageRequest, document_id: str) -> HttpResponse:
    """The page; htmx gets the rows alone, after `before`, the id of the last entry that is shown already."""
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    entries = list_activity(request.actor, document)
    last = entries.filter(pk=request.GET.get("before", "")).first()
    page = list(trail.older_than(entries, last)[: ACTIVITY_PAGE + 1])
    context = {
        "section": "documents",
        "document": document,
        "rows": group_lines(trail.build_lines(page[:ACTIVITY_PAGE])),
        "older": page[ACTIVITY_PAGE - 1].pk if len(page) > ACTIVITY_PAGE else "",
    }
    is_part = request.htmx and not request.htmx.history_restore_request
    return render(request, "agent/activity.html" if is_part else "agent/activity_page.html", context)


async def _stream_csv(rows: QuerySet[AuditEntry]) -> AsyncIterator[str]:
    yield format_lines([COLUMNS])
    last: AuditEntry | None = None
    read: Callable[[AuditEntry | None], list[AuditLine]] = sync_to_async(  # type: ignore[assignment]
        lambda last: trail.build_lines(list(trail.older_than(rows, last)[:A_CHUNK]))
    )
    while lines := await read(last):  # type: ignore[misc]
        yield format_lines([_format_cells(line) for line in lines])
        last = lines[-1].entry


def _format_cells(line: AuditLine) -> list[object]:
    entry = line.entry
    ran = json.dumps(line.ran, ensure_ascii=False) if line.ran else ""
    detail = json.dumps(entry.detail, ensure_ascii=False) if entry.detail else ""
    texts = (line.who, line.by, entry.action, entry.target_kind, line.name, entry.target_id, line.shown, ran)
    return [entry.created_at.isoformat(), *texts, line.reason, detail]


def _read_filters(request: PageRequest) -> AuditFilter:
    form = AuditFilters(request.GET)
    if not form.is_valid():
        name, problems = next(iter(form.errors.items()))
        raise Invalid(f"The filter {name} cannot be used: {problems[0]}")
    return AuditFilter(**form.cleaned_data)


def _last_seen(request: PageRequest) -> AuditEntry | None:
    before = request.GET.get("before", "")
    if not is_id(before):
        return None
    return AuditEntry.objects.filter(organization=request.actor.organization, pk=before).first()
