"""Schemas: the list, a schema with its fields and versions, the editor, the trash."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from docrouter.kit.errors import Conflict, Invalid
from documents.forms import SchemaForm
from documents.models import Schema, SchemaRevision
from documents.services import schema_fields, schema_text
from documents.services import schemas as services
from documents.services.text_changes import changed_lines
from documents.views.versions import chosen, one_before, trashed

SECTION = {"section": "schemas"}
_USERS = Count(
    "revisions__prompt_revisions__prompt",
    filter=Q(revisions__prompt_revisions__prompt__trashed_at=None),
    distinct=True,
)


@require_GET
@organization_page()
def schemas(request: PageRequest) -> HttpResponse:
    rows = Schema.objects.for_org(request.actor.organization).annotate(users=_USERS)
    rows = rows.select_related("latest__created_by", "created_by").order_by("name_folded")
    listed = [(schema, schema.latest and schema_fields.field_lines(schema.latest.json_schema)) for schema in rows]
    context = {"rows": listed, "trashed": trashed(request.actor, Schema), "may_build": _may_build(request)}
    return render(request, "documents/schemas/list.html", SECTION | context)


@require_GET
@organization_page()
def schema(request: PageRequest, schema_id: str) -> HttpResponse:
    """`version=<number>` shows that one and what it changed; else the latest."""
    found = fetch(request.actor, Schema.objects.select_related("latest"), schema_id, noun="Schema")
    revisions = list(found.revisions.select_related("created_by").order_by("-number"))
    shown: SchemaRevision = chosen(found, revisions, request.GET.get("version", ""))
    context = {
        "schema": found,
        "shown": shown,
        "revisions": revisions,
        "fields": schema_fields.field_lines(shown.json_schema),
        "users": services.dependents(found),
        "may_build": _may_build(request),
    }
    return render(request, "documents/schemas/schema.html", SECTION | context | _changes(shown, revisions))


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.BUILDER)
def new(request: PageRequest) -> HttpResponse:
    if request.method == "GET":
        return _editor(request, SchemaForm(initial={"content": schema_text.written(schema_text.EMPTY)}))
    form = SchemaForm(request.POST)
    if not form.is_valid():
        return _editor(request, form)
    name = form.cleaned_data["name"]
    try:
        response_format = schema_text.parsed(form.cleaned_data["content"], name=name)
        made = services.create(request.actor, name=name, response_format=response_format)
    except (Invalid, Conflict) as error:
        return _editor(request, form, error=error)
    return redirect("schema", request.actor.organization.pk, made.schema_id)


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.BUILDER)
def edit(request: PageRequest, schema_id: str) -> HttpResponse:
    """Name and text; saving makes a new version when the text says something else."""
    found = fetch(request.actor, Schema.objects.select_related("latest"), schema_id, noun="Schema")
    latest = found.latest or found.revisions.latest("number")
    if request.method == "GET":
        initial = {"name": found.name, "content": schema_text.written(latest.response_format), "seen": found.latest_id}
        return _editor(request, SchemaForm(initial=initial), schema=found)
    form = SchemaForm(request.POST)
    if not form.is_valid():
        return _editor(request, form, schema=found)
    name, seen = form.cleaned_data["name"], form.cleaned_data["seen"]
    try:
        text = schema_text.parsed(form.cleaned_data["content"], name=name, former=latest.response_format)
        services.save_version(
            request.actor, schema=found, name=name, response_format=text, expected_revid=seen or found.latest_id
        )
    except (Invalid, Conflict) as error:
        return _editor(request, form, schema=found, error=error)
    return redirect("schema", request.actor.organization.pk, found.pk)


@require_POST
@organization_page(role=Role.BUILDER)
def check(request: PageRequest) -> HttpResponse:
    """What keeps the text from being saved, and what it changes. Of a `schema`, against its latest version."""
    schema_id, text = request.POST.get("schema", ""), request.POST.get("content", "")
    found = schema_id and fetch(request.actor, Schema.objects.select_related("latest"), schema_id, noun="Schema")
    latest = found.latest or found.revisions.latest("number") if found else None
    checked = schema_text.checked(text, former=latest.response_format if latest else None)
    return render(request, "documents/schemas/check.html", {"checked": checked, "latest": latest})


@require_POST
@organization_page(role=Role.BUILDER)
def trash(request: PageRequest, schema_id: str) -> HttpResponse:
    found = fetch(request.actor, Schema.objects.all(), schema_id, noun="Schema")
    services.trash(request.actor, schema=found)
    messages.info(request, f"“{found.name}” is in the trash, at the end of this list.")
    return redirect("schemas", request.actor.organization.pk)


@require_POST
@organization_page(role=Role.BUILDER)
def restore(request: PageRequest, schema_id: str) -> HttpResponse:
    found = get_object_or_404(trashed(request.actor, Schema), pk=schema_id)
    services.restore(request.actor, schema=found)
    return redirect("schema", request.actor.organization.pk, found.pk)


def _editor(request: PageRequest, form: SchemaForm, **state: Any) -> HttpResponse:
    """The form again with what was typed. Once a newer version was pointed out, a second press goes on top of it."""
    refused, error = request.method == "POST", state.get("error")
    newer = error.winner.get("latest") if isinstance(error, Conflict) and error.winner else None
    context = {"form": form, "seen": newer or form["seen"].value() or "", "newer": newer, **state}
    return render(request, "documents/schemas/editor.html", SECTION | context, status=422 if refused else 200)


def _changes(shown: SchemaRevision, revisions: list[SchemaRevision]) -> dict[str, object]:
    before = one_before(shown, revisions)
    if before is None:
        return {}
    texts = [schema_text.written(revision.response_format) for revision in (before, shown)]
    return {
        "before": before,
        "changes": schema_fields.field_changes(before.response_format, shown.response_format),
        "lines": changed_lines(*texts),
    }


def _may_build(request: PageRequest) -> bool:
    return request.actor.may(Role.BUILDER)
