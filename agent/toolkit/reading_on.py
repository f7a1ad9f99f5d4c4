"""Says to a model how to read on where the text of a document was cut, or what was asked of it ends."""

from __future__ import annotations

from collections.abc import Sequence

from agent.toolkit.page_ranges import format_page_ranges
from agent.toolkit.registry import Result
from documents.reading.blocks import BlockPlace
from documents.reading.page_text import MarkedText


def describe_rest(text: MarkedText, document: str = "", page_count: int = 0, pages: Sequence[int] = ()) -> Result:
    """`next`: the page and line where it was cut; `more`: the call that gives what follows. Empty where nothing was.

    With `page_count` what is read in the order of the pages goes on behind the last one. `pages`: those asked for.
    `document`: its short name or id; without it the thread's own.
    """
    place = text.next_place
    if place is None and text.pages and text.pages[-1] < page_count:
        place = BlockPlace(text.pages[-1] + 1, 1)
    if place is None:
        return {}
    rest = [page for page in pages if page >= place.page] or range(place.page, page_count + 1)
    following = {"page_num": place.page, "from_line": place.line}
    return {"next": following, "more": _name_call_at(place, document, rest)}


def name_call(text: MarkedText, document: str = "", page_count: int = 0) -> str:
    """Empty where nothing was cut. Without a name it reads the document of the thread."""
    if text.next_place is None:
        return ""
    return _name_call_at(text.next_place, document, range(text.next_place.page, page_count + 1))


def _name_call_at(place: BlockPlace, document: str, pages: Sequence[int]) -> str:
    named = [f'document="{document}"'] if document else []
    named += [f'pages="{format_page_ranges(pages or [place.page])}"']
    named += [f"from_line={place.line}"] if place.line > 1 else []
    return f"get_ocr_text({', '.join(named)}) reads on there."
