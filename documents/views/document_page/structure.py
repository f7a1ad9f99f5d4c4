"""The tree beside the pages of a nested file; what is inside of a line is asked for when it is unfolded."""

from __future__ import annotations

import json

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.access import fetch
from accounts.views.pages import PageRequest, organization_page
from documents.models import Document, Reading
from documents.reading.blocks import BlockPlace, parse_place
from documents.reading.nesting.outline import OutlineNode, list_nodes
from kit.errors import NotFound
from kit.ids import is_id

DEEPEST = 400


@require_GET
@organization_page()
def nodes(request: PageRequest, document_id: str) -> HttpResponse:
    """Items of the tree of a `reading`: those `inside` of a line, from `first` on, at this `level`."""
    document = fetch(request.actor, Document.objects.all(), document_id, noun="Document")
    reading_id = request.GET.get("reading", "")
    reading = Reading.objects.filter(document=document, pk=reading_id if is_id(reading_id) else None).first()
    if reading is None:
        raise NotFound("There is no such reading here.")
    part = list_nodes(reading, _read_place(request, "inside"), _read_place(request, "first"))
    context: dict[str, object] = {
        "rows": [(node, _write_boxes(node)) for node in part.nodes],
        "level": _read_level(request),
    }
    if part.following:
        context |= {"following": part.following, "following_boxes": _write_boxes(part.following)}
    return render(request, "documents/structure/nodes.html", context)


def _read_level(request: PageRequest) -> int:
    level = request.GET.get("level", "")
    return min(int(level), DEEPEST) if level.isdecimal() and len(level) < 5 else 1


def _write_boxes(node: OutlineNode) -> str:
    return json.dumps([[node.place.page, *node.box]])


def _read_place(request: PageRequest, name: str) -> BlockPlace | None:
    text = request.GET.get(name, "")
    return parse_place(text) if text else None
