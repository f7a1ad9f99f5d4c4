"""What stands below the last step of a call chain: several steps that wait are decided together there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.models import ToolCall


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
    return [ChainEnd(f"{make_chain_key(chain[0])}-end", steps, version)] if len(steps) > 1 else []


def make_chain_key(call: ToolCall) -> str:
    return f"chain-{call.turn_id}-{call.round}-{call.chain}"
