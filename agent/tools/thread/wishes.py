"""Keeping what a person wants to hold in the whole thread, in the words in which they said it."""

from __future__ import annotations

from accounts.models import Role
from agent import wishes
from agent.toolkit.effects import Inverse
from agent.toolkit.previews import ArgumentRow, Preview
from agent.toolkit.registry import Result, ToolContext, tool
from agent.toolkit.signatures import Arguments


def _resolve(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the exact words in the message. Raises Invalid where no person said them, or the list is full."""
    quote = wishes.find_quote(context.thread, arguments["quote"]).text
    return {**arguments, "quote": wishes.check_text(quote, wishes.list_wishes(context.thread))}


def _preview(context: ToolContext, arguments: Arguments) -> Preview:
    quote = wishes.find_quote(context.thread, arguments["quote"])
    who = quote.author.shown_name if quote.author else "Somebody"
    rows: list[ArgumentRow] = [
        {"name": "Wish", "value": quote.text},
        {"name": "Said by", "value": f"{who}, {quote.place}"},
    ]
    return {
        "title": "Keep a standing wish",
        "done": "Kept a standing wish",
        "rows": rows,
        "effect": "The agent follows it from now on in this thread, until somebody takes it off the list.",
        "warnings": [],
    }


def _build_inverse(context: ToolContext, arguments: Arguments, result: Result) -> Inverse:
    return {"service": "wishes.remove", "wish_id": str(result["wish_id"]), "text": str(result["wish"])}


@tool(
    category="memory",
    access="write",
    role=Role.VIEWER,
    title="Keep a standing wish",
    icon="i-pin",
    needs_person=True,
    resolve=_resolve,
    preview=_preview,
    inverse=_build_inverse,
)
def remember_wish(context: ToolContext, quote: str) -> Result:
    """Keeps a rule, name or format that the person wants to hold from now on, in their own words.

    quote: whole sentences of one of the person's messages, word for word
    """
    quoted = wishes.find_quote(context.thread, quote)
    wish = wishes.store(context.actor, thread=context.thread, text=quoted.text, message=quoted.message)
    return {"wish_id": wish.pk, "wish": wish.text}
