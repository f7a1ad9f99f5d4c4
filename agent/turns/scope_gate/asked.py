"""The request of a turn as its scope is judged: the message, the two before it, and the documents that it is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from django.db.models import QuerySet

from agent import focus
from agent.models import Message, Turn
from agent.scope_profiles.context import EarlierMessage, FocusObject
from agent.scope_profiles.requests import Request
from documents.models import Document
from kit.rows.fixed_select import FixedSelect

LAST_MESSAGES = 2


def find_message(turn: Turn) -> Message | None:
    """The message by which a person or a program asks."""
    return _select_message.first(turn.pk)


def read_request(turn: Turn, asked: Message | None) -> Request:
    """It points at the documents that it is given, else at those in focus."""
    if asked is None:
        return Request("")
    return Request(asked.join_text(), tuple(_list_earlier(asked)), tuple(_read_focus(turn, asked)))


def list_given(turn: Turn, asked: Message | None) -> list[str]:
    """The ids of the documents that are before the model from the beginning: named, chosen, or of the thread."""
    named = [each["id"] for each in (asked.mentions if asked else ()) if each["type"] == "document"]
    own = [turn.thread.document_id] if turn.thread.document_id else []
    return list(dict.fromkeys([*named, *turn.scope.get("document_ids", []), *own]))


@FixedSelect
def _select_message(turn: str) -> QuerySet[Message]:
    return Message.objects.filter(turn=turn, role=Message.Role.USER, dropped_at=None).order_by("number")[:1]


def _list_earlier(asked: Message) -> list[EarlierMessage]:
    if asked.number <= 1:
        return []
    rows = Message.objects.filter(thread=asked.thread_id, dropped_at=None, number__lt=asked.number)
    newest = rows.order_by("-number")[:LAST_MESSAGES]
    return [EarlierMessage(_name_role(row), row.join_text()) for row in reversed(newest)]


def _name_role(message: Message) -> Literal["user", "assistant"]:
    return "user" if message.role == Message.Role.USER else "assistant"


def _read_focus(turn: Turn, asked: Message) -> Sequence[FocusObject]:
    ids = list_given(turn, asked)
    if not ids and asked.number > 1:
        ids = [item.document_id for item in focus.list_items(turn.thread, before=turn) if item.document_id]
    if not ids:
        return []
    rows = Document.objects.for_org(turn.thread.organization).select_related("document_type").in_bulk(ids)
    return [
        FocusObject(row.pk, row.document_type.key if row.document_type else "", row.name)
        for row in (rows[each] for each in ids if each in rows)
    ]
