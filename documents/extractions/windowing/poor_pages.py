"""Pictures of pages that were read badly, for a model that sees: few in a run, and few bytes in a request."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from documents.extractions.draft import Note
from documents.extractions.model_requests.request_messages import PagePictures
from documents.models import Page, Reading
from documents.reading.gaps import list_badly_read, name_pages
from documents.reading.page_pictures import make_picture
from kit.errors import AppError

MAX_PICTURES, MAX_IN_RUN, MAX_BYTES = 8, 24, 5_000_000
NOT_SHOWN = "{pages} {were} read badly, and the model saw no picture of {them}."


class PoorPages:
    """The badly read pages of a reading, or among these `pages`. `shown`: the first, which the model is to see."""

    def __init__(self, source: Reading, pages: Collection[int] = ()) -> None:
        self.source = source
        self.poor = [page for page in list_badly_read(source) if not pages or page in pages]
        self.shown, self.drawn = self.poor[:MAX_IN_RUN], set[int]()

    def list_notes(self) -> list[Note]:
        """For the end of a run: the pages beyond its bounds, and those that could not be drawn."""
        unseen = [page for page in self.poor if page not in self.drawn]
        if not unseen:
            return []
        were, them = ("was", "it") if len(unseen) == 1 else ("were", "them")
        reason = NOT_SHOWN.format(pages=name_pages(unseen).capitalize(), were=were, them=them)
        return [{"where": "", "reason": reason, "value": None}]

    def draw(self, window: Sequence[int]) -> PagePictures:
        """Draw those of a window, up to the bounds of a request."""
        drawn: dict[int, bytes] = {}
        for number, picture in self._draw_each([page for page in window if page in self.shown][:MAX_PICTURES]):
            if sum(map(len, drawn.values())) + len(picture) <= MAX_BYTES:
                drawn[number] = picture
        self.drawn.update(drawn)
        return PagePictures(list(drawn), list(drawn.values()))

    def _draw_each(self, numbers: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """Leaves out what cannot be drawn now: its text is asked about all the same."""
        rows = Page.objects.filter(reading=self.source, number__in=numbers).defer("words", "text").order_by("number")
        for page in rows.select_related("reading__document") if numbers else ():
            try:
                yield page.number, make_picture(page)
            except AppError:
                continue
