"""What was read, as files of other kinds. Text of a document never becomes a page of our origin."""

from __future__ import annotations

from typing import ClassVar
from urllib.parse import quote

from django.http import HttpResponse
from rest_framework.request import Request

from accounts.api.access import OrganizationView
from accounts.api.wire.described import Number, describe
from accounts.api.wire.fields import read_number
from accounts.models import Role
from documents.api.readings.reading import NO_DATA, fetch_newest_reading
from documents.models import Document
from documents.reading.exports.markdown import export_markdown
from documents.reading.exports.web_page import export_html
from documents.reading.exports.workbook import export_workbook
from documents.reading.tables.reading_tables import find_tables
from kit.errors import Invalid, NotFound


class ExportedFile(HttpResponse):
    """For saving, under the document's name."""

    media_type: ClassVar[str]
    extension: ClassVar[str]

    def __init__(self, content: bytes, document: Document) -> None:
        charset = "; charset=utf-8" if self.media_type.startswith("text/") else ""
        super().__init__(content, content_type=self.media_type + charset)
        name = f"{document.name.rpartition('.')[0] or document.name}.{self.extension}"
        self["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
        self["X-Content-Type-Options"] = "nosniff"
        self["Content-Security-Policy"] = "default-src 'none'; sandbox"


class MarkdownFile(ExportedFile):
    """A heading for each page, its lines and its tables."""

    media_type, extension = "text/markdown", "md"


class HtmlFile(ExportedFile):
    """A page without scripts, styles or links."""

    media_type, extension = "text/html", "html"


class Workbook(ExportedFile):
    """A sheet for each table."""

    media_type, extension = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"


class MarkdownExport(OrganizationView):
    roles = {"GET": Role.VIEWER}

    @describe("Export as Markdown", refusals={404: [NO_DATA]})
    def get(self, request: Request, document_id: str) -> MarkdownFile:
        """The text of all pages with its tables."""
        reading = fetch_newest_reading(self.actor, document_id, NO_DATA)
        return MarkdownFile(export_markdown(reading).encode(), reading.document)


class HtmlExport(OrganizationView):
    roles = {"GET": Role.VIEWER}

    @describe("Export as HTML", refusals={404: [NO_DATA]})
    def get(self, request: Request, document_id: str) -> HtmlFile:
        """The text of all pages with its tables, for saving."""
        reading = fetch_newest_reading(self.actor, document_id, NO_DATA)
        return HtmlFile(export_html(reading, title=reading.document.name).encode(), reading.document)


class TablesExport(OrganizationView):
    """The tables of all pages, a sheet for each, or the one of `table_index`."""

    roles = {"GET": Role.VIEWER}

    @describe(
        "Export the tables",
        query=[Number("table_index", "This table only.")],
        refusals={
            400: ["Table index 3 is out of range: this document has 2 tables, from 0."],
            404: [NO_DATA, "No tables found in this document"],
        },
    )
    def get(self, request: Request, document_id: str) -> Workbook:
        reading = fetch_newest_reading(self.actor, document_id, NO_DATA)
        index = read_number(request, "table_index", None, minimum=0, maximum=2**31 - 1)
        tables = find_tables(reading)
        if not tables:
            raise NotFound("No tables found in this document")
        if index is not None and index >= len(tables):
            raise Invalid(f"Table index {index} is out of range: the last table is {len(tables) - 1}.")
        chosen = tables if index is None else [tables[index]]
        return Workbook(export_workbook(chosen), reading.document)
