"""The messages of a request: our words and the schema in the system part, all of the document in that of the user."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils import timezone

from documents.extractions.model_requests.model_answers import LastRow
from documents.extractions.model_requests.rules import CONTINUED, PICTURES, WRITTEN_SCHEMA
from documents.reading.gaps import name_pages
from documents.reading.page_text import MarkedText, make_data_block, neutralize_json
from llm.client import ChatMessage

DOCUMENT_AT = 1
"""The place of the message that holds the document, and to which pictures belong."""


@dataclass(frozen=True)
class PagePictures:
    """Pictures of pages beside their text, in the order of these pages."""

    pages: list[int] = field(default_factory=list)
    files: list[bytes] = field(default_factory=list)

    def describe(self) -> str:
        return PICTURES.format(pages=name_pages(self.pages)) if self.pages else ""


NO_PICTURES = PagePictures()


def make_messages(system: str, document: str, pictures: PagePictures = NO_PICTURES) -> list[ChatMessage]:
    """The day stands last, so that all before it begins alike from day to day."""
    today = f"Today is {timezone.localdate():%Y-%m-%d}."
    user = "\n".join(filter(None, [document, pictures.describe(), today]))
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def go_on_after(messages: Sequence[ChatMessage], after: LastRow) -> list[ChatMessage]:
    row = json.dumps({"list": after.path, "row": after.row}, ensure_ascii=False)
    block = make_data_block("last_row", MarkedText(neutralize_json(row), []))
    system, user = messages
    return [
        {"role": "system", "content": f"{system['content']}\n\n{CONTINUED}"},
        {"role": "user", "content": f"{user['content']}\n{block}"},
    ]


def add_to_last(messages: Sequence[ChatMessage], words: str) -> list[ChatMessage]:
    """Not as a message of its own: models without roles for it refuse two of a user in a row."""
    *before, last = messages
    return [*before, {**last, "content": f"{last['content']}\n\n{words}"}]


def drop_written_schema(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Without the schema in the system part, where the model reads it elsewhere in the request."""
    first, *rest = messages
    before, _, schema = str(first["content"]).rpartition(WRITTEN_SCHEMA)
    continued = f"\n\n{CONTINUED}" if schema.endswith(CONTINUED) else ""
    return [{**first, "content": f"{before}{continued}"}, *rest]
