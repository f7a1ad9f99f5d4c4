"""Results over a filter: page by page as JSON, or all of them as one stream."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.core import signing
from django.db.models import QuerySet
from django.http import QueryDict
from rest_framework.request import Request

from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire.described import Choice, Flag, Number, Text, Texts, describe
from accounts.api.wire.fields import read_choice, read_flag, read_list
from accounts.api.wire.pagination import read_window
from accounts.api.wire.responses import Answer
from accounts.models import Role
from accounts.services import audit
from documents.api import result_answers as answers
from documents.api.document_filters import FILTERS, TAGS
from documents.find.filters import DocumentFilter, require_filter
from documents.find.lists import filter_by_tags
from documents.find.saved_views import fetch_view
from documents.models import Document
from documents.results import FORMATS, MEDIA_TYPES, ResultExport, ResultLayout, name_file, parse_layout
from documents.results.exporting import find_suffix
from documents.results.layout import HEADERS, LISTS, VALUES, add_lists, plan_columns
from documents.results.loading import filter_after, list_counted_runs
from documents.results.omissions import Omission
from documents.results.tables import Tabulator
from documents.results.writing.json_objects import Describing
from kit.errors import Invalid, TooLarge
from kit.http.streamed_files import StreamedFile

DEFAULT_LIMIT, MAX_LIMIT = 100, 1000
# A workbook is made as a whole before its first byte is sent.
MAX_IN_WORKBOOK = 2_000
CURSOR_LIFETIME = timedelta(days=1)
BAD_CURSOR = "This cursor is none of yours, or older than a day. Begin without one."
TOO_MANY = (
    f"A workbook over this route has {MAX_IN_WORKBOOK:,} documents at most. Ask for a download by "
    "POST documents/bulk, or for csv or jsonl."
)
_QUERY = [
    Choice("format", "`json` comes in pages; the others are streamed whole.", allowed=FORMATS),
    Texts("columns", "Fields and columns such as `@name`, in order; a list means all that its entries have."),
    Choice("headers", "Names of columns in CSV and XLSX.", allowed=HEADERS),
    Choice("lists", "A row for each entry of a list, or a sheet of its own (with csv a ZIP).", allowed=LISTS),
    Choice("values", "All values, those of accepted prompts alone, or verified ones alone.", allowed=VALUES),
    Flag("proof", "Page, words, state, who verified it and when, failed checks and the place of each value."),
    Text("view", "Id of a saved view, whose filters hold too."),
    Text("document_ids", "Comma-separated; no others."),
    TAGS,
    *(parameter for parameter in FILTERS if parameter.name != "order_by"),
    Number("limit", "Documents of a page.", minimum=1, maximum=MAX_LIMIT, default=DEFAULT_LIMIT),
    Text("cursor", "`next_cursor` of the page before, of the same person and within a day."),
]


class Results(OrganizationView):
    """The newest result of each prompt, as edits have left it; documents come the newest first."""

    roles = {"GET": Role.VIEWER}

    @describe(
        "Get results of many documents",
        query=_QUERY,
        files=[kind for form, kind in MEDIA_TYPES.items() if form != "json"],
        refusals={400: [BAD_CURSOR, "There is no column “totl”. The nearest are total."], 413: [TOO_MANY]},
    )
    def get(self, request: Request) -> Answer[answers.ResultPage] | StreamedFile:
        """The trailer says which documents are left out, and why, and how many have values of a proposal. It is in
        `trailer` of a page, in the last line of JSON Lines, in the last sheet of a workbook, and in CSV behind an empty
        line, each line with a # before it.

        `schema` narrows documents and values to that schema. Without `columns` a table has all single fields, with
        `lists` also those of lists; JSON has all values.
        """
        narrowing = require_filter(self.actor, request.query_params)
        layout, rows = self._read_layout(request, narrowing), self._select(request, narrowing)
        if layout.format == "json":
            return Answer(self._make_page(request, layout, rows))
        if layout.format == "xlsx" and rows[: MAX_IN_WORKBOOK + 1].count() > MAX_IN_WORKBOOK:
            raise TooLarge(TOO_MANY)
        self._record(layout)
        export = self._prepare(layout, rows)
        blocks: Iterator[bytes] = filter(None, export.iterate_blocks(export.loader.iterate_selected(rows)))
        media_type = MEDIA_TYPES[find_suffix(layout)]
        return StreamedFile(request._request, blocks, name=name_file(layout), media_type=media_type)

    def _read_layout(self, request: Request, narrowing: DocumentFilter) -> ResultLayout:
        sent = {
            "format": read_choice(request, "format", "json", FORMATS),
            "headers": read_choice(request, "headers", "title", HEADERS),
            "lists": read_choice(request, "lists", "", LISTS),
            "values": read_choice(request, "values", "all", VALUES),
            "proof": read_flag(request, "proof", False),
            "columns": [name for text in request.query_params.getlist("columns") for name in text.split(",") if name],
            "schema_id": narrowing.get_value("schema"),
        }
        layout = parse_layout(self.actor, sent)
        return add_lists(self.actor, layout) if sent["lists"] else layout

    def _select(self, request: Request, narrowing: DocumentFilter) -> QuerySet[Document, Document]:
        rows = narrowing.apply(Document.objects.for_org(self.actor.organization))
        if view_id := request.query_params.get("view", ""):
            view = fetch_view(self.actor, view_id)
            rows = require_filter(self.actor, QueryDict(view.query)).apply(rows)
        if ids := read_list(request, "document_ids"):
            rows = rows.filter(pk__in=ids)
        rows = filter_by_tags(rows, read_list(request, "tag_ids"))
        # A filter that joins tables may name a document twice.
        return Document.objects.for_org(self.actor.organization).filter(pk__in=rows.order_by().values("pk"))

    def _prepare(self, layout: ResultLayout, rows: QuerySet[Document, Document]) -> ResultExport:
        runs = list_counted_runs(layout).filter(document__in=rows.order_by().values("pk"))
        return ResultExport(self.actor.organization, layout, plan_columns(self.actor, layout, runs))

    def _make_page(
        self, request: Request, layout: ResultLayout, rows: QuerySet[Document, Document]
    ) -> answers.ResultPage:
        limit = read_window(request, default=DEFAULT_LIMIT, maximum=MAX_LIMIT).limit
        cursor = request.query_params.get("cursor", "")
        if not cursor:
            self._record(layout)
        export = self._prepare(layout, rows)
        ordered = rows.prefetch_related("tags").order_by("-created_at", "-pk")
        part = list((filter_after(ordered, *_read_cursor(self.actor, cursor)) if cursor else ordered)[: limit + 1])
        describing = Describing(Tabulator(self.actor.organization, layout, export.columns))
        results = [describing.describe(document) for document in export.describe_all(part[:limit])]
        return {
            "results": results,  # type: ignore[typeddict-item]  # a JSON object, whose columns the client has chosen
            "next_cursor": _write_cursor(self.actor, part[limit - 1]) if len(part) > limit else None,
            "trailer": {
                "documents": export.summary.documents,
                "proposed_count": export.summary.proposed,
                "left_out_count": export.summary.omissions.left_out,
                "in_part_count": export.summary.omissions.in_part,
                "left_out": [_describe_omission(each) for each in export.summary.omissions],
            },
        }

    def _record(self, layout: ResultLayout) -> None:
        """Once for all pages: it says who took results out of the organization."""
        audit.record(self.actor, "exported results of", self.actor.organization, format=layout.format)


def _describe_omission(omission: Omission) -> answers.LeftOutDocument:
    kind, document_id, name, reason = omission
    return {"kind": kind, "document_id": document_id, "document_name": name, "reason": reason}


def _write_cursor(actor: Actor, last: Document) -> str:
    return signing.dumps([last.created_at.isoformat(), last.pk], salt=_name_salt(actor))


def _read_cursor(actor: Actor, text: str) -> tuple[datetime, str]:
    """Raises Invalid. Pages go on only from one's own first page, which the audit names."""
    try:
        moment, key = signing.loads(text, salt=_name_salt(actor), max_age=CURSOR_LIFETIME)
    except signing.BadSignature:
        raise Invalid(BAD_CURSOR) from None
    return datetime.fromisoformat(moment), key


def _name_salt(actor: Actor) -> str:
    return f"results {actor.organization.pk} {actor.user.pk}"
