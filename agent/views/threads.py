"""Threads as things of their own: found, renamed, moved to the trash and back."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.access import fetch
from accounts.views.pages import PageRequest, organization_page, redirect_unless_staying
from agent.conversation import thread_lists, threads
from agent.conversation.addresses import address_of
from agent.models import Thread
from agent.steps import Step
from agent.views.panel import MAX_THREADS, panel, read_selection, signal_change
from agent.views.thread.thread_list import list_threads
from documents.models import Document
from kit.http.bodies import Body, takes
from kit.http.undo_buttons import UndoButton
from kit.ids import new_id


@require_GET
@organization_page()
def show_agent(request: PageRequest) -> HttpResponse:
    """A new thread beside the earlier ones; `q` narrows these, `ids` or `query` say what the new one is about."""
    context = list_threads(request.actor, request.GET.get("q", "").strip()[:200])
    if request.htmx and not request.htmx.history_restore_request:
        return render(request, "agent/thread_rows.html", context)
    context |= panel(request.actor, None, None, scope=read_selection(request))
    return render(request, "agent/alone.html", context | {"section": "agent", "has_list": True})


@require_GET
@organization_page()
def redirect_research(request: PageRequest) -> HttpResponse:
    """Questions over many documents had a page of their own."""
    query = request.GET.urlencode()
    return redirect(f"{reverse('agent', args=(request.actor.organization.pk,))}{'?' if query else ''}{query}")


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
@takes(Body.TEXT)
def write_steps(request: PageRequest, thread_id: str) -> HttpResponse:
    """`step` holds the texts in their order, `done` the places of those that are done, `seen` what the page showed."""
    thread = threads.fetch_readable(request.actor, thread_id)
    done, seen = set(request.POST.getlist("done")), request.POST.get("seen", "")
    texts = enumerate(request.POST.getlist("step"))
    steps: list[Step] = [{"text": text, "done": str(at) in done} for at, text in texts]
    number = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 12 else None
    threads.write_steps(request.actor, thread=thread, steps=steps, seen=number)
    return signal_change()


@require_POST
@organization_page()
def take_out_of_focus(request: PageRequest, thread_id: str, object_id: str) -> HttpResponse:
    thread = threads.fetch_readable(request.actor, thread_id)
    threads.take_out_of_focus(request.actor, thread=thread, object_id=object_id)
    return signal_change()


@require_POST
@organization_page()
def trash(request: PageRequest, thread_id: str) -> HttpResponse:
    """The panel goes on with an empty thread, a list loses the row; both say how to take it back."""
    thread = threads.trash(request.actor, thread=threads.fetch_readable(request.actor, thread_id))
    if request.htmx.target != "agent":
        return render(request, "agent/trashed.html", _describe_trashed(thread))
    context = panel(request.actor, thread.document, None) | _describe_trashed(thread)
    response = render(request, "agent/panel.html", context)
    response["HX-Push-Url"] = f"{context['agent_url']}?thread=new"
    return response


@require_POST
@organization_page()
def restore(request: PageRequest, thread_id: str) -> HttpResponse:
    """The answer leads to the thread."""
    thread: Thread = threads.restore(request.actor, thread_id=thread_id)
    return redirect_unless_staying(request, address_of(thread))


def _describe_trashed(thread: Thread) -> dict[str, object]:
    address = reverse("thread-restore", args=(thread.organization_id, thread.pk))
    return {"words": f"“{thread.title}” is in the trash.", "undo": UndoButton(address, key=new_id())}
