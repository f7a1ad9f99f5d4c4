"""Where Cmd K goes: documents, views, definitions, threads, pages and actions that fit what is typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from accounts.actor import Actor
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from agent.conversation.addresses import address_of
from agent.conversation.thread_lists import list_readable
from documents.find import saved_views
from documents.find.filters import parse_filter
from documents.models import Document, Prompt, Schema, Tag
from kit.events import organization_group
from kit.paging import first_of
from kit.rows.models import fold_case

MAX_LETTERS = 200
MAX_DOCUMENTS, MAX_OTHERS = 8, 5


class Entry(NamedTuple):
    icon: str
    words: str
    address: str
    note: str = ""


class PalettePlace(NamedTuple):
    """A page, or the page on which something is done, for those with this role."""

    icon: str
    words: str
    route: str
    role: Role = Role.VIEWER
    query: str = ""


PAGES = (
    PalettePlace("file-text", "Documents", "documents"),
    PalettePlace("search", "Search", "search"),
    PalettePlace("inbox", "Inbox", "inbox"),
    PalettePlace("message-circle", "Agent", "agent"),
    PalettePlace("braces", "Schemas", "schemas"),
    PalettePlace("message-square-text", "Prompts", "prompts"),
    PalettePlace("tags", "Tags", "tags"),
    PalettePlace("trash-2", "Trash", "trash", Role.BUILDER),
    PalettePlace("settings", "Settings", "settings"),
    PalettePlace("users", "Members", "members"),
    PalettePlace("key-round", "Access tokens", "tokens"),
    PalettePlace("settings", "Budget", "budget"),
    PalettePlace("layers", "Types of documents", "document-types"),
    PalettePlace("bot", "Agent settings", "agent-settings"),
    PalettePlace("shield-check", "Agent rules", "rules", Role.REVIEWER),
    PalettePlace("link", "Outside servers", "outside", Role.BUILDER),
    PalettePlace("scroll-text", "Audit", "audit", Role.ADMIN),
)
ACTIONS = (
    PalettePlace("circle-check", "Verify what waits for me", "documents", query="?is=waiting"),
    PalettePlace("message-circle", "New conversation", "agent"),
    PalettePlace("plus", "New schema", "schema-new", Role.BUILDER),
    PalettePlace("plus", "New prompt", "prompt-new", Role.BUILDER),
    PalettePlace("plus", "New tag", "tag-new", Role.BUILDER),
)


@require_GET
@organization_page()
def palette(request: PageRequest) -> HttpResponse:
    """`q` is what is typed; without it pages and actions come, and the newest documents."""
    words = request.GET.get("q", "").replace("\0", "").strip()[:MAX_LETTERS]
    sections = [(title, entries) for title, find in SECTIONS if (entries := list(find(request.actor, words)))]
    return render(request, "agent/palette.html", {"sections": sections, "words": words})


def _find_documents(actor: Actor, words: str) -> Iterator[Entry]:
    """Those of that name first, then those that the list's box finds by a tag or a value."""
    narrowing = parse_filter(actor, {"q": [words]})
    if narrowing.refusals:
        return
    documents = Document.objects.for_org(actor.organization)
    of_name = documents.filter(name_folded__contains=fold_case(words))
    rows = {row.pk: row for each in (of_name, narrowing.apply(documents)) for row in _list_newest(actor, each)}
    for document in list(rows.values())[:MAX_DOCUMENTS]:
        yield Entry("file-text", document.name, reverse("document", args=[actor.organization.pk, document.pk]))


def _list_newest(actor: Actor, rows: QuerySet[Document]) -> list[Document]:
    newest, group = rows.order_by("-created_at", "-pk"), organization_group(actor.organization.pk)
    return first_of([newest], MAX_DOCUMENTS, whole=Document.objects.all(), group=group)


def _find_views(actor: Actor, words: str) -> Iterator[Entry]:
    folded, address = fold_case(words), reverse("documents", args=[actor.organization.pk])
    matching = (view for view in saved_views.list_views(actor) if folded in fold_case(view.name))
    for view in islice(matching, MAX_OTHERS):
        yield Entry("list", view.name, f"{address}?{view.query}", "for all" if view.owner_id is None else "")


def _find_schemas(actor: Actor, words: str) -> Iterator[Entry]:
    rows = Schema.objects.for_org(actor.organization).filter(latest__isnull=False)
    return _find_named(rows, words, "braces", "schema")


def _find_prompts(actor: Actor, words: str) -> Iterator[Entry]:
    rows = Prompt.objects.for_org(actor.organization).filter(latest__isnull=False)
    return _find_named(rows, words, "message-square-text", "prompt")


def _find_tags(actor: Actor, words: str) -> Iterator[Entry]:
    """To the documents that carry it."""
    rows = Tag.objects.for_org(actor.organization).filter(name_folded__contains=fold_case(words))
    for tag in rows.order_by("name_folded", "pk")[: MAX_OTHERS if words else 0]:
        yield Entry("tag", tag.name, f"{reverse('documents', args=[actor.organization.pk])}?tag={tag.pk}")


def _find_threads(actor: Actor, words: str) -> Iterator[Entry]:
    matching = list_readable(actor).filter(title_folded__contains=fold_case(words))
    for thread in matching[: MAX_OTHERS if words else 0]:
        yield Entry("message-circle", thread.title, address_of(thread), thread.document.name if thread.document else "")


def _find_named(rows: QuerySet[Any], words: str, icon: str, route: str) -> Iterator[Entry]:
    matching = rows.filter(name_folded__contains=fold_case(words)).order_by("name_folded", "pk")
    for row in matching[: MAX_OTHERS if words else 0]:
        yield Entry(icon, row.name, reverse(route, args=[row.organization_id, row.pk]))


def _find_places(actor: Actor, words: str, places: Iterable[PalettePlace]) -> Iterator[Entry]:
    for place in places:
        if actor.may(place.role) and all(word in fold_case(place.words) for word in fold_case(words).split()):
            yield Entry(place.icon, place.words, reverse(place.route, args=[actor.organization.pk]) + place.query)


SECTIONS: tuple[tuple[str, Callable[[Actor, str], Iterator[Entry]]], ...] = (
    ("Documents", _find_documents),
    ("Views", _find_views),
    ("Schemas", _find_schemas),
    ("Prompts", _find_prompts),
    ("Tags", _find_tags),
    ("Conversations", _find_threads),
    ("Pages", lambda actor, words: _find_places(actor, words, PAGES)),
    ("Actions", lambda actor, words: _find_places(actor, words, ACTIONS)),
)
