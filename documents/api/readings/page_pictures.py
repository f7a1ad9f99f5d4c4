"""Pictures of pages, so that a program can show the words that a value rests on."""

from __future__ import annotations

from typing import ClassVar

from django.http import FileResponse
from rest_framework.request import Request

from accounts.api.access import OrganizationView
from accounts.api.wire import conditions
from accounts.api.wire.described import Header, Number, describe
from accounts.api.wire.fields import read_number
from accounts.models import Role
from documents.api.documents import fetch_document
from documents.models import Page
from documents.reading import pages
from kit.errors import NotFound
from kit.http.caching import REVALIDATE

DEFAULT_WIDTH, MAX_DIGITS = 1200, 9


class Picture(FileResponse):
    """The page as it is shown, upright."""

    media_type: ClassVar[str] = "image/webp"


class PagePicture(OrganizationView):
    """A page as a picture, of which the boxes of values and words are fractions.

    It is at least `width` pixels wide where that is one of 160, 640, 1200, 1800 and 2400, else the next of them.
    """

    roles = {"GET": Role.VIEWER}

    @describe(
        "Get a page as a picture",
        query=[
            Number("width", "Pixels at least.", minimum=1, maximum=pages.WIDTHS[-1], default=DEFAULT_WIDTH),
            Header("If-None-Match", "ETags that you have."),
            Header("ETag", "Another one as soon as it differs.", codes=(200, 304)),
        ],
        refusals={404: ["Page not found", "The stored file is missing. Upload the document again."]},
    )
    def get(self, request: Request, document_id: str, number: str) -> Picture | conditions.NotModified:
        document = fetch_document(self.actor, document_id)
        width = read_number(request, "width", DEFAULT_WIDTH, minimum=1, maximum=pages.WIDTHS[-1]) or DEFAULT_WIDTH
        rows = Page.objects.filter(reading__document=document, number=_read_page_number(number))
        page = rows.select_related("reading__document").order_by("-reading__number").first()
        if page is None:
            raise NotFound("Page not found")
        headers = {"ETag": f'"{page.reading_id}-{page.number}-{width}-{page.rotation}"', "Cache-Control": REVALIDATE}
        if conditions.is_known(request, headers["ETag"]):
            return conditions.NotModified(headers=headers)
        picture = pages.draw_image(page, width)
        return Picture(picture, content_type=Picture.media_type, headers=headers)


def _read_page_number(sent: str) -> int:
    """0, which no page has, for what is no number of one."""
    return int(sent) if sent.isdecimal() and len(sent) <= MAX_DIGITS else 0
