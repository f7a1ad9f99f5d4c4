"""What stands below the last step of a call chain: its steps are decided, and taken back, together there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.cards.cards import Card
from agent.models import ToolCall

MIN_TOGETHER = 2


@dataclass(frozen=True)
class ChainEnd:
    """The steps that one press decides."""

    key: str
    steps: list[ToolCall]
    version: str
    kind: str = "chain_end"


def build_chain_end(chain: Sequence[ToolCall]) -> list[ChainEnd]:
    """None where only one step waits. What no longer fits an edited step has to be decided by itself."""
    steps = [step for step in chain if step.status == ToolCall.Status.PENDING and not step.preview.get("problem")]
    version = "-".join(step.shown_hash for step in steps)
    return [ChainEnd(f"{make_chain_key(chain[0])}-end", steps, version)] if len(steps) >= MIN_TOGETHER else []


def build_chain_undo(cards: Sequence[Card]) -> list[ChainEnd]:
    """Of a chain of which nothing waits or runs any more, where several steps can be taken back."""
    steps = [card.call for card in cards if card.may_undo or card.no_undo]
    over = all(card.call.status in ToolCall.TERMINAL for card in cards)
    if not over or len(steps) < MIN_TOGETHER:
        return []
    return [ChainEnd(f"{make_chain_key(steps[0])}-undo", steps, str(len(steps)), kind="chain_undo")]


def make_chain_key(call: ToolCall) -> str:
    return f"chain-{call.turn_id}-{call.round}-{call.chain}"
