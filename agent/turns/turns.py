"""Turns: one request to the agent, from a person's message to the final text."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from agent import feed, focus
from agent.calls import rounds
from agent.calls.withdrawal import withdraw_and_end
from agent.conversation import messages
from agent.conversation.mentions import Mention, list_document_ids
from agent.conversation.threads import UNTITLED, list_labels, require_owner, title_from
from agent.models import McpClient, Message, Thread, ToolCall, Turn
from agent.policy import agent_settings
from agent.policy.agent_settings import EffectiveSettings
from agent.policy.permissions import STOPPED
from agent.policy.turn_time import asks, count_used_ms, read_request
from documents import bulk
from documents.bulk import surveys
from documents.find.scopes import Scope
from kit import jobs
from kit.errors import Conflict, Denied, Invalid
from kit.jobs import Job
from llm import models_catalogue

Status = Turn.Status
WENT_ON = "The user went on with another message before deciding."
CANCELLED = "The user stopped the turn."
OF_A_CLIENT = "This thread keeps what an MCP client asks for. Start a thread of your own to talk to the agent."
MAX_CHARACTERS = 50_000


def start(
    actor: Actor,
    *,
    thread: Thread,
    text: str,
    keep: bool = False,
    model: str = "",
    mentions: Sequence[Mention] = (),
    scope: Scope | None = None,
    auto_approved: Sequence[str] = (),
    origin: str = Turn.Origin.CHAT,
    only_reads: bool = False,
    depth: str | None = None,
    again: str = "",
    client: McpClient | None = None,
) -> Turn:
    """Writes the message and queues a turn for it. What waited in the thread is withdrawn first.

    `mentions` and `scope` have passed their checks; without a scope or depth those of the turn before go on.
    `depth` bounds how many documents are read; empty: the model chooses. `auto_approved`
    are names of tools, or "*", that the client answers for. With `only_reads` the turn has the rights of a viewer.
    `again` is the call that its first step repeats, `client` the MCP client that asks.
    With `keep` a thread whose cards wait is left alone. Raises Conflict while a turn is running, or waits with `keep`.
    """
    require_owner(actor, thread)
    text = text.strip()
    if not text:
        raise Invalid("The message is empty.")
    if len(text) > MAX_CHARACTERS:
        raise Invalid(f"The message has {len(text)} characters; {MAX_CHARACTERS} is the most.")
    effective = agent_settings.effective_settings(thread.organization)
    name = models_catalogue.resolve(model or thread.model, default=effective.default_model)
    agent_settings.check_model(thread.organization, name, effective)
    ceiling = Role.VIEWER if only_reads else actor.token.role_ceiling if actor.token else ""
    if depth and depth not in Turn.Depth.values:
        raise Invalid(f"The depth {depth[:20]!r} is unknown. It is {', '.join(Turn.Depth.values)}, or empty.")
    fields = {
        "model": name,
        "depth": depth,
        "limit_ms": _choose_limit_ms(thread, effective, is_question=asks(text)),
        "auto_approved": list(auto_approved),
        "origin": origin,
        "role_ceiling": ceiling,
        "token": actor.token,
        "client": client,
    }
    limits = {"max_rounds": effective.max_rounds, "limit_micros": effective.turn_limit_micros}
    try:
        return _start(actor, thread, text, keep, mentions, scope, again, **fields, **limits)
    except IntegrityError as error:
        raise Conflict("Another message has just started a turn in this thread.") from error


@feed.one_transaction()
def _start(
    actor: Actor,
    thread: Thread,
    text: str,
    keep: bool,
    mentions: Sequence[Mention],
    scope: Scope | None,
    again: str,
    **fields: object,
) -> Turn:
    newest = thread.turns.select_for_update().order_by("-number").first()
    if newest is not None and newest.origin == Turn.Origin.MCP:
        raise Denied(OF_A_CLIENT)
    if newest is not None and newest.status in Turn.LIVE:  # an earlier one never is: a thread has one live turn
        _end_live_turn(actor, newest, keep)
    if scope is None:
        scope = newest.scope if newest else {}
    if fields["depth"] is None:
        fields["depth"] = newest.depth if newest else ""
    turn = Turn.objects.create(
        thread=thread,
        scope=scope,
        number=newest.number + 1 if newest else 1,
        started_by=actor.user,
        tainted=bool(scope) or _is_tainted(thread, newest, mentions),
        code_version=settings.VERSION,
        **fields,
    )
    blocks: list[messages.Block] = [{"type": "text", "text": text}]
    blocks += [{"type": "again", "call_id": again}] if again else []
    title = title_from(text, list_labels(thread, mentions)) if thread.title == UNTITLED else ""
    message = messages.write(
        turn, role=Message.Role.USER, blocks=blocks, title=title, mentions=[dict(named) for named in mentions]
    )
    thread.title = title or thread.title
    focus.note_message(turn, [focus.NamedObject(each["type"], each["id"]) for each in mentions])
    audit.record(actor, "asked the agent", turn)
    jobs.enqueue(Job.RUN_TURN, turn.pk)
    feed.report_turn(turn)
    feed.append(thread.pk, "message.added", message_id=message.pk, turn_id=turn.pk)
    return turn


def _is_tainted(thread: Thread, newest: Turn | None, mentions: Sequence[Mention]) -> bool:
    """Whether its context holds text of documents from the beginning: what earlier turns named stays there."""
    is_tainted_before = newest is not None and newest.tainted
    return thread.document_id is not None or is_tainted_before or bool(list_document_ids(mentions))


def _end_live_turn(actor: Actor, live: Turn, keep: bool) -> None:
    if live.status == Status.RUNNING:
        raise Conflict("The agent is still writing. Stop it first, or wait for its answer.")
    if keep and live.status == Status.QUEUED:
        raise Conflict("The agent has just been asked. Stop it first, or wait for its answer.")
    if keep:
        raise Conflict("Cards of this thread wait for a decision. Decide them first.")
    withdraw_and_end(actor, live, WENT_ON, ToolCall.Status.SUPERSEDED)


@transaction.atomic
def cancel(actor: Actor, *, turn: Turn) -> Turn:
    """Stops the turn: at once when nothing runs, else at the worker's next look, some 250 ms later.

    Raises Conflict when it has ended already.
    """
    _require_right(actor, turn)
    turn = rounds.lock_turn(turn.pk)
    if turn.status not in Turn.LIVE:
        raise Conflict("This turn has ended already.")
    turn.cancel_requested_at = turn.cancel_requested_at or timezone.now()
    turn.save(update_fields=["cancel_requested_at"])
    if turn.status in (Status.QUEUED, Status.AWAITING_APPROVAL, Status.PAUSED):
        end_as_cancelled(turn, actor=actor)
    _stop_surveys(actor, turn)
    audit.record(actor, "stopped", turn)
    return turn


def _stop_surveys(actor: Actor, turn: Turn) -> None:
    """Other workers than the one that runs the call read for it too, and none may be there that looks."""
    for action in surveys.list_under_way(turn.pk):
        with suppress(Conflict):
            bulk.stop(actor, action=action)


def end_as_cancelled(turn: Turn, *, actor: Actor | None = None) -> None:
    """Ends the turn as cancelled and withdraws what has not begun, inside the caller's transaction."""
    withdraw_and_end(actor, turn, CANCELLED, ToolCall.Status.CANCELLED)
    feed.report_turn(turn)


@transaction.atomic
def resume(actor: Actor, *, turn: Turn) -> Turn:
    """Lets a paused turn go on, with fresh room for the limit it met. Raises Conflict when it is not paused."""
    _require_right(actor, turn)
    turn = rounds.lock_turn(turn.pk)
    if turn.status != Status.PAUSED:
        raise Conflict("This turn is not paused.")
    if actor.organization.agent_stopped:
        raise Denied(STOPPED)
    if rounds.open_calls(turn):
        raise Conflict("The outcome of a call of this turn is unknown. Report it on its card first.")
    _give_room(turn)
    rounds.queue_turn(turn)
    feed.report_inbox(turn.thread.organization_id)
    audit.record(actor, "resumed", turn)
    return turn


def _give_room(turn: Turn) -> None:
    effective = agent_settings.effective_settings(turn.thread.organization)
    if turn.pause_reason == Turn.Pause.MAX_ROUNDS:
        turn.max_rounds = turn.round + effective.max_rounds
    if turn.pause_reason == Turn.Pause.BUDGET:
        turn.limit_micros = turn.spent_micros + effective.turn_limit_micros
    if turn.pause_reason == Turn.Pause.TIME:
        more = _choose_limit_ms(turn.thread, effective, is_question=asks(read_request(turn)))
        turn.limit_ms = count_used_ms(turn) + more
    turn.attempt = 0
    turn.save(update_fields=["max_rounds", "limit_micros", "limit_ms", "attempt"])


def _choose_limit_ms(thread: Thread, effective: EffectiveSettings, *, is_question: bool) -> int:
    """Limits the time worked on a turn: questions over many documents may have less, and none has more."""
    is_short = is_question and thread.document_id is None
    own = effective.research_seconds if is_short else settings.TURN_LIMIT_SECONDS
    return 1000 * min(settings.TURN_LIMIT_SECONDS, own)


def _require_right(actor: Actor, turn: Turn) -> None:
    """The thread's owner, and admins, stop and resume a turn."""
    if not actor.may(Role.ADMIN):
        require_owner(actor, turn.thread)
