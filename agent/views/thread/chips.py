"""What a message mentions, as the page shows it: chips where the text names them, and the rest after it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse

from agent import focus
from agent.conversation import mentions
from agent.conversation.mentions import Mention, Named
from agent.models import Message, Thread
from documents.models import Document, Prompt, PromptRevision, Schema, SchemaRevision

ICONS = {"schema": "braces", "prompt": "message-square-text", "tag": "tag", "document": "file-text"}


@dataclass(frozen=True)
class Chip:
    """`url` is empty, and the label says so, for what is not there any more."""

    type: str
    id: str
    label: str
    icon: str
    url: str


@dataclass(frozen=True)
class MessagePart:
    """A piece of a message: plain text, or a chip that stands for `@label` in it."""

    text: str
    chip: Chip | None = None


def build_chips(thread: Thread, messages: Iterable[Message]) -> dict[str, list[Chip]]:
    """Message id to its chips in the order they were named; a handful of queries for all messages together."""
    naming = [message for message in messages if message.mentions]
    rows = mentions.find_rows(thread, [each for message in naming for each in message.mentions]) if naming else {}
    return {
        message.pk: [_build_chip(thread, each, rows.get((each["type"], each["id"]))) for each in message.mentions]
        for message in naming
    }


def build_focus(thread: Thread) -> list[Chip]:
    """Give the objects in focus, the newest first, as the model reads of them."""
    objects = [(item.kind, item.object) for item in focus.list_besides_document(thread)]
    return [
        Chip(kind, row.pk, str(row), ICONS[kind], _build_url(thread.organization_id, row))
        for kind, row in objects
        if row
    ]


def split_at_chips(text: str, chips: list[Chip]) -> tuple[list[MessagePart], list[Chip]]:
    """The text cut at the names it holds, and the chips that it does not hold."""
    left = [chip for chip in chips if chip.url]
    named = {chip.label: chip for chip in left}
    if not named:
        return [MessagePart(text)], chips
    labels = "|".join(re.escape(label) for label in sorted(named, key=len, reverse=True))
    cut: list[MessagePart] = []
    at = 0
    for hit in re.finditer(rf"@({labels})(?!\w)", text):
        # Two things of one name stand in the order in which they were named.
        chip = next((each for each in left if each.label == hit[1]), named[hit[1]])
        left = [each for each in left if each is not chip]
        cut += [MessagePart(text[at : hit.start()]), MessagePart(hit[0], chip)]
        at = hit.end()
    cut.append(MessagePart(text[at:]))
    return [part for part in cut if part.text], [chip for chip in chips if not chip.url or chip in left]


def _build_chip(thread: Thread, mention: Mention, row: Named | None) -> Chip:
    kind = mention["type"]
    if row is None:
        return Chip(kind, mention["id"], f"A {kind} that is not there any more", ICONS[kind], "")
    return Chip(kind, mention["id"], mentions.format_label(row), ICONS[kind], _build_url(thread.organization_id, row))


def _build_url(organization_id: str, row: Named | Schema | Prompt) -> str:
    if isinstance(row, Schema | Prompt):
        return reverse(row.kind, args=(organization_id, row.pk))
    if isinstance(row, SchemaRevision):
        return f"{reverse('schema', args=(organization_id, row.schema_id))}?version={row.number}"
    if isinstance(row, PromptRevision):
        return f"{reverse('prompt', args=(organization_id, row.prompt_id))}?version={row.number}"
    if isinstance(row, Document):
        return reverse("document", args=(organization_id, row.pk))
    return reverse("tags", args=(organization_id,))
