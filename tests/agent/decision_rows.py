"""Cards to decide, and how a person does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from accounts.actor import Actor
from agent.calls.decisions import CardSnapshot, decide
from agent.models import Decision, ToolCall

Propose = Callable[..., list[ToolCall]]


def say(actor: Actor, call: ToolCall, kind: str = "approved", key: str = "k1", **more: Any) -> Decision:
    seen_card = {"version": call.version, "shown_hash": call.shown_hash} | more
    return decide(actor, call=call, kind=kind, idempotency_key=key, **seen_card)  # type: ignore[arg-type]


def faces(*calls: ToolCall) -> list[CardSnapshot]:
    return [CardSnapshot(call.pk, call.version, call.shown_hash) for call in calls]
