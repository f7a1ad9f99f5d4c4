"""Saved views beside the navigation."""

from __future__ import annotations

from django import template

from accounts.actor import Actor
from documents.views.find.saved_views import ListedView, list_for_navigation

register = template.Library()


@register.simple_tag
def list_saved_views(actor: Actor) -> list[ListedView]:
    return list_for_navigation(actor)
