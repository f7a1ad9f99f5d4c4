"""Schemas: the list, a schema with its fields and versions, the editor, the trash."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
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
from documents.definitions.schema_templates.catalogue import SchemaTemplate, get_template, list_templates
from documents.definitions.schema_templates.creating import create_from_template, suggest_names
from documents.definitions.text_changes import list_changed_lines
from documents.models import Schema, SchemaRevision
from documents.views.definitions.check_draft import CheckDraft, drop_draft, keep_draft, read_draft
from documents.views.definitions.definition_pages import DefinitionPages
from documents.views.definitions.versions import VersionPair, list_trashed
from documents.views.forms import SchemaForm
from documents.views.lists import make_listing, render_list
from kit.errors import Conflict
from kit.http.bodies import Body, takes

PAGES = DefinitionPages(services.SCHEMAS)
trash = PAGES.build_trash()
restore = PAGES.build_restore()
return_to = PAGES.build_return()
LOST = "{number} of the checks that you have not saved no longer fit the newest version and were left out."


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
    context = {
        "listing": listing,
        "rows": rows_shown,
        "trashed": list_trashed(request.actor, Schema),
        "templates": _list_templates(request) if request.actor.may(Role.BUILDER) else [],
    }
    return render_list(request, "schema", context)


def _list_templates(request: PageRequest) -> list[tuple[SchemaTemplate, str]]:
    """Each with a name that is free, which its form sends: a second press of it is refused."""
    names = suggest_names(request.actor, list_templates().values())
    return [(template, names[key]) for key, template in list_templates().items()]


@require_POST
@organization_page(role=Role.BUILDER)
def make_from_template(request: PageRequest) -> HttpResponse:
    """`template` is its key, `name` that of the schema and the prompt that are made."""
    template = get_template(request.POST.get("template", ""))
    try:
        created = create_from_template(request.actor, template=template, name=request.POST.get("name") or None)
    except Conflict as error:
        messages.warning(request, error.sentence)
        return redirect("schemas", request.actor.organization.pk)
    name = created.schema_revision.schema.name
    messages.info(request, f"“{name}” and its prompt are made. Change what does not fit, then try the prompt.")
    return redirect("schema", request.actor.organization.pk, created.schema_revision.schema_id)


@require_GET
@organization_page()
def schema(request: PageRequest, schema_id: str) -> HttpResponse:
    """`version=<number>` shows that one, else the latest; `with=<number>` compares it with that one."""
    head = PAGES.fetch(request, schema_id)
    revisions = list(head.revisions.select_related("created_by").order_by("-number"))
    shown, pair = chosen = PAGES.choose_versions(request, head, revisions)
    users = services.list_dependents(head)
    draft = _read_own_draft(request, head, shown)
    context = {
        "chain": chains.trace_schema(head),
        "fields": schema_fields.list_field_lines(shown.json_schema),
        "users": users,
        "prompts": {revision.prompt_id for revision in users},
        "document_count": uses.count_documents_of_schema(head),
        **_describe_checks(shown, draft),
        **_describe_changes(pair),
    }
    return PAGES.render_page(request, head, revisions, chosen, context)


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.BUILDER)
@takes(Body.TEXT)
def new(request: PageRequest) -> HttpResponse:
    form = SchemaForm(request.POST or None, initial={"content": schema_text.format_text(schema_text.EMPTY)})

    def save() -> SchemaRevision:
        name = form.cleaned_data["name"]
        response_format = schema_text.parse_text(form.cleaned_data["content"], name=name)
        return services.create(request.actor, name=name, response_format=response_format)

    return PAGES.answer_editor(request, form, save)


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.BUILDER)
@takes(Body.TEXT)
def edit(request: PageRequest, schema_id: str) -> HttpResponse:
    """Name and text; saving makes a new version when the text says something else, or checks have been changed."""
    head = PAGES.fetch(request, schema_id)
    newest = definitions.get_newest_revision(head)
    former, draft = newest.response_format, _read_own_draft(request, head, newest)
    initial = {"name": head.name, "content": schema_text.format_text(former), "seen": head.latest_id}
    form = SchemaForm(request.POST or None, initial=initial)

    def save() -> SchemaRevision:
        name, seen = form.cleaned_data["name"], form.cleaned_data["seen"] or head.latest_id
        text = schema_text.parse_text(form.cleaned_data["content"], name=name, former=former)
        checks = draft.checks if draft and draft.is_changed else None
        saved = services.save_version(
            request.actor, schema=head, name=name, response_format=text, value_checks=checks, expected_revid=seen
        )
        drop_draft(request, head.pk)
        return saved

    return PAGES.answer_editor(request, form, save, head, draft=draft)


@require_POST
@organization_page(role=Role.BUILDER)
@takes(Body.TEXT)
def check(request: PageRequest) -> HttpResponse:
    """What keeps the text from being saved, and what it changes. Of a `schema`, against its latest version."""
    schema_id, text = request.POST.get("schema", ""), request.POST.get("content", "")
    head = schema_id and fetch(request.actor, Schema.objects.select_related("latest"), schema_id, noun="Schema")
    latest = definitions.get_newest_revision(head) if head else None
    checked = schema_text.check_text(text, former=latest.response_format if latest else None)
    return render(request, "documents/schemas/check.html", {"checked": checked, "latest": latest})


def _read_own_draft(request: PageRequest, head: Schema, shown: SchemaRevision) -> CheckDraft | None:
    """The checks as this person changes them; None beside an older version, and for those who may not."""
    if shown.pk != head.latest_id or not request.actor.may(Role.BUILDER):
        return None
    shown.schema = head
    draft = read_draft(request, shown)
    if draft.lost:
        messages.warning(request, LOST.format(number=len(draft.lost)))
        keep_draft(request, draft)
    return draft


def _describe_checks(shown: SchemaRevision, draft: CheckDraft | None) -> dict[str, object]:
    return {
        "draft": draft,
        "next_number": definitions.get_next_number(shown.schema) if draft and draft.is_changed else None,
        "checks": describe_checks(draft.checks if draft else shown.value_checks, shown.json_schema),
        "proposed_checks": describe_checks(draft.proposed, shown.json_schema) if draft else [],
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
