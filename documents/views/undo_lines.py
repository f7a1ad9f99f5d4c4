"""Lines that name what was done to a document, with the button that takes it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.urls import reverse

from accounts.actor import UNDO, Actor
from accounts.views.pages import PageRequest
from documents.models import Document
from kit.http.undo_buttons import UndoButton
from kit.ids import new_id


def choose_actor(request: PageRequest) -> Actor:
    """With `undo` it takes something back, which leaves no undo of itself."""
    return request.actor.because(UNDO) if "undo" in request.POST else request.actor


def make_undo(
    request: PageRequest,
    route: str,
    document: Document,
    *ids: str,
    values: Mapping[str, str | Sequence[str]] | None = None,
    returns_to: str = "",
) -> UndoButton:
    address = reverse(route, args=(request.actor.organization.pk, document.pk, *ids))
    return UndoButton(address, values or {}, key=new_id(), returns_to=returns_to)


def describe_renamed(request: PageRequest, document: Document, before: str) -> dict[str, object]:
    """The line about a new name; none about a name that was taken back, or stayed."""
    if "undo" in request.POST or document.name == before:
        return {}
    undo = make_undo(request, "document-rename", document, values={"name": before, "undo": "1"})
    return {"words": f"{before} is now called {document.name}.", "undo": undo}
