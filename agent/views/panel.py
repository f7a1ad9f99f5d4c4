"""The Agent tab of a document: a thread, what it holds, and what can be done in it."""

from __future__ import annotations

from django.db.models import Exists, OuterRef
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.actor import Actor
from accounts.views.pages import PageRequest, organization_page
from agent.models import Thread, ToolCall
from agent.services import conversation, threads
from documents.models import Document
from documents.services import models_catalogue
from documents.views.detail import frame

MOST_THREADS = 30


@require_GET
@organization_page()
def tab(request: PageRequest, document_id: str) -> HttpResponse:
    """The page with the Agent tab open, at `?thread=` (an id or `new`) or the newest thread; htmx gets the panel."""
    context = frame(request, document_id, tab="agent")
    document: Document = context["document"]  # type: ignore[assignment]
    context |= panel(request.actor, document, _asked_for(request, document))
    context["prefilled"] = request.GET.get("say", "")
    whole = not request.htmx or request.htmx.history_restore_request
    return render(request, "documents/document.html" if whole else "documents/panel.html", context)


@require_GET
@organization_page()
def items(request: PageRequest, thread_id: str) -> HttpResponse:
    """What the thread shows now; the page keeps the items that have not changed."""
    thread = threads.readable(request.actor, thread_id)
    return render(request, "agent/items.html", thread_context(request.actor, thread))


def panel(actor: Actor, document: Document, thread: Thread | None) -> dict[str, object]:
    """What `agent/panel.html` needs besides the frame."""
    own = threads_of(document)
    models = models_catalogue.chat_models(actor.organization)
    default = models_catalogue.default_agent_model(actor.organization)
    base = {"document": document, "threads": own, "thread": thread, "models": models, "default_model": default}
    return base | (thread_context(actor, thread) if thread else {"view": None})


def thread_context(actor: Actor, thread: Thread) -> dict[str, object]:
    return {"thread": thread, "view": conversation.present(thread, actor)}


def threads_of(document: Document) -> list[Thread]:
    """The newest ones; `waits` says whether a card of it waits for a person."""
    pending = ToolCall.objects.filter(thread=OuterRef("pk"), status=ToolCall.Status.PENDING)
    rows = Thread.objects.for_org(document.organization).filter(document=document).annotate(waits=Exists(pending))
    return list(rows.select_related("owner", "organization", "document").order_by("-updated_at")[:MOST_THREADS])


def _asked_for(request: PageRequest, document: Document) -> Thread | None:
    """Without a wish: one's own thread before others', and one where a card waits before others."""
    asked = request.GET.get("thread", "")
    if asked == "new":
        return None
    if asked:
        return threads.readable(request.actor, asked)
    me = request.actor.user.pk
    return max(threads_of(document), key=lambda thread: (thread.owner_id == me, thread.waits), default=None)  # type: ignore[attr-defined]
