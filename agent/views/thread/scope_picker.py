"""Which documents the next message is about: all, those of a saved filter or tag, or those chosen one by one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from urllib.parse import urlencode

from accounts.actor import Actor
from documents.catalog import saved_views
from documents.catalog.scopes import ScopeView
from documents.models import Tag

MAX_TAGS = 30


@dataclass(frozen=True)
class ScopeChoice:
    """`text` is what the page sends for it."""

    name: str
    about: str
    text: str


@dataclass(frozen=True)
class ScopePicker:
    """`picked` is the text of the choice that stands, none of them where documents were chosen one by one."""

    choices: list[ScopeChoice]
    picked: str
    label: str


def build_picker(actor: Actor, scope: ScopeView | None) -> ScopePicker:
    choices = [ScopeChoice("All documents", "Everything that you may read", "{}"), *_list_choices(actor)]
    if scope is None:
        return ScopePicker(choices, "{}", "All documents")
    names = {choice.text: choice.name for choice in choices}
    return ScopePicker(choices, scope.text, names.get(scope.text, "Chosen documents"))


def _list_choices(actor: Actor) -> list[ScopeChoice]:
    """Saved filters, then tags, in the order in which lists have them."""
    views = [view for view in saved_views.list_views(actor) if view.query]
    tags = Tag.objects.for_org(actor.organization).order_by("name")[:MAX_TAGS]
    return [
        *(ScopeChoice(view.name, "Saved filter", json.dumps({"query": view.query})) for view in views),
        *(ScopeChoice(tag.name, "Tag", json.dumps({"query": urlencode({"tag": tag.pk})})) for tag in tags),
    ]
