"""Documents and threads to purge, and the sweep that does."""

from __future__ import annotations

from django.core.files.base import ContentFile

from agent import feed
from agent.conversation import deletion, threads
from agent.models import Message, StandingWish, ThreadSummary, ToolCall, Turn
from documents import document_changes
from documents.intake import uploads
from documents.models import (
    Document,
)
from documents.retention import trash


def put(actor, name="a.txt", content=b"Total 12.50", **extra):
    return uploads.store(actor, name=name, content=ContentFile(content, name=name), **extra)


def delete_for_good(actor, document):
    if document.trashed_at is None:
        document_changes.trash(actor, document=document)
    trash.delete_for_good(actor, document=document)


def purge(maximum=10):
    for _ in range(maximum):
        if not Document.objects.to_purge().exists():
            return
        deletion.run_once()


def talk_about(actor, document, text, **call):
    thread = threads.create(actor, document=document, title=text)
    turn = Turn.objects.create(
        thread=thread,
        number=1,
        status="completed",
        model="offline/rules",
        max_rounds=1,
        limit_micros=1,
        partial_text=text,
        code_version="test",
    )
    block = [{"type": "text", "text": text}]
    message = Message.objects.create(thread=thread, turn=turn, number=1, role="assistant", blocks=block)
    feed.append(thread.pk, "thread.changed", title=text)
    StandingWish.objects.create(thread=thread, text=text)
    ThreadSummary.objects.create(thread=thread, turn=turn, upto=1, text=text, tokens_before=2, tokens_after=1)
    return ToolCall.objects.create(
        **{
            "thread": thread,
            "turn": turn,
            "message": message,
            "round": 1,
            "position": 0,
            "wire_id": "abcdefgh1",
            "tool": "get_ocr_text",
            "status": "succeeded",
            "result": {"text": text},
            **call,
        }
    )
