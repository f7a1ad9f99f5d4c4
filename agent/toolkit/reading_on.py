"""How a model reads on where the text of a document was cut, or one of its pages ends."""

from __future__ import annotations

from agent.toolkit.registry import Result
from documents.reading.blocks import BlockPlace
from documents.reading.page_text import MarkedText


def describe_rest(text: MarkedText, document_id: str = "", page_count: int = 0) -> Result:
    """`next`: the page and line where it was cut; `more`: the call that gives what follows. Empty where nothing was.

    With `page_count` what is read page by page goes on with the next page.
    """
    place = text.next_place
    if place is None and text.pages and text.pages[-1] < page_count:
        place = BlockPlace(text.pages[-1] + 1, 1)
    if place is None:
        return {}
    following = {"page_num": place.page, "from_line": place.line}
    return {"next": following, "more": _name_call_at(place, document_id)}


def name_call(text: MarkedText, document_id: str = "") -> str:
    """Empty where nothing was cut. Without an id it reads the document of the thread."""
    return _name_call_at(text.next_place, document_id) if text.next_place else ""


def _name_call_at(place: BlockPlace, document_id: str) -> str:
    named = [f'document="{document_id}"'] if document_id else []
    named += [f"page_num={place.page}"] + ([f"from_line={place.line}"] if place.line > 1 else [])
    return f"get_ocr_text({', '.join(named)}) reads on there; it gives one page at a time."
