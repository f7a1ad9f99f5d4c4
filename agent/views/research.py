"""Questions over many documents: where one asks them, beside all that have been asked."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.actor import Actor
from accounts.views.pages import PageRequest, organization_page
from agent.cards.crops import draw_crop
from agent.conversation import thread_lists, threads
from agent.conversation.addresses import address_of
from agent.conversation.thread_lists import Excerpt
from agent.models import Thread
from agent.views.panel import panel, read_selection
from documents.models import Page
from documents.reading.blocks import fetch_block

MAX_LISTED = 50


@require_GET
@organization_page()
def research(request: PageRequest) -> HttpResponse:
    """A new question beside the earlier ones of everybody; `q` narrows these, `ids` or `query` say what it is about."""
    words = request.GET.get("q", "").strip()[:200]
    context = list_questions(request.actor, words)
    if request.htmx and not request.htmx.history_restore_request:
        return render(request, "agent/thread_rows.html", context)
    context |= panel(request.actor, None, None, scope=read_selection(request))
    return render(request, "agent/alone.html", context | {"section": "research", "has_list": True})


@require_GET
@organization_page()
def show_place(request: PageRequest, block_id: str) -> HttpResponse:
    """The page on which a source stands, with its words boxed; `strip`: only what is around them."""
    block = fetch_block(request.actor, block_id)
    pages = Page.objects.select_related("reading__document")
    page = pages.get(reading=block.id.reading_id, number=block.id.place.page)
    crop = draw_crop(page, [block.box])
    context = {"crop": crop, "document": page.reading.document, "block_id": block_id, "quote": block.text}
    is_strip = bool(request.GET.get("strip"))
    return render(request, "agent/place_strip.html" if is_strip else "agent/place.html", context)


def list_questions(actor: Actor, words: str = "") -> dict[str, object]:
    """The threads about no document that the actor may read, for `agent/thread_rows.html`."""
    rows = thread_lists.list_readable(actor).filter(document=None)
    listed = list(thread_lists.search_threads(rows, words)[: MAX_LISTED + 1])
    excerpts = thread_lists.find_excerpts(listed[:MAX_LISTED], words)
    return {
        "words": words,
        "cut": len(listed) > MAX_LISTED,
        "rows": [_describe(actor, thread, excerpts) for thread in listed[:MAX_LISTED]],
    }


def _describe(actor: Actor, thread: Thread, excerpts: dict[str, Excerpt]) -> tuple[Thread, str, Excerpt | None, bool]:
    return thread, address_of(thread), excerpts.get(thread.pk), threads.is_own(actor, thread)
