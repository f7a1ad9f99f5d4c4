"""How a model reads on where the text of a document was cut."""

from __future__ import annotations

from agent.toolkit.registry import Result
from documents.reading.page_text import MarkedText


def describe_rest(text: MarkedText, document_id: str = "") -> Result:
    """`next`: the page and line where it was cut; `more`: the call that gives what follows. Empty where nothing was."""
    place = text.next_place
    if place is None:
        return {}
    following = {"page_num": place.page, "from_line": place.line}
    return {"next": following, "more": name_call(text, document_id)}


def name_call(text: MarkedText, document_id: str = "") -> str:
    """Empty where nothing was cut. Without an id it reads the document of the thread."""
    place = text.next_place
    if place is None:
        return ""
    named = [f'document="{document_id}"'] if document_id else []
    named += [f"page_num={place.page}"] + ([f"from_line={place.line}"] if place.line > 1 else [])
    return f"get_ocr_text({', '.join(named)}) reads on there; it gives one page at a time."
