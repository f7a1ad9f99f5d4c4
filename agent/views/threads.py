"""Threads as things of their own: found, renamed, moved to the trash and back."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.views.pages import PageRequest, organization_page
from agent.conversation import thread_lists, threads
from agent.conversation.addresses import address_of
from agent.models import Thread
from agent.views.panel import MAX_THREADS, panel, signal_change
from documents.models import Document

MAX_LISTED = 50


@require_GET
@organization_page()
def list_threads(request: PageRequest) -> HttpResponse:
    """One's own threads, newest first; `q` looks in titles and messages of every thread that one may read."""
    words = request.GET.get("q", "").strip()[:200]
    matching_threads = (
        thread_lists.search_threads(thread_lists.list_readable(request.actor), words)
        if words
        else thread_lists.list_own(request.actor)
    )
    rows = list(matching_threads[: MAX_LISTED + 1])
    excerpts = thread_lists.find_excerpts(rows[:MAX_LISTED], words)
    context = {
        "section": "agent",
        "words": words,
        "cut": len(rows) > MAX_LISTED,
        "rows": [
            (thread, address_of(thread), excerpts.get(thread.pk), threads.is_own(request.actor, thread))
            for thread in rows[:MAX_LISTED]
        ],
    }
    partial = request.htmx and not request.htmx.history_restore_request
    return render(request, "agent/thread_rows.html" if partial else "agent/threads.html", context)


@require_GET
@organization_page()
def menu(request: PageRequest) -> HttpResponse:
    """The threads of `document`, or one's own about none; `q` narrows them."""
    actor, document_id = request.actor, request.GET.get("document", "")
    document = fetch(actor, Document.objects.all(), document_id, noun="Document") if document_id else None
    matching = thread_lists.search_threads(
        thread_lists.list_of_document(actor, document), request.GET.get("q", "")[:200]
    )
    rows = [(thread, address_of(thread)) for thread in matching[:MAX_THREADS]]
    return render(request, "agent/menu.html", {"rows": rows, "open": request.GET.get("open", "")})


@require_POST
@organization_page()
def rename(request: PageRequest, thread_id: str) -> HttpResponse:
    thread = threads.fetch_readable(request.actor, thread_id)
    threads.rename(request.actor, thread=thread, title=request.POST.get("title", ""))
    return signal_change()


@require_POST
@organization_page()
def trash(request: PageRequest, thread_id: str) -> HttpResponse:
    """The panel goes on with an empty thread, a list loses the row; both say how to take it back."""
    thread = threads.trash(request.actor, thread=threads.fetch_readable(request.actor, thread_id))
    if request.htmx.target != "agent":
        return render(request, "agent/trashed.html", {"thread": thread})
    context = panel(request.actor, thread.document, None) | {"trashed": thread}
    response = render(request, "agent/panel.html", context)
    response["HX-Push-Url"] = f"{context['agent_url']}?thread=new"
    return response


@require_POST
@organization_page()
def restore(request: PageRequest, thread_id: str) -> HttpResponse:
    """The answer leads to the thread."""
    thread: Thread = threads.restore(request.actor, thread_id=thread_id)
    return HttpResponse(headers={"HX-Redirect": address_of(thread)})
