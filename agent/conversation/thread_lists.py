"""Lists of threads: one's own, those on a document, and those that hold some words."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from accounts.actor import Actor
from agent.models import Message, Thread, ToolCall, Turn
from agent.policy.visibility import filter_visible
from documents.models import Document
from kit.rows.models import fold_case

AROUND = 60


@dataclass(frozen=True)
class Excerpt:
    """Where the words stand in a message: what is before them, they themselves, and what follows."""

    before: str
    words: str
    after: str


def list_readable(actor: Actor) -> QuerySet[Thread]:
    """Newest first, without those of documents in the trash. `waits`: a card; `works`: a turn is under way; `scope` is
    what the newest message was about.
    """
    pending = ToolCall.objects.filter(thread=OuterRef("pk"), status=ToolCall.Status.PENDING)
    under_way = Turn.objects.filter(thread=OuterRef("pk"), status__in=(Turn.Status.QUEUED, Turn.Status.RUNNING))
    rows = Thread.objects.filter(filter_visible(actor, ""), document__trashed_at=None)
    rows = rows.select_related("owner", "organization", "document").order_by("-updated_at", "-pk")
    newest = Turn.objects.filter(thread=OuterRef("pk")).order_by("-number").values("scope")[:1]
    return rows.annotate(waits=Exists(pending), works=Exists(under_way), scope=Subquery(newest))


def list_of_document(actor: Actor, document: Document | None) -> QuerySet[Thread]:
    """The threads on this document; without one, the actor's own that are about none."""
    return list_own(actor).filter(document=None) if document is None else list_readable(actor).filter(document=document)


def list_own(actor: Actor) -> QuerySet[Thread]:
    return list_readable(actor).filter(owner=actor.user)


def search_threads(rows: QuerySet[Thread], words: str) -> QuerySet[Thread]:
    """Those whose title or one of whose messages holds the words as they are, in any case."""
    needle = fold_case(words)
    if not needle:
        return rows
    matching = Message.objects.filter(thread=OuterRef("pk"), dropped_at=None, text_folded__contains=needle)
    return rows.filter(Q(title_folded__contains=needle) | Exists(matching))


def find_excerpts(rows: list[Thread], words: str) -> dict[str, Excerpt]:
    """Thread id to where the words were said last, for those where a message holds them."""
    needle = fold_case(words)
    if not needle:
        return {}
    matching = Message.objects.filter(thread__in=rows, dropped_at=None, text_folded__contains=needle)
    return {message.thread_id: _build_excerpt(message, needle) for message in matching.order_by("number")}


def _build_excerpt(message: Message, needle: str) -> Excerpt:
    text = " ".join(block["text"] for block in message.blocks if block.get("type") == "text").strip()
    # Folding may lengthen a text (ß is ss), so a place found in the folded one may be off; then that one is shown.
    at = text.lower().find(needle)
    if at < 0 or fold_case(text[at : at + len(needle)]) != needle:
        text = message.text_folded
        at = text.find(needle)
    start, end = max(0, at - AROUND), at + len(needle)
    before, after = text[start:at].lstrip(), text[end : end + AROUND].rstrip()
    return Excerpt(f"{'…' if start else ''}{before}", text[at:end], f"{after}{'…' if end + AROUND < len(text) else ''}")
