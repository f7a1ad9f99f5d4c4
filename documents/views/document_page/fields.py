"""Changing and verifying values. A refused change comes back as its row, with what was typed and why not."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents import extractions, values
from documents.extractions import edits, extraction_view
from documents.extractions.edits.changing import get_schema
from documents.extractions.extraction_view import ExtractionView, FieldView, RowView, TableView
from documents.models import Extraction, FieldEdit
from documents.values.addresses import overlaps
from documents.values.fields import get_field
from documents.views.document_page.detail import render_panel
from documents.views.review.steps import redirect_after_verifying
from kit.errors import Conflict, Invalid, NotFound
from kit.http.bodies import Body, takes
from kit.ids import is_id
from kit.json_types import Json

MAX_HINT, MAX_ALSO = 40, 20


@dataclass(frozen=True)
class FragmentPlace:
    """What one fragment shows: a field, or the table row that a cell stands in."""

    view: ExtractionView
    field: FieldView | None = None
    table: TableView | None = None
    row: RowView | None = None

    @property
    def leaves(self) -> tuple[FieldView, ...]:
        return self.row.cells if self.row else ((self.field,) if self.field else ())


@require_POST
@organization_page(role=Role.REVIEWER)
@takes(Body.TEXT)
def edit(request: PageRequest, document_id: str, extraction_id: str) -> HttpResponse:
    """`where`, `value` as typed, `version` as shown; `hint` is the line of the page that was clicked, if one was."""
    extraction = _fetch_extraction(request, document_id, extraction_id)
    where, typed = request.POST.get("where", ""), request.POST.get("value", "")
    try:
        change = edits.set_field(
            request.actor,
            extraction=extraction,
            where=where,
            value=_parse_typed(extraction, where, typed),
            expected_version=_read_version(request),
            hint=request.POST.get("hint", "")[:MAX_HINT],
        )
    except (Invalid, Conflict) as error:
        return _render_fragment(
            request, extraction, where, status=422, refused=where, typed=typed, problem=error.sentence
        )
    return _render_fragment(request, extraction, where, undo=change)


@require_POST
@organization_page(role=Role.REVIEWER)
def verify(request: PageRequest, document_id: str, extraction_id: str) -> HttpResponse:
    """`where` is a field or a table row; `on` is true or false; `version` the number of its newest edit as shown.

    The inbox asks `quietly`, and perhaps for several: it fetches what it shows anew.
    """
    extraction = _fetch_extraction(request, document_id, extraction_id)
    where, on = request.POST.get("where", ""), request.POST.get("on") == "true"
    view = extraction_view.build_view(extraction)
    leaves = [leaf for each in request.POST.getlist("where") for leaf in _find_place(view, each).leaves]
    with transaction.atomic():
        for leaf in leaves:
            if on:
                edits.verify(
                    request.actor, extraction=extraction, where=leaf.where, expected_version=_read_version(request)
                )
            else:
                edits.unverify_value(request.actor, extraction=extraction, where=leaf.where)
    return HttpResponse(status=204) if "quietly" in request.POST else _render_fragment(request, extraction, where)


@require_POST
@organization_page(role=Role.REVIEWER)
def verify_all(request: PageRequest, document_id: str, extraction_id: str) -> HttpResponseBase:
    """`version` is the number of the newest edit as the page shows it; with `next` on to the next document."""
    extraction = _fetch_extraction(request, document_id, extraction_id)
    if request.POST.get("on") == "false":
        edits.unverify(request.actor, extraction=extraction)
    else:
        reason = request.POST.get("reason", "")
        edits.verify(request.actor, extraction=extraction, expected_version=_read_version(request), reason=reason)
        if request.htmx and "next" in request.POST and (answer := redirect_after_verifying(request, extraction)):
            return answer
    return render_panel(request, document_id)


@require_POST
@organization_page(role=Role.REVIEWER)
def add_row(request: PageRequest, document_id: str, extraction_id: str) -> HttpResponseBase:
    extraction = _fetch_extraction(request, document_id, extraction_id)
    change = edits.add_row(request.actor, extraction=extraction, where=request.POST.get("where", ""))
    return render_panel(request, document_id, undo=change, chosen=change.where)


@require_POST
@organization_page(role=Role.REVIEWER)
def remove_row(request: PageRequest, document_id: str, extraction_id: str) -> HttpResponseBase:
    extraction = _fetch_extraction(request, document_id, extraction_id)
    change = edits.remove_row(request.actor, extraction=extraction, where=request.POST.get("where", ""))
    return render_panel(request, document_id, undo=change)


@require_POST
@organization_page(role=Role.REVIEWER)
def undo(request: PageRequest, document_id: str, edit_id: str) -> HttpResponseBase:
    """Takes the edit back, and those of the same run that `also` names: the newest first, each on top of the rest."""
    rows = FieldEdit.objects.for_org(request.actor.organization).select_related("extraction")
    rows = rows.filter(extraction__document=document_id)
    change = rows.filter(pk=edit_id).first()
    if change is None:
        raise NotFound("Edit not found")
    also = rows.filter(pk__in=request.POST.getlist("also")[:MAX_ALSO], extraction=change.extraction_id)
    for each in sorted({change, *also}, key=lambda edit: edit.number, reverse=True):
        edits.undo(request.actor, edit=each)
    return render_panel(request, document_id, chosen=change.where)


@require_GET
@organization_page()
def history(request: PageRequest, document_id: str, extraction_id: str) -> HttpResponse:
    """Every edit that touched `where`, newest first."""
    extraction = _fetch_extraction(request, document_id, extraction_id)
    where = request.GET.get("where", "")
    touching = [each for each in extraction.edits.select_related("user") if overlaps(each.where, where)]
    return render(request, "documents/history.html", {"edits": touching[::-1], "where": where})


@require_POST
@organization_page(role=Role.REVIEWER)
def go_on(request: PageRequest, document_id: str, extraction_id: str) -> HttpResponseBase:
    """Asks for the pages that the run did not see, or for each `page` that is sent."""
    extraction = _fetch_extraction(request, document_id, extraction_id)
    pages = [int(page[:9]) for page in request.POST.getlist("page") if page.isdecimal()]
    extractions.go_on(request.actor, extraction=extraction, pages=pages)
    return render_panel(request, document_id)


def _fetch_extraction(request: PageRequest, document_id: str, extraction_id: str) -> Extraction:
    rows = Extraction.objects.select_related("schema_revision", "prompt_revision__prompt", "reading", "document")
    rows = rows.filter(document=document_id if is_id(document_id) else None)
    return fetch(request.actor, rows, extraction_id, noun="Extraction")


def _read_version(request: PageRequest) -> int | None:
    version = request.POST.get("version", "")
    return int(version[:9]) if version.isdecimal() else None


def _parse_typed(extraction: Extraction, where: str, typed: str) -> Json:
    schema = get_schema(extraction)
    if not schema:
        return typed or None
    return edits.parse_input(get_field(schema, values.get_wire_path(extraction.current, where)), typed)


def _find_place(view: ExtractionView, where: str) -> FragmentPlace:
    for item in view.items:
        if isinstance(item, FieldView):
            if item.where == where:
                return FragmentPlace(view, field=item)
            continue
        for row in item.rows:
            if where == row.where or where.startswith((f"{row.where}.", f"{row.where}[")):
                return FragmentPlace(view, table=item, row=row)
    raise NotFound("This value is no longer there.")


def _render_fragment(
    request: PageRequest, extraction: Extraction, where: str, *, status: int = 200, **state: object
) -> HttpResponse:
    place = _find_place(extraction_view.build_view(extraction), where)
    context = {
        "document": extraction.document,
        "extraction": extraction,
        "view": place.view,
        "field": place.field,
        "table": place.table,
        "row": place.row,
        "may_change": True,
        **state,
    }
    return render(request, "documents/value.html", context, status=status)
