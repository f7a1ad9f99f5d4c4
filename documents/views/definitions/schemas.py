"""Schemas: the list, a schema with its fields and versions, the editor, the trash."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.bulk import following
from documents.checks.definitions import describe_checks
from documents.checks.kinds import KINDS
from documents.definitions import chains, definitions, schema_fields, schema_text, uses
from documents.definitions import schemas as services
from documents.definitions.check_changes import list_check_changes
from documents.definitions.text_changes import list_changed_lines
from documents.models import Schema, SchemaRevision
from documents.views.definitions.value_checks import list_proposed
from documents.views.definitions.versions import VersionPair, choose_revision, compare_versions, list_trashed
from documents.views.forms import SchemaForm
from documents.views.lists import make_listing, render_list
from kit.errors import Conflict, Invalid
from kit.http.bodies import Body, takes

SECTION = {"section": "schemas"}


@require_GET
@organization_page()
def schemas(request: PageRequest) -> HttpResponse:
    rows = Schema.objects.for_org(request.actor.organization).select_related("latest__created_by", "created_by")
    listing = make_listing(request, rows)
    users = uses.count_prompts_of_schemas(listing.rows)
    rows_shown = [
        (schema, schema.latest and schema_fields.count_fields(schema.latest.json_schema), users.get(schema.pk, 0))
        for schema in listing.rows
    ]
    context = {"listing": listing, "rows": rows_shown, "trashed": list_trashed(request.actor, Schema)}
    return render_list(request, "schemas", context)


@require_GET
@organization_page()
def schema(request: PageRequest, schema_id: str) -> HttpResponse:
    """`version=<number>` shows that one, else the latest; `with=<number>` compares it with that one."""
    head = fetch(request.actor, Schema.objects.select_related("latest"), schema_id, noun="Schema")
    revisions = list(head.revisions.select_related("created_by").order_by("-number"))
    shown: SchemaRevision = choose_revision(head, revisions, request.GET.get("version", ""))
    users = services.list_dependents(head)
    pair = compare_versions(shown, revisions, request.GET.get("with", ""))
    context = {
        "schema": head,
        "chain": chains.trace_schema(head),
        "shown": shown,
        "revisions": revisions,
        "fields": schema_fields.list_field_lines(shown.json_schema),
        "users": users,
        "prompts": {revision.prompt_id for revision in users},
        "document_count": uses.count_documents_of_schema(head),
        "may_build": request.actor.may(Role.BUILDER),
        "compared": pair,
        **_describe_checks(shown),
    }
    return render(request, "documents/schemas/schema.html", SECTION | context | _describe_changes(pair))


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.BUILDER)
@takes(Body.TEXT)
def new(request: PageRequest) -> HttpResponse:
    if request.method == "GET":
        return _render_editor(request, SchemaForm(initial={"content": schema_text.format_text(schema_text.EMPTY)}))
    form = SchemaForm(request.POST)
    if not form.is_valid():
        return _render_editor(request, form)
    name = form.cleaned_data["name"]
    try:
        response_format = schema_text.parse_text(form.cleaned_data["content"], name=name)
        revision = services.create(request.actor, name=name, response_format=response_format)
    except (Invalid, Conflict) as error:
        return _render_editor(request, form, error=error)
    return redirect("schema", request.actor.organization.pk, revision.schema_id)


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.BUILDER)
@takes(Body.TEXT)
def edit(request: PageRequest, schema_id: str) -> HttpResponse:
    """Name and text; saving makes a new version when the text says something else."""
    head = fetch(request.actor, Schema.objects.select_related("latest"), schema_id, noun="Schema")
    latest = head.latest or head.revisions.latest("number")
    if request.method == "GET":
        initial = {
            "name": head.name,
            "content": schema_text.format_text(latest.response_format),
            "seen": head.latest_id,
        }
        return _render_editor(request, SchemaForm(initial=initial), schema=head)
    form = SchemaForm(request.POST)
    if not form.is_valid():
        return _render_editor(request, form, schema=head)
    name, seen = form.cleaned_data["name"], form.cleaned_data["seen"]
    try:
        text = schema_text.parse_text(form.cleaned_data["content"], name=name, former=latest.response_format)
        services.save_version(
            request.actor, schema=head, name=name, response_format=text, expected_revid=seen or head.latest_id
        )
    except (Invalid, Conflict) as error:
        return _render_editor(request, form, schema=head, error=error)
    return redirect("schema", request.actor.organization.pk, head.pk)


@require_POST
@organization_page(role=Role.BUILDER)
@takes(Body.TEXT)
def check(request: PageRequest) -> HttpResponse:
    """What keeps the text from being saved, and what it changes. Of a `schema`, against its latest version."""
    schema_id, text = request.POST.get("schema", ""), request.POST.get("content", "")
    head = schema_id and fetch(request.actor, Schema.objects.select_related("latest"), schema_id, noun="Schema")
    latest = head.latest or head.revisions.latest("number") if head else None
    checked = schema_text.check_text(text, former=latest.response_format if latest else None)
    return render(request, "documents/schemas/check.html", {"checked": checked, "latest": latest})


@require_POST
@organization_page(role=Role.BUILDER)
def trash(request: PageRequest, schema_id: str) -> HttpResponse:
    head = fetch(request.actor, Schema.objects.all(), schema_id, noun="Schema")
    services.trash(request.actor, schema=head)
    messages.info(request, f"“{head.name}” is in the trash, at the end of this list.")
    return redirect("schemas", request.actor.organization.pk)


@require_POST
@organization_page(role=Role.BUILDER)
def restore(request: PageRequest, schema_id: str) -> HttpResponse:
    head = get_object_or_404(list_trashed(request.actor, Schema), pk=schema_id)
    definitions.restore(request.actor, head=head)
    return redirect("schema", request.actor.organization.pk, head.pk)


def _render_editor(request: PageRequest, form: SchemaForm, **state: object) -> HttpResponse:
    """The form again with what was typed. Once a newer version was pointed out, a second press goes on top of it."""
    refused, error = request.method == "POST", state.get("error")
    newer = error.winner.get("latest") if isinstance(error, Conflict) and error.winner else None
    context = {"form": form, "seen": newer or form["seen"].value() or "", "newer": newer, **state}
    return render(request, "documents/schemas/editor.html", SECTION | context, status=422 if refused else 200)


def _describe_checks(shown: SchemaRevision) -> dict[str, object]:
    return {
        "checks": describe_checks(shown.value_checks, shown.json_schema),
        "proposed_checks": describe_checks(list_proposed(shown), shown.json_schema),
        "check_kinds": list(KINDS.values()),
        "lagging": following.list_lagging(shown.schema) if shown.pk == shown.schema.latest_id else [],
    }


def _describe_changes(pair: VersionPair[SchemaRevision] | None) -> dict[str, object]:
    if pair is None:
        return {}
    before, after = pair.before.response_format, pair.after.response_format
    lines = list_changed_lines(schema_text.format_text(before), schema_text.format_text(after))
    fields = schema_fields.list_field_changes(before, after)
    checks = list_check_changes(
        pair.before.value_checks, pair.after.value_checks, pair.before.json_schema, pair.after.json_schema
    )
    return {"changes": [*fields, *checks], "lines": lines}
