"""Why a request to the agent cost what it cost."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.access import fetch
from accounts.views.pages import PageRequest, organization_page
from agent.conversation import threads
from agent.conversation.addresses import address_of
from agent.models import Turn
from agent.usage.timeline import trace_turn


@require_GET
@organization_page()
def show(request: PageRequest, turn_id: str) -> HttpResponse:
    turn = fetch(request.actor, Turn.objects.select_related("thread__document"), turn_id, noun="Turn")
    threads.fetch_readable(request.actor, turn.thread_id)
    context = {
        "section": "usage",
        "turn": turn,
        "thread_address": address_of(turn.thread),
        "timeline": trace_turn(turn),
        "question": turn.messages.filter(role="user").order_by("number").first(),
    }
    return render(request, "agent/usage/turn.html", context)
