"""Turns of MCP clients: a request of a program is one round of calls, which pass the same gate as the agent's.

No model is asked. What reads runs at once; what changes something waits as a card, and the client gets the handle of
the turn. The same request, sent again, finds the turn that it has begun.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.utils import timezone

from accounts.actor import Actor
from accounts.services import audit
from agent import feed
from agent.calls import execution, proposed_calls
from agent.calls.call_drafts import RequestedCall
from agent.calls.leases.claiming import claim_call
from agent.conversation import messages, threads
from agent.models import McpClient, McpRequest, Message, Thread, ToolCall, Turn
from agent.policy import agent_settings
from agent.policy.policy_context import Policy
from agent.toolkit.registry import registry
from agent.turns.turn_views import newest_revisions
from documents.extractions.edits import Evidence
from kit import jobs
from kit.errors import AppError, Conflict, Denied, Invalid, TooMany
from kit.jobs import Job

MAX_CARDS = 100
MAX_CLIENTS = 50
MAX_KEY = 100
UNNAMED = "MCP client"
KEY_USED = "This idempotency key was used for another request of this tool. Send a new key."
PROPOSE = "propose_changes"
HOLDER = "mcp"


@dataclass(frozen=True)
class ClientRequest:
    """What a client asks for in one request: a tool with its arguments, or several changes at once."""

    tool: str
    calls: Sequence[RequestedCall]
    key: str = ""

    @property
    def digest(self) -> str:
        text = json.dumps([self.tool, [[call.name, call.arguments_text] for call in self.calls]])
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def only_reads(self) -> bool:
        names = {tool.name for tool in registry if tool.is_read and not tool.asks_model}
        return all(call.name in names for call in self.calls)


def find_or_create_client(actor: Actor, name: str) -> McpClient:
    """The client of the actor's token that calls itself so, with the thread of its own. Raises Denied for too many."""
    name = " ".join("".join(char if char.isprintable() else " " for char in name).split())[:60] or UNNAMED
    rows = McpClient.objects.select_related("thread__organization", "thread__owner", "thread__document")
    client = rows.filter(token=actor.token, name=name).first()
    if client is not None and client.thread.trashed_at is None:
        return client
    try:
        return _create_client(actor, name, client)
    except IntegrityError:  # Two of its first requests came at once.
        return rows.get(token=actor.token, name=name)


@transaction.atomic
def _create_client(actor: Actor, name: str, former: McpClient | None) -> McpClient:
    """A new client, or a new thread for one whose thread is in the trash."""
    if former is None and McpClient.objects.filter(token=actor.token).count() >= MAX_CLIENTS:
        raise Denied(f"{MAX_CLIENTS} clients have used this token, the most for one. Make a token for this client.")
    thread = threads.create(actor, title=name)
    Thread.objects.filter(pk=thread.pk).update(mode=Thread.Mode.ASK)
    thread.refresh_from_db()
    if former is not None:
        McpClient.objects.filter(pk=former.pk).update(thread=thread)
        former.thread = thread
        return former
    return McpClient.objects.create(
        organization=actor.organization, user=actor.user, token=actor.token, name=name, thread=thread
    )


def submit(actor: Actor, *, client: McpClient, request: ClientRequest) -> Turn:
    """Begins the turn of a request, or finds the one that the same request began: by its key, or while it waits.

    Reads have run when this returns. Raises Invalid, Conflict for a key of another request, TooMany when as many cards
    of the client wait as may.
    """
    if len(request.key) > MAX_KEY:
        raise Invalid(f"The idempotency key has {len(request.key)} characters; {MAX_KEY} is the most.")
    turn = build_turn(actor, client)
    evidence = [proposed_calls.search_requested(turn, each) for each in request.calls]
    reads: list[ToolCall] = []
    try:
        earlier = None if request.only_reads else find_same(actor, request)
        turn = earlier or _record(actor, client, turn, request, evidence, reads)
    except IntegrityError:  # The same key twice at once: the other one was first.
        turn = find_same(actor, request) or turn
    for call in reads:
        execution.execute_claimed(call, holder=HOLDER)
    turn.refresh_from_db(fields=["status", "reason", "finished_at"])
    return turn


def build_turn(actor: Actor, client: McpClient) -> Turn:
    """As a request of the client begins it; not written yet."""
    effective = agent_settings.effective_settings(client.thread.organization)
    return Turn(
        thread=client.thread,
        number=0,
        status=Turn.Status.AWAITING_APPROVAL,
        origin=Turn.Origin.MCP,
        started_by=actor.user,
        role_ceiling=actor.token.role_ceiling if actor.token else "",
        token=actor.token,
        client=client,
        model=HOLDER,
        round=1,
        max_rounds=1,
        limit_micros=effective.turn_limit_micros,
        limit_ms=settings.TURN_LIMIT_SECONDS * 1000,
        code_version=settings.VERSION,
    )


def find_same(actor: Actor, request: ClientRequest) -> Turn | None:
    """By its key; without one the same request whose cards still wait. Ids of requests repeat, so they say nothing."""
    rows = McpRequest.objects.filter(token=actor.token, tool=request.tool).select_related(
        "turn__thread__organization", "turn__thread__owner", "turn__thread__document"
    )
    if request.key:
        row = rows.filter(key=request.key).first()
        if row is not None and row.digest != request.digest:
            raise Conflict(KEY_USED)
    else:
        row = rows.filter(digest=request.digest, turn__status__in=Turn.LIVE).order_by("-created_at").first()
    return row.turn if row else None


@feed.one_transaction()
def _record(
    actor: Actor,
    client: McpClient,
    turn: Turn,
    request: ClientRequest,
    evidence: Sequence[Evidence],
    reads: list[ToolCall],
) -> Turn:
    """The rows of the request. Requests of a client follow each other: each finds what the ones before have begun.

    Its `reads` are claimed in the same transaction: of each the disk is waited for twice, and not three times.
    """
    Thread.objects.select_for_update().get(pk=client.thread_id)
    if not request.only_reads:
        if earlier := find_same(actor, request):
            return earlier
        _require_room(client, len(request.calls))
    newest = client.thread.turns.order_by("-number").values_list("number", flat=True).first()
    turn.number = (newest or 0) + 1
    turn.save(force_insert=True)
    if not request.only_reads:
        record_request(actor, client, turn, request)
    message = messages.write(turn, role=Message.Role.ASSISTANT, blocks=[], model=client.name)
    calls = proposed_calls.propose_round(
        turn, message=message, requested=request.calls, policy=Policy(client.thread), evidence=evidence
    )
    _end_or_wait(turn, calls)
    feed.report_round(turn, message.pk, calls)
    runs = [call for call in calls if call.status == ToolCall.Status.APPROVED and _runs_here(call)]
    reads += [claimed for call in runs if (claimed := claim_call(call.pk))]
    return turn


def record_request(actor: Actor, client: McpClient, turn: Turn, request: ClientRequest) -> None:
    """By which the same request, sent again, finds the turn. Raises IntegrityError for a key that is there."""
    row: dict[str, object] = {"tool": request.tool, "key": request.key or None, "digest": request.digest}
    row["token"] = actor.token
    McpRequest.objects.create(turn=turn, **row)
    audit.record(actor, "asked over MCP", turn, tool=request.tool, client=client.name)


def _require_room(client: McpClient, new_cards: int) -> None:
    waiting = Count("calls", filter=Q(calls__status=ToolCall.Status.PENDING))
    count = Thread.objects.filter(pk=client.thread_id).aggregate(count=waiting)["count"]
    if count + new_cards > MAX_CARDS:
        raise TooMany(
            f"{count} cards of this client wait for a person; {MAX_CARDS} is the most. Have some decided first."
        )


def _end_or_wait(turn: Turn, calls: Sequence[ToolCall]) -> None:
    if all(call.status in ToolCall.TERMINAL for call in calls):
        turn.status, turn.finished_at = Turn.Status.COMPLETED, timezone.now()
        turn.save(update_fields=["status", "finished_at"])
    for call in calls:
        if call.status == ToolCall.Status.APPROVED and not _runs_here(call):
            jobs.enqueue(Job.EXECUTE_CALL, call.pk)


def _runs_here(call: ToolCall) -> bool:
    """What asks a model runs in a worker."""
    tool = registry.find(call.tool)
    return tool.is_read and not tool.asks_model


def list_calls(turn: Turn) -> list[ToolCall]:
    """The calls of a request in its order; of a card that was made anew the last revision."""
    return newest_revisions(turn.calls.select_related("thread", "turn", "undone_by"))


def find_turn(actor: Actor, turn_id: str) -> Turn | None:
    """A turn that was begun with the actor's token. Others, and those of another token, are unknown."""
    rows = Turn.objects.for_org(actor.organization).select_related("thread__organization", "thread__owner")
    own = Q(origin=Turn.Origin.MCP, thread__mcp_client__token=actor.token) | Q(mcp_request__token=actor.token)
    return rows.filter(own, pk=turn_id).first()


def find_turn_of_call(actor: Actor, call_id: str) -> Turn | None:
    call = ToolCall.objects.for_org(actor.organization).filter(pk=call_id).first()
    return find_turn(actor, call.turn_id) if call else None


def is_live(turn: Turn) -> bool:
    """As it is now, which the turn is brought up to."""
    turn.refresh_from_db(fields=["status", "reason", "round", "spent_micros", "finished_at"])
    return turn.status in Turn.LIVE


def describe_failure(error: AppError) -> str:
    """A refusal before any call was there, as the client reads it."""
    listed = (f"{problem.where}: {problem.message}" for problem in error.problems[:10])
    return " ".join([error.sentence, *(each for each in listed if each not in error.sentence)])
