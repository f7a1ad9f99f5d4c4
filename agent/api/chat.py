"""Talking to the agent, about a document or none, with the bodies and answers of the published clients."""

from __future__ import annotations

from functools import partial
from typing import TypeAlias

from django.conf import settings
from rest_framework.request import Request

from accounts.access import fetch
from accounts.actor import Actor
from accounts.api.access import OrganizationView, renew_v0
from accounts.api.wire.answers import Error
from accounts.api.wire.described import Flag, Header, Number, describe
from accounts.api.wire.fields import read_flag, read_number
from accounts.api.wire.responses import Accepted, Answer, EventStream, Failure, NoContent
from accounts.models import Role
from agent.api import answers, streams
from agent.api.chat_bodies import NewApprovals, NewChat
from agent.api.line_answers import TurnEvent
from agent.api.results import build_result, describe_turn
from agent.api.turn_events import Cursor, list_due
from agent.calls import bulk_decisions
from agent.calls.bulk_decisions import GONE
from agent.conversation import mentions, threads
from agent.models import Message, Turn
from agent.outside.catalog import list_tools
from agent.policy import agent_settings
from agent.policy.active_rules import EVERY_TOOL
from agent.toolkit.old_names import get_present_name
from agent.toolkit.registry import registry
from agent.turns import chats, turn_views
from agent.turns.chats import ChatLine
from agent.turns.turn_views import TurnView
from documents.find import scopes
from documents.models import Document
from kit.errors import Invalid, NotFound
from kit.http.bodies import Body
from kit.json_types import JsonObject
from kit.processes import heartbeats

Result: TypeAlias = Answer[answers.ChatResult] | Accepted[answers.ChatUnderWay] | Failure
SPOKEN = (Message.Role.USER, Message.Role.ASSISTANT)
STREAM = "text/event-stream"
NO_DOCUMENT = ""


WAIT = Number("wait", "Seconds to wait at most, without a stream.", maximum=settings.RUN_WAIT_SECONDS)
LAST_EVENT = Header("Last-Event-ID", "The id of the last event that was read: go on after it.")


class Chat(OrganizationView):
    """Say something to the agent about this document, and wait for its answer or for what it asks.

    Of `messages` the last one with the role `user` is the request. With `thread_id` it goes into that thread of yours,
    whose earlier messages are known here; without one a new thread begins with the messages before it. `system` and
    `tool` messages are dropped.

    `scope` says which documents are meant, by their ids or by the filters of a list as its address has them; the model
    is told the names of the first 30 of them, and searches, lists and sums look among them alone. It goes on in the
    thread until another is sent, `{}` for all. An id that names nothing counts as one that is not there any more.

    `depth` bounds how many documents are read: `simple` 1, `concise` 5, `detailed` 15; empty leaves it to the model. It
    goes on in the thread like the scope. A question about no document ends with an answer from what was read when its
    rounds, time or money are used up, and says so.

    The answer comes when the turn ends or when cards wait for a decision: then it has `turn_id` and the `tool_calls`
    that wait, for `chat/approve`. After RUN_WAIT_SECONDS (25), or `wait` seconds, it is 202: `text` is empty, `status`
    is that of the turn, `detail` says in a sentence that there is no answer yet, and `Location` where it will be. The
    turn runs in a worker: a client that goes away loses nothing.

    With `stream: true` the answer is `text/event-stream`: each event is `data: {"type": …}` with an `id`, and comments
    keep the connection open. `round_index` counts the model's answers from 0.

    - `thinking_chunk {chunk, round_index}`, `assistant_text_chunk {chunk, round_index}`: words as they are written.
    - `round_restarted {round_index}`: another worker took the round over, and its words begin anew.
    - `tool_calls {tool_calls, round_index, pending, steps}`: calls that run, or with `pending: true` those that wait
      for you.
    - `tool_result {call_id, name, success, result?, preview?, error?, round_index, step}`: a call has ended.
      A step is `{step, action_type, message, timestamp, tool_name, tool_input, tool_output, tool_status}`, such as
      "Searching for: roof", running, and then "Found 3 documents", complete.
    - `tool_progress {call_id, name, round_index, done, total}`: how many documents a call has visited that asks each of
      them.
    - `round_executed {thinking, text, tool_calls, round_index}`: all calls of a round have ended.
    - `thinking_done {thinking, round_index}`, `assistant_text_done {full_text, round_index}`: the whole answer. Where
      it was checked, numbers replace the block ids of its words as they were written.
    - `citation {number, document_id, document_name, page, block_ids, box, cited_text, supported}`: what a number in
      brackets in the whole answer stands for, once it was checked; each of them once, before the end.
    - `done {result}` or `error {error}`: the last event. `result` is what the answer without a stream would be.

    A stream that broke off goes on after the event named by `Last-Event-ID`, with exactly what was missed: at
    `chat/turns/{turn_id}`, which `Location` names, or by the same request again, which then starts nothing.
    """

    body_kind = Body.TEXT
    roles = {"POST": Role.REVIEWER}
    bodies = {"POST": NewChat}

    @describe(
        "Talk to the agent",
        query=[WAIT, LAST_EVENT],
        refusals={
            400: [
                "Embedding models are not allowed for chat: text-embedding-3-small cannot write answers.",
                "auto_approve requires stream: true",
            ],
            404: ["Thread not found"],
            409: ["Another message has just started a turn in this thread."],
        },
    )
    def post(self, request: Request, document_id: str = NO_DOCUMENT) -> Result | EventStream[TurnEvent]:
        document = document_of(self.actor, document_id)
        body = self.read_body()
        if body["auto_approve"] and not body["stream"]:
            raise Invalid("auto_approve requires stream: true")
        if body["stream"] and (cursor := last_event(request)):
            return streams.respond(self.actor, turn_of(self.actor, document, cursor.turn_id), cursor, {})
        turn = chats.send_message(
            self.actor,
            document=document,
            lines=_lines(body),
            thread_id=body["thread_id"] or "",
            keep_entries=body["truncate_thread_to_message_count"],
            model=body["model"] or "",
            mentions=mentions.check_mentions(self.actor, [] if body["mentions"] is None else body["mentions"]),
            scope=None if body["scope"] is None else scopes.check_scope(self.actor, body["scope"]),
            auto_approved=_list_auto_approved(body),
            depth=body["depth"],
        )
        if body["stream"]:
            return streams.respond(self.actor, turn, Cursor(turn.pk), {})
        return answer_request(request, self.actor, turn, {})


class Approve(OrganizationView):
    """Decide calls of your own turn that wait, and wait for what comes of it.

    A call that is not listed stays pending: the answer then has the same `turn_id` and the calls that are left. An id
    that is no call of the turn decides nothing and is in `unknown_calls`. The same decision again is fine; another
    one than the first is 409 with the first in `winner`. A proposal whose ground has changed does not run: it comes
    back as a new call to decide.
    """

    body_kind = Body.TEXT
    roles = {"POST": Role.REVIEWER}
    bodies = {"POST": NewApprovals}

    @describe(
        "Decide calls of your turn",
        query=[WAIT, LAST_EVENT],
        refusals={400: [GONE], 409: ["This call has been decided already."]},
    )
    def post(self, request: Request, document_id: str = NO_DOCUMENT) -> Result | EventStream[TurnEvent]:
        document = document_of(self.actor, document_id)
        body = self.read_body()
        turn = turn_of(self.actor, document, body["turn_id"])
        if body["thread_id"] and body["thread_id"] != turn.thread_id:
            raise Invalid(bulk_decisions.GONE)
        cursor = last_event(request)
        if body["stream"] and cursor is None:
            cursor = Cursor.at(turn_views.read_turn(turn.pk))
        unknown = bulk_decisions.decide_all(self.actor, turn=turn, requests=body["approvals"])
        more: answers.UnknownCalls = {"unknown_calls": unknown} if unknown else {}
        if cursor and body["stream"]:
            return streams.respond(self.actor, turn, cursor, more)
        return answer_request(request, self.actor, turn, more)


class OneTurn(OrganizationView):
    """The result object of a turn as it is now, also while it runs; `turn` has its state.

    With `Accept: text/event-stream` or `stream=true` its events, after `Last-Event-ID` when there is one; 204 when
    nothing has happened since.
    """

    roles = {"GET": Role.VIEWER}

    @describe(
        "Get or follow a turn",
        query=[Flag("stream", "Its events."), LAST_EVENT],
        refusals={400: ["Last-Event-ID is of another turn."]},
    )
    def get(
        self, request: Request, turn_id: str, document_id: str = NO_DOCUMENT
    ) -> Answer[answers.TurnResult] | EventStream[TurnEvent] | NoContent:
        document = document_of(self.actor, document_id)
        rows = Turn.objects.select_related("thread").filter(thread__document=document, thread__trashed_at=None)
        turn = fetch(self.actor, rows, turn_id, noun="Turn")
        threads.fetch_readable(self.actor, turn.thread_id)
        view = turn_views.read_turn(turn.pk)
        if not (read_flag(request, "stream", False) or STREAM in request.headers.get("Accept", "")):
            return Answer({**build_result(view), "error": view.failure or None})
        cursor = last_event(request) or Cursor(turn.pk)
        if cursor.turn_id != turn.pk:
            raise Invalid("Last-Event-ID is of another turn.")
        if view.stands_still and not list_due(view, cursor):
            return NoContent()
        return streams.respond(self.actor, turn, cursor, {})


class ChatTools(OrganizationView):
    """The agent's tools: those that only read, and those that may ask first.

    `disabled` names those of both lists that an admin of the organization has taken away: no model gets them here.
    `categories` says what each is for: resolution, search, document, extraction, definition, outside, memory, help.
    """

    roles = {"GET": Role.VIEWER}

    @describe("List the agent's tools")
    def get(self, request: Request, document_id: str = NO_DOCUMENT) -> Answer[answers.ChatTools]:
        document_of(self.actor, document_id)
        tools = list(list_tools(self.actor.organization.pk))
        off = agent_settings.effective_settings(self.actor.organization).disabled_tools
        reads, writes = ([tool.name for tool in tools if tool.is_read is is_read] for is_read in (True, False))
        disabled = [tool.name for tool in tools if tool.name in off]
        categories = {tool.name: str(tool.category) for tool in tools}
        return Answer({"read_only": reads, "read_write": writes, "disabled": disabled, "categories": categories})


def document_of(actor: Actor, document_id: str) -> Document | None:
    """None for the routes that name no document."""
    return None if document_id == NO_DOCUMENT else fetch(actor, Document.objects.all(), document_id, noun="Document")


def turn_of(actor: Actor, document: Document | None, turn_id: str) -> Turn:
    """The actor's own turn on this document, or on none. Whatever else is 400, as the clients expect."""
    rows = Turn.objects.select_related("thread").filter(thread__document=document, started_by=actor.user)
    try:
        turn = fetch(actor, rows, turn_id, noun="Turn")
        threads.fetch_readable(actor, turn.thread_id)
    except NotFound:
        raise Invalid(bulk_decisions.GONE) from None
    return turn


def last_event(request: Request) -> Cursor | None:
    """The cursor of Last-Event-ID. Raises Invalid for one that is not ours."""
    sent = request.headers.get("Last-Event-ID") or request.query_params.get("last_event_id", "")
    if not sent:
        return None
    cursor = Cursor.parse(sent)
    if cursor is None:
        raise Invalid("Last-Event-ID is not the id of an event of this API.")
    return cursor


def answer_request(request: Request, actor: Actor, turn: Turn, more: answers.UnknownCalls) -> Result:
    """The result when the turn has ended or waits; 400 with what stopped it; 202 with where to look after a while."""
    seconds = read_number(request, "wait", settings.RUN_WAIT_SECONDS, minimum=0, maximum=settings.RUN_WAIT_SECONDS)
    view = turn_views.wait_for(turn.pk, seconds=seconds or 0, check=partial(renew_v0, actor))
    if view.failure:
        failure: Error = {"detail": view.failure, "code": _failure_code(view), "turn": {**describe_turn(view.turn)}}
        return Failure({**failure, "thread_id": turn.thread_id, **more}, status=400)
    if view.stands_still:
        return Answer({**build_result(view), **more})
    return _under_way(view, more)


def _failure_code(view: TurnView) -> str:
    return Turn.Pause.STOPPED.value if view.is_halted else view.turn.pause_reason or "failed"


def _under_way(view: TurnView, more: answers.UnknownCalls) -> Accepted[answers.ChatUnderWay]:
    at = streams.address_of(view.turn)
    doing = turn_views.AWAY if heartbeats.is_away("agent") else "The agent is still working."
    detail = f"{doing} GET {at} gives the result."
    # No words at all: a client that looks at the text alone must not take half of it for the answer.
    answer: answers.ChatUnderWay = {
        **build_result(view),
        **more,
        "text": "",
        "thinking": None,
        "status": view.status,
        "detail": detail,
    }
    return Accepted(answer, headers={"Location": at, "Retry-After": "2"})


def _lines(body: JsonObject) -> list[ChatLine]:
    return [ChatLine(each["role"], each["content"]) for each in body["messages"] if each["role"] in SPOKEN]


def _list_auto_approved(body: JsonObject) -> list[str]:
    if body["auto_approve"]:
        return [EVERY_TOOL]
    known = {tool.name for tool in registry}
    return sorted(known & set(map(get_present_name, body["auto_approved_tools"] or ())))
