"""What was read from a document."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from accounts.api.access import OrganizationView
from accounts.api.fields import whole_number
from accounts.models import Role
from docrouter.kit.errors import NotFound
from documents.api.documents import one
from documents.services import reading

NO_TEXT = "OCR text not found"


class ReadText(OrganizationView):
    """The text of the newest completed reading, or of one of its pages."""

    roles = {"GET": Role.VIEWER}

    def get(self, request: Request, document_id: str) -> HttpResponse:
        newest = reading.newest_completed(one(self.actor, document_id))
        if newest is None:
            raise NotFound(NO_TEXT)
        pages = newest.pages.order_by("number")
        if number := whole_number(request, "page_num", None, least=1, most=2**31 - 1):
            pages = pages.filter(number=number)
        texts = list(pages.values_list("text", flat=True))
        if not texts:
            raise NotFound(NO_TEXT)
        answer = HttpResponse("\n\n".join(texts), content_type="text/plain; charset=utf-8")
        answer["X-Content-Type-Options"] = "nosniff"
        return answer
