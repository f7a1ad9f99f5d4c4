"""One row of each model of the agent, about a document."""

from __future__ import annotations

from django.db.models import Model
from django.utils import timezone

from accounts.actor import Actor
from agent.models import (
    AgentSettings,
    Citation,
    Decision,
    Event,
    FocusItem,
    McpClient,
    McpRequest,
    Message,
    OutsideServer,
    OutsideTool,
    ReadingAlias,
    Rule,
    ScopeCheck,
    ScopeProfile,
    StandingWish,
    Thread,
    ThreadSummary,
    ToolCall,
    Turn,
)
from documents.models import Document


def conversation(actor: Actor, document: Document) -> list[Model]:
    user = actor.user
    thread = Thread.objects.create(
        organization=actor.organization, document=document, owner=user, title="Totals", last_seq=1, last_message=1
    )
    turn = Turn.objects.create(
        thread=thread,
        number=1,
        status="paused",
        pause_reason="max_rounds",
        started_by=user,
        model="offline/rules",
        max_rounds=10,
        limit_micros=1_000_000,
        code_version="0",
    )
    message = Message.objects.create(
        thread=thread, turn=turn, number=1, round=1, role="assistant", blocks=[{"type": "text", "text": "SECRET WORDS"}]
    )
    call = ToolCall.objects.create(
        thread=thread,
        turn=turn,
        message=message,
        round=1,
        position=0,
        wire_id="abcdefghi",
        tool="update_document",
        proposed={"document_name": "new"},
        status="rejected",
    )
    rule = Rule.objects.create(
        organization=actor.organization,
        scope="thread",
        thread=thread,
        user=user,
        tool="update_document",
        verdict="ask",
        created_by=user,
    )
    decision = Decision.objects.create(
        call=call, version=1, kind="rejected", user=user, rule=rule, shown_hash="0" * 64, idempotency_key="k"
    )
    event = Event.objects.create(thread=thread, seq=1, kind="call.changed", payload={"call_id": call.pk})
    summary = ThreadSummary.objects.create(
        thread=thread, turn=turn, upto=1, text="SECRET WORDS", tokens_before=9000, tokens_after=300
    )
    wish = StandingWish.objects.create(thread=thread, text="SECRET WORDS", added_by=actor.user)
    item = FocusItem.objects.create(
        thread=thread, turn=turn, document=document, how="named", named_at=timezone.now(), position=1
    )
    set_once, _ = AgentSettings.objects.get_or_create(organization=actor.organization)
    token = actor.user.access_tokens.latest("created_at")
    client = McpClient.objects.create(
        organization=actor.organization, user=user, token=token, name=f"client {thread.pk}", thread=thread
    )
    profile = ScopeProfile.objects.create(organization=actor.organization, client=client, sentence="Invoices.")
    request = McpRequest.objects.create(token=token, tool="update_document", digest="0" * 64, turn=turn)
    check = ScopeCheck.objects.create(turn=turn, stage="before", outcome="in")
    rows = [thread, turn, message, call, rule, decision, event, summary, wish, item, set_once, client, profile, request]
    return [*rows, check, *_outside(actor, thread.pk), *_sources(turn, document)]


def _sources(turn: Turn, document: Document) -> list[Model]:
    reading = document.readings.latest("number")
    cited = {"page": 1, "line": 1, "box": [0, 0, 1, 1], "cited_text": "SECRET WORDS"}
    return [
        ReadingAlias.objects.create(thread=turn.thread, number=1, reading=reading, lines={"1": [[1, 1]]}),
        Citation.objects.create(turn=turn, number=1, reading=reading, **cited),
    ]


def _outside(actor: Actor, number: str) -> list[Model]:
    """`number` is another one each time."""
    prefix = number[-8:]
    server = OutsideServer.objects.create(
        organization=actor.organization, name=f"Server {prefix}", prefix=prefix, url="https://mcp.example/mcp"
    )
    tool = OutsideTool.objects.create(server=server, name="look", tool=f"{prefix}_look", digest="0" * 64)
    return [server, tool]
