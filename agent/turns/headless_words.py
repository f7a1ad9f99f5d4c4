"""The task of a headless turn, and the sentence that says how it ended."""

from __future__ import annotations

from agent.models import Message, Turn
from agent.policy.turn_limits import price_note
from agent.turns import turn_runner
from llm.money.budgets import format_dollars

TASK = """\
Set up extraction for documents like this one. Nobody watches: what you leave is looked at later.
1. Study the document. If accepted definitions under <data kind="candidates"> fit, run their prompt and stop. When one
   nearly fits, extend its schema with update_schema and its prompt with update_prompt.
2. Else create a schema of the key, repeatable fields of such documents, uniform over similar ones, not of every detail.
   Each <data kind="sibling"> is another document like it: what you make has to fit these as well. Where a template of
   create_schema is for such documents, start from it, and change with update_schema what these need otherwise.
3. Create a prompt for it without tags, run the extraction, and look at all results: it is tried on the siblings too.
4. When values are wrong or missing, refine schema or prompt and run again, twice at most.
Then say in two sentences what you made and what is uncertain."""
NOTHING_LEFT = "The agent ended without an extraction."
GIVEN_UP = "The worker stopped five times while it worked on this. Try it again."
NEEDS_NOBODY = " It can go on from there."
MAX_TEXT = 400


def make_task(hint: str) -> str:
    return f"{TASK}\n\nWhoever asked for it says: {hint}" if hint else TASK


def why_ended(turn: Turn) -> str:
    """Why it left less than was hoped for: the limit it met, the reason it failed, or else the agent's own words."""
    if turn.pause_reason == Turn.Pause.MAX_ROUNDS:
        return f"It took {turn.round} rounds, the most that automatic setup may take."
    if turn.status != Turn.Status.COMPLETED and turn.limit_ms and turn.worked_ms >= turn.limit_ms:
        return f"It took {turn.limit_ms // 1000} s, the most that automatic setup may take."
    if turn.pause_reason == Turn.Pause.BUDGET and turn.spent_micros >= turn.limit_micros:
        spent, limit = format_dollars(turn.spent_micros), format_dollars(turn.limit_micros)
        return (
            f"It spent {spent}; automatic setup may spend {limit}. The operator can raise that "
            f"with HEADLESS_BUDGET_USD.{price_note(turn)}"
        )
    if turn.reason == turn_runner.GIVEN_UP:
        return GIVEN_UP
    if turn.reason:
        return turn.reason.replace(NEEDS_NOBODY, "")
    last_words = _last_words(turn)
    return f"{NOTHING_LEFT} It said: “{last_words}”" if last_words else NOTHING_LEFT


def _last_words(turn: Turn) -> str:
    message = turn.messages.filter(role=Message.Role.ASSISTANT).order_by("-number").first()
    blocks = message.blocks if message else []
    text = " ".join(" ".join(block["text"] for block in blocks if block["type"] == "text").split())
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}…"
