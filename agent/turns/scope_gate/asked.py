"""The request of a turn as its scope is judged: the message, the two before it, and the documents that it is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from agent import focus
from agent.models import Message, Turn
from agent.scope_profiles.context import EarlierMessage, FocusObject
from agent.scope_profiles.requests import Request
from documents.models import Document

LAST_MESSAGES = 2


def read_request(turn: Turn) -> Request:
    """It points at the documents that it is given, else at those in focus."""
    asked = _find_message(turn)
    if asked is None:
        return Request("")
    earlier = turn.thread.messages.filter(dropped_at=None, number__lt=asked.number).order_by("-number")
    before = [EarlierMessage(_name_role(row), row.join_text()) for row in earlier[:LAST_MESSAGES]]
    return Request(asked.join_text(), tuple(reversed(before)), tuple(_read_focus(turn)))


def list_given(turn: Turn) -> list[str]:
    """The ids of the documents that are before the model from the beginning: named, chosen, or of the thread."""
    asked = _find_message(turn)
    named = [each["id"] for each in (asked.mentions if asked else ()) if each["type"] == "document"]
    own = [turn.thread.document_id] if turn.thread.document_id else []
    return list(dict.fromkeys([*named, *turn.scope.get("document_ids", []), *own]))


def _find_message(turn: Turn) -> Message | None:
    return turn.messages.filter(role=Message.Role.USER, dropped_at=None).order_by("number").first()


def _name_role(message: Message) -> Literal["user", "assistant"]:
    return "user" if message.role == Message.Role.USER else "assistant"


def _read_focus(turn: Turn) -> Sequence[FocusObject]:
    ids = list_given(turn) or [
        item.document_id for item in focus.list_items(turn.thread, before=turn) if item.document_id
    ]
    rows = Document.objects.for_org(turn.thread.organization).select_related("document_type").in_bulk(ids)
    return [
        FocusObject(row.pk, row.document_type.key if row.document_type else "", row.name)
        for row in (rows[each] for each in ids if each in rows)
    ]
