"""The value checks of a schema: one is added, changed, removed, or tried on documents first."""

from __future__ import annotations

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents.checks.definitions import clean_checks
from documents.checks.kinds import KINDS
from documents.checks.proposing import propose_checks
from documents.checks.schema_paths import SchemaPaths
from documents.checks.trials import try_on_documents
from documents.checks.value_check import ValueCheck
from documents.definitions import definitions, schemas
from documents.models import Schema, SchemaRevision
from documents.views.definitions.value_check_form import ValueCheckForm, make_initial
from kit.errors import Conflict, Invalid, NotFound
from kit.json_types import JsonObject

MAX_DIGITS = 3
# What proxies and browsers take at least; a check with longer lists is tried without an address of its own.
MAX_ADDRESS = 4000


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.BUILDER)
def edit(request: PageRequest, schema_id: str) -> HttpResponse:
    """A new check of `kind`, or the one with this `number`. `try` shows what it would say and saves nothing."""
    revision, number = _fetch_latest(request, schema_id), _read_number(request)
    stored = _get_stored(revision, number)
    kind = _find_kind(str(stored["kind"]) if stored else request.GET.get("kind", ""))
    paths, is_trial = SchemaPaths(revision.json_schema), "try" in (request.POST or request.GET)
    if request.method == "GET" and not is_trial:
        form = ValueCheckForm(kind, paths, initial={**make_initial(stored or {}), "seen": revision.pk})
        return _render_form(request, revision, form, number=number)
    form = ValueCheckForm(kind, paths, request.POST or request.GET)
    if not form.is_valid():
        return _render_form(request, revision, form, number=number, status=422)
    if request.method == "POST" and is_trial and (address := _build_trial_address(request, form, number)):
        return redirect(address)
    try:
        [config] = clean_checks([form.read_config()], revision.json_schema)
        if is_trial:
            trials = try_on_documents(revision, [config])
            return _render_form(request, revision, form, number=number, trials=trials, was_tried=True)
        _save(request, revision, number, [config], form.cleaned_data["seen"])
    except (Invalid, Conflict) as error:
        problem = error.problems[0].message.partition(": ")[2] if error.problems else error.sentence
        return _render_form(request, revision, form, number=number, problem=problem, status=422)
    return _show_schema(request, schema_id)


@require_POST
@organization_page(role=Role.BUILDER)
def remove(request: PageRequest, schema_id: str) -> HttpResponse:
    """`number` counts the checks of the revision `seen` from 1."""
    revision, number = _fetch_latest(request, schema_id), _read_number(request)
    if _get_stored(revision, number) is not None:
        _save(request, revision, number, [], request.POST.get("seen", ""))
    return _show_schema(request, schema_id)


@require_POST
@organization_page(role=Role.BUILDER)
def add_proposed(request: PageRequest, schema_id: str) -> HttpResponse:
    """The check with this `number` of those that the names of the fields propose, or `all` in one version."""
    revision, number = _fetch_latest(request, schema_id), _read_number(request)
    proposed = list_proposed(revision)
    if chosen := proposed if request.POST.get("number") == "all" else proposed[max(number - 1, 0) : number]:
        _save(request, revision, 0, chosen, request.POST.get("seen", ""))
    return _show_schema(request, schema_id)


def list_proposed(revision: SchemaRevision) -> list[JsonObject]:
    return [check for check in propose_checks(revision.json_schema) if check not in revision.value_checks]


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


def _save(request: PageRequest, revision: SchemaRevision, number: int, checks: list[JsonObject], seen: str) -> None:
    """`checks` in the place of the one with the number, at the end without one. Raises Conflict, Invalid."""
    stored = list(revision.value_checks)
    at = number - 1 if number else len(stored)
    stored[at : at + 1] = checks
    head = revision.schema
    schemas.save_version(request.actor, schema=head, value_checks=stored, expected_revid=seen or head.latest_id)


def _fetch_latest(request: PageRequest, schema_id: str) -> SchemaRevision:
    head = fetch(request.actor, Schema.objects.select_related("latest"), schema_id, noun="Schema")
    latest: SchemaRevision = definitions.get_newest_revision(head)
    latest.schema = head
    return latest


def _read_number(request: PageRequest) -> int:
    """Counted from 1; 0 for none."""
    number = request.POST.get("number") or request.GET.get("number") or ""
    return int(number) if number.isdecimal() and len(number) <= MAX_DIGITS else 0


def _get_stored(revision: SchemaRevision, number: int) -> JsonObject | None:
    if not number:
        return None
    if number > len(revision.value_checks):
        raise NotFound("Check not found")
    stored: JsonObject = revision.value_checks[number - 1]
    return stored


def _find_kind(name: str) -> type[ValueCheck]:
    if name not in KINDS:
        raise NotFound("There is no such kind of check.")
    return KINDS[name]


def _render_form(
    request: PageRequest, revision: SchemaRevision, form: ValueCheckForm, *, status: int = 200, **state: object
) -> HttpResponse:
    context = {"section": "schemas", "schema": revision.schema, "form": form, "kind": form.kind, **state}
    return render(request, "documents/schemas/value_check.html", context, status=status)


def _show_schema(request: PageRequest, schema_id: str) -> HttpResponse:
    address = reverse("schema", args=(request.actor.organization.pk, schema_id))
    return redirect(f"{address}#checks")
