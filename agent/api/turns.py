"""Turns of any thread that one may read: stop one, let it go on, and its log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from django.conf import settings
from django.http import HttpResponse
from django.utils.http import content_disposition_header
from rest_framework.request import Request

from accounts.access import fetch
from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire.described import Choice, describe
from accounts.api.wire.fields import read_choice
from accounts.api.wire.responses import Answer, JsonLines
from accounts.models import Role
from agent.api import answers
from agent.api.decisions import describe_decision
from agent.api.line_answers import CallLine, DecisionLine, LogLine
from agent.api.results import build_result, describe_turn
from agent.cards import answer_files
from agent.conversation import threads
from agent.models import ToolCall, Turn
from agent.turns import client_questions, turn_views, turns
from documents.models import Usage
from kit.errors import NotFound
from kit.timestamps import format_timestamp


class CancelTurn(OrganizationView):
    """Stop a turn of your own thread; admins stop any. Open calls are withdrawn. 409 when it has ended."""

    roles = {"POST": Role.VIEWER}  # who may is a question of the thread; the service asks it

    @describe("Stop a turn", refusals={409: ["This turn has ended already."]})
    def post(self, request: Request, turn_id: str) -> Answer[answers.ChatResult]:
        turns.cancel(self.actor, turn=_turn(self.actor, turn_id))
        return Answer(build_result(turn_views.read_turn(turn_id)))


class ResumeTurn(OrganizationView):
    """Let a paused turn go on, with fresh room for the limit it met. 409 when it is not paused."""

    roles = {"POST": Role.VIEWER}  # who may is a question of the thread; the service asks it

    @describe("Resume a paused turn", refusals={409: ["This turn is not paused."]})
    def post(self, request: Request, turn_id: str) -> Answer[answers.ChatResult]:
        turns.resume(self.actor, turn=_turn(self.actor, turn_id))
        return Answer(build_result(turn_views.read_turn(turn_id)))


class TurnLog(OrganizationView):
    """All that happened in a turn, one JSON object a line: `type` is turn, message, call, decision or cost.

    A call has three sets of arguments: `proposed` by the model, `decided` by a person, and `effective`, which ran.
    """

    roles = {"GET": Role.VIEWER}

    @describe("Get all that happened in a turn")
    def get(self, request: Request, turn_id: str) -> JsonLines[LogLine]:
        return log_of(_turn(self.actor, turn_id))


class MarkdownAnswer(HttpResponse):
    """The answer with its question and sources, for saving."""

    media_type: ClassVar[str] = "text/markdown"


class WordAnswer(HttpResponse):
    """The same for word processors."""

    media_type: ClassVar[str] = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


FILES: Mapping[str, type[MarkdownAnswer | WordAnswer]] = {"md": MarkdownAnswer, "docx": WordAnswer}


class TurnAnswer(OrganizationView):
    """The answer of a turn that has ended as a file, with its question, its numbered sources and links to their places.

    As JSON it is the result of the turn itself, at `chat/turns/{turn_id}`. 404 while there is no answer.
    """

    roles = {"GET": Role.VIEWER}

    @describe(
        "Download an answer with its sources",
        query=[Choice("form", "Without it `md`.", allowed=FILES)],
        refusals={404: ["The turn has no answer."]},
    )
    def get(self, request: Request, turn_id: str) -> MarkdownAnswer | WordAnswer:
        turn = _turn(self.actor, turn_id)
        form = read_choice(request, "form", "md", tuple(FILES))
        message = client_questions.find_answer(turn) if turn.status == Turn.Status.COMPLETED else None
        if message is None:
            raise NotFound("The turn has no answer.")
        file = answer_files.build_file(message, settings.PUBLIC_URL)
        response = FILES[form](file.write(form), content_type=answer_files.FORMATS[form])
        response["Content-Disposition"] = content_disposition_header(True, f"{turn.thread.title[:80]}.{form}")
        response["X-Content-Type-Options"] = "nosniff"
        return response


def log_of(turn: Turn) -> JsonLines[LogLine]:
    return JsonLines(_lines(turn))


def _turn(actor: Actor, turn_id: str) -> Turn:
    rows = Turn.objects.select_related("thread__owner", "thread__organization", "thread__document")
    turn = fetch(actor, rows, turn_id, noun="Turn")
    threads.fetch_readable(actor, turn.thread_id)
    return turn


def _lines(turn: Turn) -> Iterator[LogLine]:
    by = turn.started_by.shown_name if turn.started_by else ""
    yield {
        "type": "turn",
        **describe_turn(turn),
        "thread_id": turn.thread_id,
        "document_id": turn.thread.document_id,
        "origin": turn.origin,
        "started_by": by,
        "model": turn.model,
        "at": format_timestamp(turn.created_at),
        "auto_approved": turn.auto_approved,
        "code_version": turn.code_version,
        "finished_at": format_timestamp(turn.finished_at) if turn.finished_at else None,
    }
    calls = turn.calls.prefetch_related("decisions__user", "decisions__rule").order_by("round", "position", "version")
    by_message: dict[str, list[ToolCall]] = {}
    for call in calls:
        by_message.setdefault(call.message_id, []).append(call)
    for message in turn.messages.order_by("number"):
        yield {
            "type": "message",
            "id": message.pk,
            "at": format_timestamp(message.created_at),
            "number": message.number,
            "round": message.round,
            "role": message.role,
            "model": message.model,
            "blocks": message.blocks,
            "mentions": message.mentions,
            "complete": message.complete,
            "dropped": message.dropped_at is not None,
        }
        for call in by_message.get(message.pk, []):
            yield from _call_lines(call)
    for used in Usage.objects.filter(subject_id=turn.pk).order_by("created_at"):
        yield {
            "type": "cost",
            "at": format_timestamp(used.created_at),
            "purpose": used.purpose,
            "model": used.model,
            "cost_micros": used.cost_micros,
            "prompt_tokens": used.prompt_tokens,
            "completion_tokens": used.completion_tokens,
        }


def _call_lines(call: ToolCall) -> Iterator[CallLine | DecisionLine]:
    yield {
        "type": "call",
        "id": call.pk,
        "at": format_timestamp(call.created_at),
        "round": call.round,
        "position": call.position,
        "version": call.version,
        "tool": call.tool,
        "status": call.status,
        "proposed_text": call.proposed_text,
        "proposed": call.proposed,
        "decided": call.decided,
        "effective": call.effective,
        "why_asks": call.why_asks,
        "allowed_by": call.allowed_by,
        "result": call.result,
        "undoes": call.undoes_id,
        "replaces": call.replaces_id,
        "finished_at": format_timestamp(call.finished_at) if call.finished_at else None,
    }
    for decision in sorted(call.decisions.all(), key=lambda each: each.created_at):
        rule = decision.rule
        yield {
            "type": "decision",
            **describe_decision(decision),
            "rule": str(rule) if rule else None,
            "mode": decision.mode,
        }
