"""Where the words of a block id are, whichever reading they are of: on which page, in which box, and how it looks."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.http import HttpResponse
from pydantic import Field
from rest_framework.request import Request
from typing_extensions import TypedDict

from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire import conditions
from accounts.api.wire.answers import Id
from accounts.api.wire.described import Flag, Header, describe
from accounts.api.wire.fields import read_flag
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents.models import Page
from documents.reading import reading
from documents.reading.blocks import Block, fetch_block
from documents.reading.page_pictures import WHOLE, Area, make_picture
from kit.errors import Invalid, NotFound
from kit.http.caching import REVALIDATE

# Of the page's width: how wide a strip is at least, and what is shown beside and above the words.
MIN_WIDTH, BESIDE, ABOVE = 0.46, 0.04, 0.032


_NO_BLOCK = "There is no block 6b01c3f18929dbb3b8e33f10.3.12 here."


class BlockPlace(TypedDict):
    """A line of a reading, or a word of one."""

    block_id: str
    document_id: Id
    document_name: str
    reading_id: Id
    page: int
    line: int
    word: Annotated[int | None, Field(description="Its number in the line; null for the whole line.")]
    box: Annotated[list[float], Field(description="Left, top, right, bottom in page fractions.")]
    text: str
    is_newest: Annotated[bool, Field(description="False where the document has been read again since.")]


class BlockPicture(HttpResponse):
    """The words with those around them, or their whole page."""

    media_type: ClassVar[str] = "image/jpeg"


class OneBlock(OrganizationView):
    """Where a block is that a citation, a value or a hit of a search names by its id.

    An id stays true: a document that is read again keeps its earlier readings. With the document it goes to the trash,
    and is not found there.
    """

    roles = {"GET": Role.VIEWER}

    @describe("Find the place of a block", refusals={404: [_NO_BLOCK]})
    def get(self, request: Request, block_id: str) -> Answer[BlockPlace]:
        block, page = _fetch(self.actor, block_id)
        newest = reading.get_newest(page.reading.document)
        place = block.id.place
        return Answer(
            {
                "block_id": str(block.id),
                "document_id": page.reading.document_id,
                "document_name": page.reading.document.name,
                "reading_id": page.reading_id,
                "page": place.page,
                "line": place.line,
                "word": place.word or None,
                "box": list(block.box),
                "text": block.text,
                "is_newest": newest is not None and newest.pk == page.reading_id,
            }
        )


class OneBlockPicture(OrganizationView):
    """A strip of the page around the words of a block, as it was read; with `strip=false` the whole page."""

    roles = {"GET": Role.VIEWER}

    @describe(
        "Get the words of a block as a picture",
        query=[
            Flag("strip", "With false the whole page.", default=None),
            Header("If-None-Match", "ETags that you have."),
            Header("ETag", "Another one as soon as it differs.", codes=(200, 304)),
        ],
        refusals={404: [_NO_BLOCK, "The stored file is missing. Upload the document again."]},
    )
    def get(self, request: Request, block_id: str) -> BlockPicture | conditions.NotModified:
        is_strip = read_flag(request, "strip", True)
        block, page = _fetch(self.actor, block_id)
        headers = {"ETag": f'"{block.id}-{int(is_strip)}-{page.rotation}"', "Cache-Control": REVALIDATE}
        if conditions.is_known(request, headers["ETag"]):
            return conditions.NotModified(headers=headers)
        picture = make_picture(page, choose_strip(page, block) if is_strip else WHOLE)
        return BlockPicture(picture, content_type=BlockPicture.media_type, headers=headers)


def choose_strip(page: Page, block: Block) -> Area:
    left, top, right, bottom = block.box
    width = min(1.0, max(MIN_WIDTH, right - left + 2 * BESIDE))
    begin = min(max(0.0, right + BESIDE - width), 1.0 - width)
    above = ABOVE * page.width / (page.height or 1)
    return begin, max(0.0, top - above), begin + width, min(1.0, bottom + above)


def _fetch(actor: Actor, block_id: str) -> tuple[Block, Page]:
    """What is no id at all is not found either."""
    try:
        block = fetch_block(actor, block_id)
    except Invalid as error:
        raise NotFound(error.sentence) from None
    rows = Page.objects.select_related("reading__document")
    return block, rows.get(reading=block.id.reading_id, number=block.id.place.page)
