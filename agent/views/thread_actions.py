"""What a person does in a thread: say something, stop, go on, choose mode and model, decide a card."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from accounts.access import fetch
from accounts.models import Role
from accounts.views.pages import PageRequest, organization_page
from agent.conversation import mentions, threads
from agent.conversation.addresses import address_of
from agent.models import Thread, Turn
from agent.turns import turns
from agent.turns.surveys import survey_retry
from agent.views.panel import panel, signal_change
from documents.find import scopes
from documents.models import Document
from documents.views.review.neighbours import format_list_query, read_list_query
from kit import sanitize
from kit.errors import Invalid
from kit.http.bodies import Body, takes
from llm import models_catalogue


@require_POST
@organization_page(role=Role.REVIEWER)
@takes(Body.TEXT)
def begin(request: PageRequest, document_id: str) -> HttpResponse:
    """The first message of a new thread about a document; the answer is the panel with that thread."""
    return _begin(request, fetch(request.actor, Document.objects.all(), document_id, noun="Document"))


@require_POST
@organization_page()
@takes(Body.TEXT)
def begin_without_document(request: PageRequest) -> HttpResponse:
    """The same for a thread about no document, which a viewer may begin too."""
    return _begin(request, None)


def _begin(request: PageRequest, document: Document | None) -> HttpResponse:
    text = request.POST.get("text", "")
    if not text.strip():
        raise Invalid("The message is empty.")
    with transaction.atomic():
        # All or nothing: a model that cannot be used leaves no empty thread behind.
        private = document is None and request.POST.get("private") == "1"
        thread = threads.create(request.actor, document=document, private=private)
        _choose(request, thread)
        _start(request, thread, text)
    thread.refresh_from_db(fields=["last_seq"])
    query = read_list_query(request)
    response = render(request, "agent/panel.html", panel(request.actor, document, thread, list_query=query))
    response["HX-Push-Url"] = address_of(thread) + format_list_query(query).replace("?", "&", 1)
    return response


@require_POST
@organization_page()
@takes(Body.TEXT)
def say(request: PageRequest, thread_id: str) -> HttpResponse:
    """A message. `instead_of` is the number of an earlier one: that and all after it are dropped first."""
    thread = threads.fetch_readable(request.actor, thread_id)
    earlier = request.POST.get("instead_of", "")
    with transaction.atomic():
        if earlier:
            threads.go_back(request.actor, thread=thread, message_number=_message_number(earlier))
        _start(request, thread, request.POST.get("text", ""))
    return signal_change()


@require_POST
@organization_page()
def ask_again(request: PageRequest, thread_id: str, call_id: str) -> HttpResponse:
    """The documents of a survey that were not read, in a turn of their own."""
    thread = threads.fetch_readable(request.actor, thread_id)
    survey_retry.start_again(request.actor, thread=thread, call_id=call_id)
    return signal_change()


@require_POST
@organization_page()
def ask_every_document(request: PageRequest, thread_id: str, turn_id: str) -> HttpResponse:
    """Every document of the turn's scope is asked its question: the card with the price comes first."""
    thread = threads.fetch_readable(request.actor, thread_id)
    survey_retry.start_full_pass(request.actor, thread=thread, turn_id=turn_id)
    return signal_change()


@require_POST
@organization_page()
def choose(request: PageRequest, thread_id: str) -> HttpResponse:
    """Mode and model of the thread's next turns."""
    thread = threads.fetch_readable(request.actor, thread_id)
    threads.require_owner(request.actor, thread)
    _choose(request, thread)
    return signal_change()


@require_POST
@organization_page()
def cancel(request: PageRequest, turn_id: str) -> HttpResponse:
    turns.cancel(request.actor, turn=_turn(request, turn_id))
    return signal_change()


@require_POST
@organization_page()
def resume(request: PageRequest, turn_id: str) -> HttpResponse:
    turns.resume(request.actor, turn=_turn(request, turn_id))
    return signal_change()


def _choose(request: PageRequest, thread: Thread) -> None:
    mode, model = request.POST.get("mode", thread.mode), request.POST.get("model", thread.model)
    if mode != thread.mode:
        threads.set_mode(request.actor, thread=thread, mode=mode)
    if model != thread.model:
        if model:
            models_catalogue.check_usable(model)
        threads.set_model(request.actor, thread=thread, model=model)


def _start(request: PageRequest, thread: Thread, text: str) -> None:
    """Without a scope or depth those of the turn before go on."""
    turns.start(
        request.actor,
        thread=thread,
        text=text,
        mentions=_read_mentions(request),
        scope=_read_scope(request),
        depth=request.POST.get("depth"),
    )


def _read_mentions(request: PageRequest) -> list[mentions.Mention]:
    return mentions.check_mentions(request.actor, _read_json(request, "mentions", "[]"))


def _read_scope(request: PageRequest) -> scopes.Scope | None:
    """None where the page sends none: then that of the turn before goes on."""
    return scopes.check_scope(request.actor, _read_json(request, "scope", "{}")) if "scope" in request.POST else None


def _read_json(request: PageRequest, name: str, empty: str) -> object:
    try:
        return sanitize.parse(request.POST.get(name) or empty)
    except ValueError as error:
        raise Invalid(f"{name} is not JSON.") from error


def _message_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Invalid("instead_of is the number of a message.")
    return int(text)


def _turn(request: PageRequest, turn_id: str) -> Turn:
    rows = Turn.objects.select_related("thread__owner", "thread__organization", "thread__document")
    turn = fetch(request.actor, rows, turn_id, noun="Turn")
    threads.fetch_readable(request.actor, turn.thread_id)
    return turn
