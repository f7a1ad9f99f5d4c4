"""The standing wishes of a thread, as its owner adds, changes and removes them on the page."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from accounts.views.pages import PageRequest, organization_page
from agent import wishes
from agent.conversation import threads, wish_list
from agent.models import StandingWish
from agent.views.panel import signal_change
from kit.errors import Invalid
from kit.http.bodies import Body, takes


@require_POST
@organization_page()
@takes(Body.TEXT)
def add(request: PageRequest, thread_id: str) -> HttpResponse:
    """`message` is the number of the message that says it, or empty."""
    thread = threads.fetch_readable(request.actor, thread_id)
    number = _read_number(request.POST.get("message", ""))
    wish_list.add(request.actor, thread=thread, text=request.POST.get("text", ""), message_number=number)
    return signal_change()


@require_POST
@organization_page()
@takes(Body.TEXT)
def change(request: PageRequest, thread_id: str, wish_id: str) -> HttpResponse:
    wish_list.change(request.actor, wish=_fetch(request, thread_id, wish_id), text=request.POST.get("text", ""))
    return signal_change()


@require_POST
@organization_page()
def remove(request: PageRequest, thread_id: str, wish_id: str) -> HttpResponse:
    wish_list.remove(request.actor, wish=_fetch(request, thread_id, wish_id))
    return signal_change()


@require_POST
@organization_page()
def clear(request: PageRequest, thread_id: str) -> HttpResponse:
    wish_list.clear(request.actor, thread=threads.fetch_readable(request.actor, thread_id))
    return signal_change()


def _fetch(request: PageRequest, thread_id: str, wish_id: str) -> StandingWish:
    return wishes.fetch_wish(threads.fetch_readable(request.actor, thread_id), wish_id)


def _read_number(text: str) -> int | None:
    if text and not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Invalid("message is the number of a message.")
    return int(text) if text else None
