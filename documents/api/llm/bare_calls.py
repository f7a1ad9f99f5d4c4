"""Bare calls of a model, for system admins. A worker makes them; the request waits, or streams what comes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from typing import Any, cast

from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings
from rest_framework import serializers
from rest_framework.request import Request

from accounts.actor import Actor
from accounts.api.access import AccountView, OrganizationView, get_credentials, renew_system_admin
from accounts.api.wire.described import describe
from accounts.api.wire.fields import RequestBody, StrictTextField, TrueOrFalse
from accounts.api.wire.responses import Answer, EventStream
from accounts.models import Member, Role, User
from documents.api import extraction_answers as answers
from documents.api.llm.prompt_runs import CALL_REFUSALS
from documents.models import ModelCall
from kit import events
from kit.errors import AppError, Denied, Invalid, OutOfBudget, Unauthenticated
from kit.http.bodies import Body
from kit.json_types import JsonObject
from llm import model_calls
from llm.call_shapes import CallBody, ChatRequest, Completion, Embedded
from llm.client import ChatMessage

WITH_STREAM = " With stream: true there is more time."
NO_ORGANIZATION = "You belong to no organization whose budget could pay. Use /v0/orgs/{id}/llm/run for one that can."
LOOK_SECONDS = 1.0
MAX_MESSAGES = 1000
Status = ModelCall.Status


class CallFailed(AppError):
    """With the status of the failure in the worker, as 502 when the provider failed."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status  # type: ignore[misc]


class PlainMessage(RequestBody):
    role = serializers.ChoiceField(choices=["system", "user", "assistant"])
    content = StrictTextField(trim_whitespace=False, allow_blank=True)


class NewCompletion(RequestBody):
    model = StrictTextField(max_length=200)
    messages = serializers.ListField(child=PlainMessage(), min_length=1, max_length=MAX_MESSAGES)
    max_tokens = serializers.IntegerField(min_value=1, max_value=1_000_000, allow_null=True, default=None)
    temperature = serializers.FloatField(min_value=0, max_value=2, allow_null=True, default=0.7)
    stream = TrueOrFalse(default=False)


class NewEmbedding(RequestBody):
    model = StrictTextField(max_length=200)
    input = StrictTextField(trim_whitespace=False, max_length=200_000)


class OrganizationChat(OrganizationView):
    """Ask a model, without a document. For system admins, also in organizations that they do not belong to.

    The organization's budget pays. A call that takes longer than RUN_WAIT_SECONDS (25) is given up with 504; with
    `stream: true` the answer comes as events: `{"chunk", "done": false}`, at the end `{"chunk": "", "done": true}`,
    or `{"error"}`. When the client goes away, the call is given up.
    """

    body_kind = Body.TEXT
    roles = {"POST": Role.VIEWER}
    open_to_system_admins = True
    bodies = {"POST": NewCompletion}

    @describe("Ask a model without a document", refusals=CALL_REFUSALS)
    def post(self, request: Request) -> Answer[Completion] | EventStream[answers.CompletionEvent]:
        self.require_system_admin()
        return _answer_chat(self.actor, self.read_body())


class AccountChat(AccountView):
    """Ask a model, without a document. For system admins.

    The budget of your own organization pays: the one you have been an admin of for the longest time, else a member.
    """

    body_kind = Body.TEXT

    bodies = {"POST": NewCompletion}

    @describe("Ask a model without a document", refusals=CALL_REFUSALS)
    def post(self, request: Request) -> Answer[Completion] | EventStream[answers.CompletionEvent]:
        self.require_system_admin()
        return _answer_chat(_enter_own_organization(self.user, request), self.read_body())


class AccountEmbedding(AccountView):
    """Try an embedding model. For system admins; your own organization pays, as for `account/llm/run`."""

    body_kind = Body.TEXT

    bodies = {"POST": NewEmbedding}

    @describe(
        "Try an embedding model",
        refusals={**CALL_REFUSALS, 400: ["offline/rules writes answers; it makes no embeddings."]},
    )
    def post(self, request: Request) -> Answer[Embedded]:
        self.require_system_admin()
        body = self.read_body()
        actor = _enter_own_organization(self.user, request)
        call = _prepare_call(actor, ModelCall.Kind.EMBEDDING, body["model"], {"input": body["input"]})
        return Answer(_wait_for_answer(actor, call))


def _enter_own_organization(user: User, request: Request) -> Actor:
    rows = Member.objects.filter(user=user, organization__closed_at=None).select_related("organization")
    members = sorted(rows, key=lambda member: (member.role != Role.ADMIN, member.created_at))
    if not members:
        raise Invalid(NO_ORGANIZATION)
    token, session_key = get_credentials(request)
    return Actor(user, members[0].organization, Role(members[0].role), token, session_key)


def _answer_chat(actor: Actor, sent: JsonObject) -> Answer[Completion] | EventStream[answers.CompletionEvent]:
    request: ChatRequest = {
        "messages": cast(list[ChatMessage], [dict(message) for message in sent["messages"]]),
        "max_tokens": sent["max_tokens"],
        "temperature": 0.7 if sent["temperature"] is None else sent["temperature"],
    }
    call = _prepare_call(actor, ModelCall.Kind.CHAT, sent["model"], request, stream=sent["stream"])
    return EventStream(_stream_events(actor, call)) if sent["stream"] else Answer(_wait_for_answer(actor, call))


def _prepare_call(
    actor: Actor, kind: ModelCall.Kind, model: str, request: CallBody, *, stream: bool = False
) -> ModelCall:
    seconds = model_calls.get_stream_seconds() if stream else settings.RUN_WAIT_SECONDS
    return model_calls.prepare(actor, kind=kind, model=model, request=request, seconds=seconds)


def _wait_for_answer(actor: Actor, call: ModelCall) -> Any:
    model_calls.wake(call)
    ended = model_calls.wait_for(call, check=partial(renew_system_admin, actor))
    if ended.status == Status.COMPLETED:
        return ended.answer
    if ended.failure_status == OutOfBudget.status:
        raise OutOfBudget(ended.reason)
    if ended.status == Status.FAILED:
        raise CallFailed(ended.reason, ended.failure_status or 500)
    more = WITH_STREAM if ended.kind == ModelCall.Kind.CHAT else ""
    raise CallFailed(ended.reason + more, 504)


async def _stream_events(actor: Actor, call: ModelCall) -> AsyncIterator[str]:
    layer, groups = get_channel_layer(), (events.model_call_group(call.pk), events.user_group(actor.user.pk))
    channel = await layer.new_channel()
    for group in groups:
        await layer.group_add(group, channel)
    look = sync_to_async(partial(_refresh_call, actor))
    sent_length = 0
    try:
        # Only now, so that the first words find somebody who listens.
        await sync_to_async(model_calls.wake)(call)
        yield ": asked\n\n"
        await look(call)
        while call.status in model_calls.UNDER_WAY:
            event = await _receive_next(layer, channel)
            if event.get("kind") == "delta" and event["offset"] == sent_length:
                sent_length += len(event["text"])
                yield _format_event({"chunk": event["text"], "done": False})
            elif event.get("kind") != "delta":
                await look(call)
                if not event:
                    yield ": waiting\n\n"
        for last in _format_last_events(call, sent_length):
            yield last
    except (Unauthenticated, Denied) as error:
        yield _format_event({"error": error.sentence})
    finally:
        for group in groups:
            await layer.group_discard(group, channel)
        if call.status in model_calls.UNDER_WAY:
            await sync_to_async(model_calls.cancel)(call)


def _refresh_call(actor: Actor, call: ModelCall) -> None:
    """Raises Unauthenticated or Denied when whoever reads the stream may no longer do so."""
    renew_system_admin(actor)
    model_calls.refresh(call, taken_within=settings.RUN_WAIT_SECONDS)


async def _receive_next(layer: Any, channel: str) -> JsonObject:
    """The next message; empty when none came for a while."""
    try:
        message = await asyncio.wait_for(layer.receive(channel), LOOK_SECONDS)
    except TimeoutError:
        return {}
    event: JsonObject = message["event"]
    return event


def _format_last_events(call: ModelCall, sent_length: int) -> list[str]:
    if call.status != Status.COMPLETED or not call.answer:
        return [_format_event({"error": call.reason})]
    rest = call.answer["choices"][0]["message"]["content"][sent_length:]
    return [
        *([_format_event({"chunk": rest, "done": False})] if rest else []),
        _format_event({"chunk": "", "done": True}),
    ]


def _format_event(data: answers.CompletionEvent) -> str:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n"
