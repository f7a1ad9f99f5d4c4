"""What a person has changed in chat about a proposal: the model's requests, and each card that comes of them approved."""

from __future__ import annotations

from collections.abc import Callable

from accounts.actor import Actor
from agent.calls.decisions import decide
from agent.models import Thread, ToolCall
from agent.turns import turns
from documents.models import Prompt, Schema, SchemaRevision
from tests.documents.proposal_rows import response_format
from tests.scripted_model import Reply, calls, says

Run = Callable[..., None]


def more_fields() -> Reply:
    new_format = response_format("total", "tax")
    return calls(("update_schema", {"schema_id": Schema.objects.get().pk, "response_format": new_format}))


def prompt_for_them() -> Reply:
    revision = SchemaRevision.objects.latest("number")
    return calls(("update_prompt", {"prompt_id": Prompt.objects.get().pk, "schema_id": revision.pk}))


def approve_all(actor: Actor) -> None:
    for call in ToolCall.objects.filter(status="pending"):
        decide(
            actor,
            call=call,
            kind="approved",
            idempotency_key=f"k{call.pk}",
            version=call.version,
            shown_hash=call.shown_hash,
        )


def refine(actor: Actor, run: Run, thread: Thread, *replies: Reply | Callable[[], Reply]) -> None:
    """One message, and each card that comes of it approved."""
    turns.start(actor, thread=thread, text="Also take the tax")
    for reply in replies:
        run(reply)
        approve_all(actor)
    run(says("Done."))
