"""The value checks of a schema: added, changed, removed or tried; *Save version* makes one version of all that."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.checks.definitions import clean_checks
from documents.checks.kinds import KINDS
from documents.checks.schema_paths import SchemaPaths
from documents.checks.trials import try_on_documents
from documents.checks.value_check import ValueCheck
from documents.definitions import definitions, schemas
from documents.models import Schema, SchemaRevision
from documents.views.definitions.check_draft import CheckDraft, drop_draft, keep_draft, read_draft
from documents.views.definitions.value_check_form import ValueCheckForm, make_initial
from kit.errors import Conflict, Invalid, NotFound
from kit.json_types import JsonObject

MAX_DIGITS = 3
# What proxies and browsers take at least; a check with longer lists is tried without an address of its own.
MAX_ADDRESS = 4000


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.BUILDER)
def edit(request: PageRequest, schema_id: str) -> HttpResponse:
    """A new check of `kind`, or the one with this `number`. `try` shows what it would say and changes nothing."""
    draft, number = _read_draft(request, schema_id), _read_number(request)
    stored = _get_stored(draft, number)
    kind = _find_kind(str(stored["kind"]) if stored else request.GET.get("kind", ""))
    paths, is_trial = SchemaPaths(draft.base.json_schema), "try" in (request.POST or request.GET)
    if request.method == "GET" and not is_trial:
        form = ValueCheckForm(kind, paths, initial={**make_initial(stored or {}), "seen": draft.seen})
        return _render_form(request, draft, form, number=number)
    form = ValueCheckForm(kind, paths, request.POST or request.GET)
    if not form.is_valid():
        return _render_form(request, draft, form, number=number, status=422)
    if request.method == "POST" and is_trial and (address := _build_trial_address(request, form, number)):
        return redirect(address)
    try:
        [config] = clean_checks([form.read_config()], draft.base.json_schema)
        if is_trial:
            trials = try_on_documents(draft.base, [config])
            return _render_form(request, draft, form, number=number, trials=trials, was_tried=True)
        draft.require_seen(form.cleaned_data["seen"])
        keep_draft(request, draft.put(number, [config]))
    except (Invalid, Conflict) as error:
        problem = error.problems[0].message.partition(": ")[2] if error.problems else error.sentence
        return _render_form(request, draft, form, number=number, problem=problem, status=422)
    return _show_schema(request, schema_id)


@require_POST
@organization_page(role=Role.BUILDER)
def remove(request: PageRequest, schema_id: str) -> HttpResponse:
    """`number` counts the checks of the state `seen` from 1."""
    draft, number = _read_draft(request, schema_id), _read_number(request)
    if _get_stored(draft, number) is not None:
        _change(request, draft, number, [])
    return _show_schema(request, schema_id)


@require_POST
@organization_page(role=Role.BUILDER)
def add_proposed(request: PageRequest, schema_id: str) -> HttpResponse:
    """The check with this `number` of those that the names of the fields propose, or `all`."""
    draft, number = _read_draft(request, schema_id), _read_number(request)
    proposed = draft.proposed
    if chosen := proposed if request.POST.get("number") == "all" else proposed[max(number - 1, 0) : number]:
        _change(request, draft, 0, chosen)
    return _show_schema(request, schema_id)


@require_POST
@organization_page(role=Role.BUILDER)
def save(request: PageRequest, schema_id: str) -> HttpResponse:
    """All changes since the latest version become the next one."""
    draft = _read_draft(request, schema_id)
    try:
        draft.require_seen(request.POST.get("seen", ""))
        head, checks = draft.base.schema, draft.checks
        schemas.save_version(request.actor, schema=head, value_checks=checks, expected_revid=head.latest_id)
    except (Invalid, Conflict) as error:
        messages.warning(request, error.sentence)
    else:
        drop_draft(request, schema_id)
    return _show_schema(request, schema_id)


@require_POST
@organization_page(role=Role.BUILDER)
def discard(request: PageRequest, schema_id: str) -> HttpResponse:
    """The changes that are not saved are gone."""
    drop_draft(request, _read_draft(request, schema_id).base.schema_id)
    return _show_schema(request, schema_id)


def _change(request: PageRequest, draft: CheckDraft, number: int, checks: list[JsonObject]) -> None:
    try:
        draft.require_seen(request.POST.get("seen", ""))
        keep_draft(request, draft.put(number, checks))
    except (Invalid, Conflict) as error:
        messages.warning(request, error.sentence)


def _build_trial_address(request: PageRequest, form: ValueCheckForm, number: int) -> str:
    """The page with the trial, so that going back to it and loading it again sends no form. Empty for one too long."""
    query = QueryDict(mutable=True)
    query["kind"], query["try"] = form.kind.kind, "on"
    if number:
        query["number"] = str(number)
    for name in form.fields:
        query.setlist(name, request.POST.getlist(name))
    address = f"{request.path}?{query.urlencode()}"
    return address if len(address) <= MAX_ADDRESS else ""


def _read_draft(request: PageRequest, schema_id: str) -> CheckDraft:
    head = fetch(request.actor, Schema.objects.select_related("latest"), schema_id, noun="Schema")
    latest: SchemaRevision = definitions.get_newest_revision(head)
    latest.schema = head
    return read_draft(request, latest)


def _read_number(request: PageRequest) -> int:
    """Counted from 1; 0 for none."""
    number = request.POST.get("number") or request.GET.get("number") or ""
    return int(number) if number.isdecimal() and len(number) <= MAX_DIGITS else 0


def _get_stored(draft: CheckDraft, number: int) -> JsonObject | None:
    if not number:
        return None
    if number > len(draft.checks):
        raise NotFound("Check not found")
    return draft.checks[number - 1]


def _find_kind(name: str) -> type[ValueCheck]:
    if name not in KINDS:
        raise NotFound("There is no such kind of check.")
    return KINDS[name]


def _render_form(
    request: PageRequest, draft: CheckDraft, form: ValueCheckForm, *, status: int = 200, **state: object
) -> HttpResponse:
    context = {"section": "schemas", "schema": draft.base.schema, "form": form, "kind": form.kind, **state}
    return render(request, "documents/schemas/value_check.html", context, status=status)


def _show_schema(request: PageRequest, schema_id: str) -> HttpResponse:
    address = reverse("schema", args=(request.actor.organization.pk, schema_id))
    return redirect(f"{address}#checks")
