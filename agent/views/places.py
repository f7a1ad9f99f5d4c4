"""Sources of answers, shown beside them."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.views.pages import PageRequest, organization_page
from agent.cards.crops import draw_crop
from documents.models import Page
from documents.reading.blocks import fetch_blocks
from kit.errors import NotFound


@require_GET
@organization_page()
def show_place(request: PageRequest, block_id: str) -> HttpResponse:
    """The page on which a source stands, with its words boxed; `strip`: only what is around them.

    Beside a thread that was open when the document went, a sentence in its place.
    """
    is_strip = bool(request.GET.get("strip"))
    try:
        first, *others = fetch_blocks(request.actor, block_id)
    except NotFound:
        if request.htmx:
            return render(request, "agent/place_gone.html", {"is_strip": is_strip})
        raise
    pages = Page.objects.select_related("reading__document")
    page = pages.get(reading=first.id.reading_id, number=first.id.place.page)
    beside = [block for block in others if block.id.place.page == page.number]
    crop = draw_crop(page, [block.box for block in (first, *beside)])
    context = {
        "crop": crop,
        "document": page.reading.document,
        "page_count": page.reading.page_count,
        "block_id": block_id,
        "quote": " … ".join(block.text for block in (first, *beside)),
    }
    return render(request, "agent/place_strip.html" if is_strip else "agent/place.html", context)
