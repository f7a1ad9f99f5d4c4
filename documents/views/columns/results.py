"""The dialog of results as a file: which columns, in which order and form; it begins with what a person chose last."""

from __future__ import annotations

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from accounts.access import fetch
from accounts.views.pages import PageRequest, organization_page
from documents import bulk
from documents.find.filters import parse_filter
from documents.models import BulkAction, Schema
from documents.results import ResultLayout, parse_layout
from documents.results.choices import keep_layout, read_layout
from documents.results.layout import ResultColumn, list_choices
from documents.views.bulk.selection import FIELDS, read_selection
from documents.views.columns.chooser import ColumnOption
from documents.views.find.counts import count_documents
from kit.events import organization_group
from kit.json_types import JsonObject

MAX_SCHEMAS = 200
_ICONS = {"number": "hash", "day": "calendar", "moment": "calendar", "flag": "toggle-left"}
_CHOSEN = ("format", "headers", "lists", "values", "schema_id")
FORMATS = (("xlsx", "XLSX"), ("csv", "CSV"), ("json", "JSON"), ("jsonl", "JSON Lines"))


@require_POST
@organization_page()
def choose(request: PageRequest) -> HttpResponse:
    """For the selection that is sent, of one `schema_id` or, where that is sent empty, of any."""
    actor, rows = request.actor, read_selection(request, BulkAction.Kind.DOWNLOAD)
    schema = _find_schema(request)
    layout = read_layout(actor, schema.pk if schema else "")
    choices = list_choices(actor, layout.schema_id)
    names = [name for name in layout.columns or choices.default if name in choices.known]
    context = {
        "fields": [(name, request.POST.get(name, "")) for name in FIELDS],
        "count": count_documents(rows, organization_group(actor.organization.pk)),
        "layout": layout,
        "schema": schema,
        "schemas": Schema.objects.for_org(actor.organization).order_by("name_folded", "pk")[:MAX_SCHEMAS],
        "shown": [_describe(choices.known[name]) for name in names],
        "others": [_describe(column) for name, column in choices.known.items() if name not in names],
        "formats": FORMATS,
    }
    return render(request, "documents/results/dialog.html", context)


@require_POST
@organization_page()
def download(request: PageRequest) -> HttpResponse:
    """Settles which documents, and leads to the file, or to the list where a job writes it."""
    sent: JsonObject = {name: request.POST[name] for name in ("content", "format") if name in request.POST}
    if sent.get("content") == "results":
        layout = _read_sent(request)
        keep_layout(request.actor, layout)
        sent = {"content": "results", **layout.as_json()}
    rows = read_selection(request, BulkAction.Kind.DOWNLOAD)
    action = bulk.create(request.actor, kind=BulkAction.Kind.DOWNLOAD, arguments=sent, documents=rows)
    organization_id = request.actor.organization.pk
    if action.finished_at is None:
        return redirect("documents", organization_id)
    return redirect("bulk-file", organization_id, action.pk)


def _read_sent(request: PageRequest) -> ResultLayout:
    sent: JsonObject = {name: request.POST.get(name, "") for name in _CHOSEN}
    columns = request.POST.getlist("column")
    return parse_layout(request.actor, {**sent, "columns": columns or None, "proof": "proof" in request.POST})


def _find_schema(request: PageRequest) -> Schema | None:
    """The one that is sent, else the one by which the list is narrowed."""
    schema_id = request.POST.get("schema_id")
    if schema_id is None:
        schema_id = parse_filter(request.actor, QueryDict(request.POST.get("query", ""))).get_value("schema")
    return fetch(request.actor, Schema.objects.all(), schema_id, noun="Schema") if schema_id else None


def _describe(column: ResultColumn) -> ColumnOption:
    title = f"{column.table} › {column.title}" if column.table else column.title
    return ColumnOption(column.name, title, "", _ICONS.get(column.kind, "type") if column.is_field else "file-text")
