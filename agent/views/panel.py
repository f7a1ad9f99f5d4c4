"""The Agent tab of a document, and the page of a thread about none: a thread, what it holds, and the way to others."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from accounts.actor import Actor
from accounts.views.pages import PageRequest, organization_page
from agent.cards import proposal_cards
from agent.conversation import thread_lists, threads
from agent.conversation.addresses import address_of
from agent.conversation.model_input.state import current_extraction
from agent.models import Thread
from agent.policy import agent_settings
from agent.steps import count_done, hash_steps
from agent.views.mode_words import DEPTHS, MODES, MODES_ABOUT_MANY
from agent.views.thread import thread_page
from agent.views.thread.chips import build_focus
from agent.views.thread.scope_picker import build_picker
from agent.views.thread.suggested_questions import suggest_questions
from agent.views.thread.thread_list import list_threads
from agent.wishes import list_wishes
from documents.extractions.extraction_view import ExtractionView
from documents.extractions.extraction_view import build_view as present_extraction
from documents.find import scopes
from documents.find.scopes import Scope, ScopeView
from documents.models import Document
from documents.views.document_page.detail import build_context
from documents.views.find.search_starts import list_starts
from documents.views.review.neighbours import read_list_query
from llm import models_catalogue

MAX_THREADS = 30
SHOWN_OF_SCOPE = 8


@require_GET
@organization_page()
def tab(request: PageRequest, document_id: str) -> HttpResponse:
    """The page with the Agent tab open, at `?thread=` (an id or `new`) or the newest thread; htmx gets the panel."""
    context = build_context(request, document_id, tab="agent")
    document: Document = context["document"]  # type: ignore[assignment]
    thread = _choose_thread(request, document)
    if thread and thread.document_id != document.pk:
        return redirect(address_of(thread))
    context |= panel(request.actor, document, thread, list_query=read_list_query(request))
    context["prefilled"] = request.GET.get("say", "")
    whole = not request.htmx or request.htmx.history_restore_request
    return render(request, "documents/document.html" if whole else "documents/panel.html", context)


@require_GET
@organization_page()
def thread_without_document(request: PageRequest) -> HttpResponse:
    """A thread about no document, at `?thread=`; without one a new thread."""
    thread = _choose_thread(request, None)
    if thread and thread.document_id:
        return redirect(address_of(thread))
    context = list_threads(request.actor) | {"section": "agent", "has_list": True}
    context |= panel(request.actor, None, thread, scope={} if thread else read_selection(request))
    return render(request, "agent/alone.html", context)


@require_GET
@organization_page()
def items(request: PageRequest, thread_id: str) -> HttpResponse:
    """What the thread shows now; the page keeps the items that have not changed.

    `from` is the number of the first message that the page shows; `before` asks for more than it shows from there on.
    """
    thread = threads.fetch_readable(request.actor, thread_id)
    since = _read_number(request, "from")
    if (before := _read_number(request, "before")) is not None:
        since = thread_page.find_earlier(thread, before)
    return render(request, "agent/items.html", thread_context(request.actor, thread, since=since))


def panel(
    actor: Actor,
    document: Document | None,
    thread: Thread | None,
    *,
    scope: Scope | None = None,
    list_query: str = "",
) -> dict[str, object]:
    """What `agent/panel.html` needs besides the frame. `scope` is what the first message of a thread is about,
    `list_query` the filter of the list that the document was opened from.
    """
    effective = agent_settings.effective_settings(actor.organization)
    names = [model for model in models_catalogue.list_chat_models(actor.organization) if effective.allows(model.name)]
    chosen = thread.model if thread else ""
    is_new = not document and not thread
    chosen_documents = _view_scope(actor, threads.get_scope(thread) if thread else scope)
    base: dict[str, object] = {
        "model_gone": "" if chosen in ("", effective.default_model, *(model.name for model in names)) else chosen,
        "document": document,
        "thread": thread,
        "may_ask": actor.may(threads.get_asking_role(document)),
        "models": names,
        "default_model": effective.default_model,
        "mode": thread.mode if thread else effective.default_mode,
        "modes": MODES if document else MODES_ABOUT_MANY,
        "scope": chosen_documents,
        "depth": threads.get_depth(thread) if thread else "",
        "depths": DEPTHS,
        "scope_picker": build_picker(actor, chosen_documents, of_document=document is not None, list_query=list_query),
        "agent_url": _agent_url(actor, document),
        "begin_url": _begin_url(actor, document),
        "threads": list(thread_lists.list_of_document(actor, document)[:MAX_THREADS]),
        "setup": proposal_cards.of_document(actor, document) if document else None,
        "suggested": suggest_questions(actor) if is_new else [],
        "starts": list_starts(actor) if is_new else [],
        "is_empty": is_new and not Document.objects.for_org(actor.organization).exists(),
    }
    return base | (thread_context(actor, thread) if thread else {"view": None})


def thread_context(actor: Actor, thread: Thread, *, since: int | None = None) -> dict[str, object]:
    view = thread_page.build_conversation(thread, actor, since=since)
    return {
        "thread": thread,
        "document": thread.document,
        "view": view,
        "values_now": _find_extraction(thread),
        "wishes": list_wishes(thread),
        "in_focus": build_focus(thread),
        "steps_done": count_done(thread),
        "steps_version": hash_steps(thread),
        "setup_waits": proposal_cards.count_waiting(thread.document),
    }


def signal_change() -> HttpResponse:
    """Nothing to swap: the page fetches the thread's items."""
    return HttpResponse(status=204, headers={"HX-Trigger": "thread-changed"})


def _view_scope(actor: Actor, scope: Scope | None) -> ScopeView | None:
    return scopes.build_view(actor, scope, maximum=SHOWN_OF_SCOPE) if scope else None


def read_selection(request: PageRequest) -> Scope:
    """What the list of documents has selected: `ids` parted by spaces, or with `all` its `query`. Raises Invalid."""
    if request.GET.get("all"):
        return scopes.check_scope(request.actor, {"query": request.GET.get("query", "")})
    return scopes.check_scope(request.actor, {"document_ids": request.GET.get("ids", "").split()})


def _agent_url(actor: Actor, document: Document | None) -> str:
    organization_id = actor.organization.pk
    if document is None:
        return reverse("agent-thread", args=(organization_id,))
    return reverse("document-agent", args=(organization_id, document.pk))


def _begin_url(actor: Actor, document: Document | None) -> str:
    organization_id = actor.organization.pk
    if document is None:
        return reverse("agent-begin", args=(organization_id,))
    return reverse("thread-begin", args=(organization_id, document.pk))


def _find_extraction(thread: Thread) -> ExtractionView | None:
    current = current_extraction(thread) if thread.document_id else None
    return present_extraction(current) if current else None


def _choose_thread(request: PageRequest, document: Document | None) -> Thread | None:
    """Where none was chosen: one's own thread before others', and one where a card waits before others."""
    chosen = request.GET.get("thread", "")
    if chosen == "new" or (not chosen and document is None):
        return None
    if chosen:
        return threads.fetch_readable(request.actor, chosen)
    me = request.actor.user.pk
    newest = thread_lists.list_of_document(request.actor, document)[:MAX_THREADS]
    return max(newest, key=lambda thread: (thread.owner_id == me, thread.waits), default=None)  # type: ignore[attr-defined]


def _read_number(request: PageRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
