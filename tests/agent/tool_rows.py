"""What tests of the tools start from."""

from __future__ import annotations

import copy
from typing import Any

from accounts.actor import Actor
from agent.models import Thread, ToolCall
from agent.policy.policy_context import context_for, owner_of
from agent.toolkit.inverses import apply_inverse, search_evidence
from agent.toolkit.registry import Result
from documents.models import Document

FORMAT: dict[str, Any] = {
    "type": "json_schema",
    "json_schema": {
        "name": "invoice",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {
                "vendor": {"type": "string", "description": "Who sends it."},
                "due_date": {"type": ["string", "null"], "format": "date", "description": "By when to pay."},
                "line_items": {
                    "type": "array",
                    "description": "One for each line.",
                    "items": {
                        "type": "object",
                        "properties": {
                            "sku": {"type": "string", "description": "Number."},
                            "amount": {"type": "number", "description": "Sum."},
                        },
                    },
                },
            },
            "required": ["vendor"],
        },
    },
}


def another_document(actor: Actor, name: str = "other.pdf") -> Document:
    return Document.objects.create(
        organization=actor.organization, name=name, sha256="1" * 64, size=1, media_type="application/pdf", file="none"
    )


def change_format(**fields: Any) -> dict[str, Any]:
    """FORMAT with these top fields added, or taken out where None is given."""
    changed = copy.deepcopy(FORMAT)
    properties = changed["json_schema"]["schema"]["properties"]
    for name, field in fields.items():
        properties.pop(name, None)
        if field is not None:
            properties[name] = field
    return changed


def undo(call: ToolCall) -> Result:
    """Takes the call back as its thread's owner."""
    thread = Thread.objects.get(pk=call.thread_id)
    inverse = dict(call.inverse or {})
    context = context_for(call.turn, owner_of(thread))
    context.evidence = search_evidence(inverse)
    return apply_inverse(context, inverse)
