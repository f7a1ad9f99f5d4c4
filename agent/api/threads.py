"""Threads of a document, or of none: one's own in a list, one of them with its messages, and the way to the trash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from rest_framework import serializers
from rest_framework.request import Request
from typing_extensions import TypedDict

from accounts.api.access import OrganizationView
from accounts.api.wire.described import Number, describe
from accounts.api.wire.fields import RequestBody, StrictTextField, TrueOrFalse, read_number
from accounts.api.wire.responses import Answer
from accounts.models import Role
from agent import steps as thread_steps
from agent.api import answers
from agent.api.chat import NO_DOCUMENT, document_of
from agent.api.results import describe_changes, describe_check, describe_round, read_values
from agent.citations.checked_answers import is_checked
from agent.conversation import threads
from agent.conversation.cited_messages import CitedMessage, read_messages
from agent.models import Thread, Turn
from agent.steps import Step
from agent.toolkit.turn_changes import TurnChanges, describe_turn_changes
from agent.turns import chats, transcripts
from agent.turns.transcripts import AnswerEntry, Entry, UserEntry
from documents.models import Document
from kit.errors import NotFound
from kit.timestamps import format_timestamp

DEFAULT_LISTED, DEFAULT_MESSAGES, MAX_LISTED, MAX_MESSAGES = 50, 25, 100, 1000


class NewThread(RequestBody):
    title = StrictTextField(max_length=200, required=False, allow_null=True, allow_blank=True, default="")


class ThreadSteps(TypedDict):
    """All of a thread, in their order."""

    steps: list[Step]


class WrittenStep(RequestBody):
    text = StrictTextField(max_length=thread_steps.MAX_CHARACTERS)
    done = TrueOrFalse(required=False, default=False)


class WrittenSteps(RequestBody):
    steps = serializers.ListField(
        child=WrittenStep(),
        max_length=thread_steps.MAX_STEPS,
        help_text="In place of those before; none takes all away.",
    )


class Threads(OrganizationView):
    """Your own threads on this document, the newest first; or an empty new one."""

    roles = {"GET": Role.VIEWER, "POST": Role.REVIEWER}
    bodies = {"POST": NewThread}

    @describe(
        "List your threads", query=[Number("limit", "The newest so many threads.", minimum=1, maximum=100, default=50)]
    )
    def get(self, request: Request, document_id: str = NO_DOCUMENT) -> Answer[list[answers.ChatThread]]:
        document = document_of(self.actor, document_id)
        maximum = read_number(request, "limit", DEFAULT_LISTED, minimum=1, maximum=MAX_LISTED)
        rows = Thread.objects.for_org(self.actor.organization).filter(document=document, owner=self.actor.user)
        return Answer([_describe_thread(thread) for thread in rows.order_by("-updated_at", "-pk")[:maximum]])

    @describe("Begin a thread", refusals={400: ["The title has 300 characters; 200 is the most."]})
    def post(self, request: Request, document_id: str = NO_DOCUMENT) -> Answer[answers.BegunThread]:
        document, body = document_of(self.actor, document_id), self.read_body()
        private = body.get("private", False)
        thread = threads.create(self.actor, document=document, title=body["title"] or "", private=private)
        return Answer({"thread_id": thread.pk})


class OneThread(OrganizationView):
    """A thread with its newest messages. Every member may read it; its owner may delete it.

    `message_count` counts all messages: `truncate_thread_to_message_count` of a chat goes by it. `turn` is the one
    that is under way or waits, if there is one.
    """

    roles = {"GET": Role.VIEWER, "DELETE": Role.REVIEWER}

    @describe(
        "Get a thread", query=[Number("limit", "The newest so many messages.", minimum=1, maximum=1000, default=25)]
    )
    def get(self, request: Request, thread_id: str, document_id: str = NO_DOCUMENT) -> Answer[answers.WholeThread]:
        document = document_of(self.actor, document_id)
        thread = threads.fetch_readable(self.actor, thread_id)
        _require_on(document, thread)
        maximum = read_number(request, "limit", DEFAULT_MESSAGES, minimum=1, maximum=MAX_MESSAGES) or DEFAULT_MESSAGES
        entries = transcripts.list_entries(thread)
        cited = _read_checked(thread, entries[-maximum:])
        changes = _read_changes(thread, entries[-maximum:])
        live = thread.turns.filter(status__in=Turn.LIVE).first()
        return Answer(
            {
                **_describe_thread(thread),
                "messages": [_describe_message(entry, cited, changes) for entry in entries[-maximum:]],
                "message_count": len(entries),
                "extraction": read_values(thread),
                "mode": thread.mode,
                "model": thread.model or None,
                "turn": {"id": live.pk, "status": live.status} if live else None,
                "scope": threads.get_scope(thread),
            }
        )

    @describe("Delete a thread")
    def delete(
        self, request: Request, thread_id: str, document_id: str = NO_DOCUMENT
    ) -> Answer[answers.ThreadDeletion]:
        document = document_of(self.actor, document_id)
        threads.trash(self.actor, thread=chats.fetch_own(self.actor, document=document, thread_id=thread_id))
        return Answer({"ok": True})


class Steps(OrganizationView):
    """The list of steps that the agent keeps for long work, and reads in each round.

    At most 30 of 200 characters. Where they are changed while the agent answers, it reads that before it changes them.
    """

    roles = {"GET": Role.VIEWER, "PUT": Role.REVIEWER}
    bodies = {"PUT": WrittenSteps}

    @describe("List the steps of a thread")
    def get(self, request: Request, thread_id: str, document_id: str = NO_DOCUMENT) -> Answer[ThreadSteps]:
        return Answer({"steps": list(self._fetch(thread_id, document_id).steps)})

    @describe(
        "Write the steps of a thread",
        refusals={403: ["This thread is Ana Adams's. Start one of your own to talk to the agent."]},
    )
    def put(self, request: Request, thread_id: str, document_id: str = NO_DOCUMENT) -> Answer[ThreadSteps]:
        thread, body = self._fetch(thread_id, document_id), self.read_body()
        return Answer({"steps": threads.write_steps(self.actor, thread=thread, steps=body["steps"])})

    def _fetch(self, thread_id: str, document_id: str) -> Thread:
        thread = threads.fetch_readable(self.actor, thread_id)
        _require_on(document_of(self.actor, document_id), thread)
        return thread


def _require_on(document: Document | None, thread: Thread) -> None:
    if thread.document != document:
        raise NotFound("Thread not found")


def _describe_thread(thread: Thread) -> answers.ChatThread:
    return {
        "id": thread.pk,
        "title": thread.title,
        "created_at": format_timestamp(thread.created_at),
        "updated_at": format_timestamp(thread.updated_at),
    }


def _read_checked(thread: Thread, entries: Sequence[Entry]) -> Mapping[str, CitedMessage]:
    answered = [entry.last.message for entry in entries if isinstance(entry, AnswerEntry) and entry.last]
    return read_messages(thread, [message for message in answered if message and is_checked(message)])


def _read_changes(thread: Thread, entries: Sequence[Entry]) -> Mapping[str, TurnChanges | None]:
    """By the ids of their turns, as things are now."""
    turn_ids = {entry.message.turn_id for entry in entries if isinstance(entry, AnswerEntry)}
    calls = sorted(thread.calls.filter(turn__in=turn_ids).select_related("undone_by"), key=lambda call: call.turn_id)
    return {turn: describe_turn_changes(few) for turn, few in groupby(calls, key=lambda call: call.turn_id)}


def _describe_message(
    entry: Entry, cited: Mapping[str, CitedMessage], changes: Mapping[str, TurnChanges | None]
) -> answers.ThreadMessage:
    return _describe_request(entry) if isinstance(entry, UserEntry) else _describe_answer(entry, cited, changes)


def _describe_request(entry: UserEntry) -> answers.UserMessage:
    message = entry.message
    return {
        "role": "user",
        "content": message.join_text(),
        "tool_calls": None,
        "tool_call_id": None,
        "mentions": message.mentions,
        "created_at": format_timestamp(message.created_at),
    }


def _describe_answer(
    entry: AnswerEntry, cited: Mapping[str, CitedMessage], changes: Mapping[str, TurnChanges | None]
) -> answers.AgentMessage:
    last, checked = entry.last, cited.get(entry.message.pk)
    decided_calls = describe_round(last)["tool_calls"] if last and entry.asked else None
    return {
        "role": "assistant",
        "content": checked.numbered if checked else last.text if last else "",
        **describe_check(checked or CitedMessage("")),
        "tool_calls": decided_calls,
        "thinking": (last.thinking if last else "") or None,
        "executed_rounds": [describe_round(each) for each in entry.executed if each.calls] or None,
        "changes": describe_changes(changes.get(entry.message.turn_id)),
        "turn_id": entry.message.turn_id,
        "created_at": format_timestamp(entry.message.created_at),
    }
