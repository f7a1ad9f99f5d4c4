"""Which documents the next message is about: all or the thread's own, those of a filter or tag, or chosen ones."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from accounts.actor import Actor
from documents.find import saved_views
from documents.find.scopes import ScopeView
from documents.models import Tag
from kit.errors import Invalid

MAX_TAGS = 100
MAX_TERMS_SHOWN = 120


@dataclass(frozen=True)
class ScopeChoice:
    """`text` is what the page sends for it."""

    name: str
    about: str
    text: str


ALL = ScopeChoice("All documents", "Everything that you may read", "{}")
THIS = ScopeChoice("This document", "And what you name with @", "{}")


@dataclass(frozen=True)
class ScopePicker:
    """`picked` is the text of the choice that stands, none of them where documents were chosen one by one.

    `has_more_tags`: there are some that are not among the choices.
    """

    choices: list[ScopeChoice]
    picked: str
    label: str
    has_more_tags: bool = False


def build_picker(actor: Actor, scope: ScopeView | None, *, of_document: bool, list_query: str) -> ScopePicker:
    """`list_query` is the filter of the list that the thread's document was opened from."""
    tags = list(Tag.objects.for_org(actor.organization).order_by("name")[: MAX_TAGS + 1])
    choices = [THIS if of_document else ALL, *_list_origin(actor, list_query), *_list_choices(actor, tags[:MAX_TAGS])]
    has_more = len(tags) > MAX_TAGS
    if scope is None:
        return ScopePicker(choices, choices[0].text, choices[0].name, has_more)
    names = {choice.text: choice.name for choice in reversed(choices)}
    return ScopePicker(choices, scope.text, names.get(scope.text, "Chosen documents"), has_more)


def _list_origin(actor: Actor, query: str) -> list[ScopeChoice]:
    """The list whose document is open, where it was narrowed. An address may say anything: nonsense is no choice."""
    try:
        query = saved_views.clean_query(actor, query)
    except Invalid:
        return []
    narrowing = saved_views.parse_query(actor, query)
    words = [*([f"“{narrowing.words}”"] if narrowing.words else []), *(term.words for term in narrowing.terms)]
    if not words:
        return []
    return [ScopeChoice("The list you came from", ", ".join(words)[:MAX_TERMS_SHOWN], json.dumps({"query": query}))]


def _list_choices(actor: Actor, tags: Sequence[Tag]) -> list[ScopeChoice]:
    """Saved filters, then tags, in the order in which lists have them."""
    views = [view for view in saved_views.list_views(actor) if view.query]
    return [
        *(ScopeChoice(view.name, "Saved filter", json.dumps({"query": view.query})) for view in views),
        *(ScopeChoice(tag.name, "Tag", json.dumps({"query": urlencode({"tag": tag.pk})})) for tag in tags),
    ]
