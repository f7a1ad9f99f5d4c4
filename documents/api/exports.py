"""What was read, as files of other kinds. Text of a document never becomes a page of our origin."""

from __future__ import annotations

from urllib.parse import quote

from django.http import HttpResponse
from rest_framework.request import Request

from accounts.api.access import OrganizationView
from accounts.api.fields import whole_number
from accounts.models import Role
from docrouter.kit.errors import Invalid, NotFound
from documents.api.reading import NO_DATA, newest
from documents.models import Document
from documents.services import exports, page_tables

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class MarkdownExport(OrganizationView):
    roles = {"GET": Role.VIEWER}

    def get(self, request: Request, document_id: str) -> HttpResponse:
        found = newest(self.actor, document_id, NO_DATA)
        return _file(exports.markdown(found).encode(), "text/markdown; charset=utf-8", found.document, "md")


class HtmlExport(OrganizationView):
    roles = {"GET": Role.VIEWER}

    def get(self, request: Request, document_id: str) -> HttpResponse:
        found = newest(self.actor, document_id, NO_DATA)
        content = exports.html(found, title=found.document.name).encode()
        return _file(content, "text/html; charset=utf-8", found.document, "html")


class TablesExport(OrganizationView):
    """The tables of all pages, a sheet for each, or the one of `table_index`."""

    roles = {"GET": Role.VIEWER}

    def get(self, request: Request, document_id: str) -> HttpResponse:
        found = newest(self.actor, document_id, NO_DATA)
        index = whole_number(request, "table_index", None, least=0, most=2**31 - 1)
        tables = page_tables.tables(found)
        if not tables:
            raise NotFound("No tables found in this document")
        if index is not None and index >= len(tables):
            raise Invalid(f"Table index {index} is out of range: this document has {len(tables)} tables, from 0.")
        chosen = tables if index is None else [tables[index]]
        return _file(exports.workbook(chosen), XLSX, found.document, "xlsx")


def _file(content: bytes, content_type: str, document: Document, extension: str) -> HttpResponse:
    answer = HttpResponse(content, content_type=content_type)
    name = f"{document.name.rpartition('.')[0] or document.name}.{extension}"
    answer["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer
