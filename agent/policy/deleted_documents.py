"""What a thread has read of documents that are in the trash: a model reads it no more, from the moment of deletion.

The rows stay as they are, since a document may come back; with it comes all that was read of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import cast

from agent.citations.aliases import ALIAS
from agent.citations.sentences import Sentence, list_cited_sentences
from agent.models import Citation, Message, ReadingAlias, Thread, ToolCall
from agent.toolkit.tool_kinds import READS, Access
from kit.json_types import Json, JsonObject

LEFT_OUT = "[A sentence about a document that was deleted since.]"
WITHHELD = (*READS, Access.COSTLY)
# Pages that were seen are drawn anew for each request, unless their document is gone.
VIEWING = "view_page"
CITED = ("block_ids", "cite")
SUMMED = "key_values"
"""A part of a result that rests on all documents beside it."""


@dataclass(frozen=True)
class DeletedDocuments:
    """`aliases` by their number in the thread, `numbers` those of citations that nothing else is cited by."""

    document_ids: frozenset[str] = frozenset()
    aliases: frozenset[int] = frozenset()
    numbers: frozenset[int] = frozenset()

    @classmethod
    def find_read_by(cls, thread: Thread, calls: Iterable[ToolCall]) -> DeletedDocuments:
        """Of a thread whose calls are these; without a query where none of them has read anything."""
        return cls.find(thread) if any(call.access in WITHHELD for call in calls) else cls()

    @classmethod
    def find(cls, thread: Thread) -> DeletedDocuments:
        """Of all that it has read, but for its own document: in one query where none was deleted."""
        rows = ReadingAlias.objects.filter(thread=thread, reading__document__trashed_at__isnull=False)
        read = list(rows.exclude(reading__document=thread.document_id).values_list("reading__document", "number"))
        if not read:
            return cls()
        cited = Citation.objects.filter(turn__thread=thread).values_list("number", "reading__document")
        ids = frozenset(str(document_id) for document_id, _ in read)
        gone, left = ({number for number, key in cited if (key in ids) is is_gone} for is_gone in (True, False))
        return cls(ids, frozenset(number for _, number in read), frozenset(gone - left))

    def hide_in_call(self, call: ToolCall) -> ToolCall:
        """The same row where it tells nothing of them."""
        tells = call.access in WITHHELD or "job_id" in (call.result or {})
        if not self.document_ids or not tells or call.tool == VIEWING:
            return call
        hidden = copy(call)
        for document_id in self.document_ids:
            hidden.result = cast("JsonObject | None", remove_details(hidden.result, document_id))
        if self._names_alias(call.proposed_text):
            hidden.proposed_text = "{}"
        hidden.result = cast("JsonObject | None", self._remove_cited(hidden.result))
        return hidden

    def _remove_cited(self, value: Json) -> Json:
        """Without rows that rest on their lines, such as a sum."""
        if isinstance(value, list):
            return [self._remove_cited(entry) for entry in value]
        if not isinstance(value, dict):
            return value
        if self._names_alias(json.dumps([value.get(name) for name in CITED])):
            return {"note": LEFT_OUT}
        return {name: self._remove_cited(entry) for name, entry in value.items()}

    def hide_in_message(self, message: Message) -> Message:
        if not self.document_ids or message.role != Message.Role.ASSISTANT:
            return message
        hidden = copy(message)
        hidden.blocks = [self._hide_in_block(block) for block in message.blocks]
        return hidden

    def _hide_in_block(self, block: Mapping[str, object]) -> Mapping[str, object]:
        text = block.get("text")
        if not isinstance(text, str):
            return block
        for sentence in reversed(list_cited_sentences(text)):
            if self._is_about(sentence):
                text = f"{text[: sentence.start]}{LEFT_OUT}{text[sentence.end :]}"
        return {**block, "text": text}

    def _is_about(self, sentence: Sentence) -> bool:
        return bool(self.numbers.intersection(sentence.numbers)) or self._names_alias(sentence.text)

    def _names_alias(self, text: str) -> bool:
        return any(int(match[1]) in self.aliases for match in ALIAS.finditer(text))


def remove_details(value: Json, document_id: str) -> Json:
    """The value with nothing of the objects that name the document but the id itself, and no summary that it is in."""
    if isinstance(value, list):
        return [remove_details(item, document_id) for item in value]
    if not isinstance(value, dict):
        return value
    if document_id in value.values():
        return {name: item for name, item in value.items() if item == document_id}
    rest = {name: remove_details(item, document_id) for name, item in value.items()}
    return rest if rest == value else {name: item for name, item in rest.items() if name != SUMMED}
