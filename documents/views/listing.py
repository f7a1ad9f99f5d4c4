"""The documents page: the list, uploads, renaming, the trash."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from documents import document_changes
from documents.find.columns import find_columns, read_columns
from documents.find.filters import DocumentFilter, parse_filter
from documents.find.filters.document_filter import WORDS
from documents.intake import uploads
from documents.models import Document
from documents.retention import families
from documents.views.bulk.strip import list_jobs
from documents.views.columns.cells import add_cells
from documents.views.columns.table import list_columns, make_table
from documents.views.find.counts import count_documents, format_matches, format_number
from documents.views.find.list_hits import load_hits
from documents.views.find.listed_filter import ListedFilter
from documents.views.find.row_values import list_comparisons, parse_comparisons
from documents.views.lists import read_row_count
from documents.views.review.neighbours import find_below, format_list_query, read_list_query
from documents.views.rows import add_related, list_documents, make_rows
from documents.views.undo_lines import choose_actor, describe_renamed, make_undo
from documents.views.uploading import upload_tags
from kit.errors import AppError, Conflict, Invalid
from kit.events import organization_group
from kit.http.bodies import Body, takes
from kit.ids import is_id
from kit.paging import first_of

PAGE = 50


@require_GET
@organization_page()
def documents(request: PageRequest) -> HttpResponse:
    """The list; `before=<id>` gives the rows after that one, `shown=<number>` that many. htmx gets the rows alone.

    What was typed or chosen becomes the one address that says it.
    """
    narrowing = parse_filter(request.actor, request.GET)
    listed = ListedFilter(narrowing)
    is_part = request.htmx and not request.htmx.history_restore_request
    if not is_part and not listed.is_canonical(request.GET):
        return redirect(f"{request.path}?{listed.query}".removesuffix("?"))
    context = _make_rows_context(request, narrowing) | {
        "filter": listed,
        "max_mb": settings.MAX_UPLOAD_MB,
        "may_upload": request.actor.may(Role.REVIEWER),
        "may_see_trash": request.actor.may(Role.BUILDER),
    }
    if is_part:
        return render(request, "documents/rows.html", context | {"is_part": "before" not in request.GET})
    return render(request, "documents/documents.html", context | {"jobs": list_jobs(request.actor)})


def _make_rows_context(request: PageRequest, narrowing: DocumentFilter) -> dict[str, object]:
    group, organization = organization_group(request.actor.organization.pk), request.actor.organization
    table, matching = make_table(narrowing), narrowing.apply(Document.objects.for_org(organization))
    maximum = read_row_count(request, PAGE)
    slice_ = first_of(
        narrowing.list_parts(matching, _find_last(request)),
        maximum + 1,
        whole=add_related(Document.objects.all()),
        group=group,
    )
    total = count_documents(Document.objects.for_org(organization), group)
    is_whole = len(slice_) <= maximum and "before" not in request.GET
    is_count_due = narrowing.narrows and not is_whole
    matches = len(slice_) if is_whole else total
    rows = make_rows(slice_[:maximum], request.actor, list_comparisons(narrowing.terms))
    hits = load_hits(request.actor, narrowing.words, narrowing.format_query(), slice_[:maximum])
    return {
        "rows": [replace(row, hit=hits.get(row.document.pk)) for row in add_cells(rows, table.columns)],
        "table": table,
        "more_after": slice_[maximum - 1] if len(slice_) > maximum else None,
        "total": total,
        "count": f"over {maximum:,} of {format_number(total)}" if is_count_due else format_matches(matches, total),
        "is_count_due": is_count_due,
        "list_query": format_list_query(narrowing.format_query()),
    }


@require_GET
@organization_page()
def document_row(request: PageRequest, document_id: str) -> HttpResponse:
    return _render_row(request, document_id)


@require_POST
@organization_page(role=Role.REVIEWER)
@takes(Body.FILE)
def upload(request: PageRequest) -> HttpResponse:
    """Takes one file and answers with its row."""
    file = request.FILES.get("file")
    if not isinstance(file, UploadedFile):
        raise Invalid("The upload holds no file.")
    auto_setup = {"1": True, "0": False}.get(request.POST.get("auto_setup", ""))
    tag_ids = upload_tags.require_present(request.actor, request.POST.getlist("tag"))
    try:
        document = uploads.store(
            request.actor,
            name=file.name or "",
            content=file,
            tag_ids=tag_ids,
            auto_setup=auto_setup,
            unpack_many=request.POST.get("unpack_many") == "1",
        )
    except Conflict as error:
        return render(request, "documents/drop/refused.html", {"error": error}, status=error.status)
    return _render_row(request, document.pk, status=201)


@require_POST
@organization_page(role=Role.REVIEWER)
def samples(request: PageRequest) -> HttpResponse:
    """Ends on the first of them, which is being set up. `chosen` says that the page has the option of automatic setup:
    no tick means for the others no then."""
    auto_setup = "auto_setup" in request.POST if "chosen" in request.POST else None
    first, *_ = uploads.store_samples(request.actor, auto_setup=auto_setup)
    return redirect("document-agent", request.actor.organization.pk, first.pk)


@require_http_methods(["GET", "POST"])
@organization_page(role=Role.REVIEWER)
def rename(request: PageRequest, document_id: str) -> HttpResponse:
    """GET gives the row with a field for the name; POST saves it."""
    if request.method == "GET":
        return _render_row(request, document_id, renaming=True)
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    typed = request.POST.get("name", "")
    actor, before = choose_actor(request), document.name
    try:
        document_changes.rename(actor, document=document, name=typed)
    except AppError as error:
        return _render_row(request, document_id, status=422, renaming=True, typed=typed, problem=error.sentence)
    return _render_row(request, document_id, done=describe_renamed(request, document, before))


@require_POST
@organization_page(role=Role.BUILDER)
def trash(request: PageRequest, document_id: str) -> HttpResponse:
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    below = find_below(request, document)
    count = families.trash(request.actor, document=document)
    sentence = f"Moved to the trash: {document.name}{families.format_parts(count)}."
    if "quietly" in request.POST:
        return HttpResponse(status=204)  # the inbox shows it, with its undo, among what was decided
    undo = make_undo(request, "document-restore", document, returns_to=document.pk)
    if "next" in request.POST or not request.htmx:
        messages.info(request, sentence, extra_tags=undo.as_tag())
        return redirect(_make_list_address(request, below))
    return render(request, "documents/trashed.html", {"words": sentence, "undo": undo})


def _make_list_address(request: PageRequest, row_id: str | None) -> str:
    """Of the list that the document was opened from, at one of its rows."""
    query, row = read_list_query(request), f"#name-{row_id}" if row_id else ""
    address = reverse("documents", args=[request.actor.organization.pk])
    return f"{address}?{query}{row}" if query else address + row


def _find_last(request: PageRequest) -> Document | None:
    before = request.GET.get("before", "")
    known = Document.objects.filter(organization=request.actor.organization, pk=before if is_id(before) else None)
    return known.first()


def _render_row(request: PageRequest, document_id: str, *, status: int = 200, **state: object) -> HttpResponse:
    document = fetch(request.actor, list_documents(request.actor), document_id, noun="Document")
    query = read_list_query(request)
    columns = list_columns(request.actor, read_columns(request.actor, find_columns(query)))
    [row] = add_cells(make_rows([document], request.actor, parse_comparisons(query)), columns)
    hits = load_hits(request.actor, QueryDict(query).get(WORDS, ""), query, [document])
    row = replace(row, hit=hits.get(document.pk))
    context = {"row": row, "list_query": format_list_query(query), **state}
    return render(request, "documents/row.html", context, status=status)
