"""Accepted definitions beside the request: runs those that fit, extends those that nearly do."""

from dataclasses import dataclass, replace

from offline_model.chat.blocks import Block
from offline_model.chat.conversation import Conversation
from offline_model.chat.prompt_and_run import plan_run
from offline_model.chat.schema_draft import Draft, draft_schema, parse_draft
from offline_model.chat.steps import Step, use
from offline_model.fields.search import find_kind
from offline_model.fields.vocabulary import BY_NAME
from offline_model.text import join_names
from offline_model.wording import STOPPED

# Definitions are extended where at most this share of the document's fields is new to them, else made anew.
MAX_NEW_SHARE = 1 / 3


@dataclass(frozen=True)
class Fit:
    """Accepted definitions, and the fields of the document that they lack."""

    ids: dict[str, str]
    draft: Draft
    lacks: tuple[str, ...]


def plan_reuse(conversation: Conversation) -> Step | None:
    """None when there is nothing to reuse."""
    fits = [
        fit for block in conversation.blocks if block.kind == "candidates" if (fit := _measure_fit(conversation, block))
    ]
    if not fits or "run_extraction" not in conversation.tools:
        return None
    fit = min(fits, key=lambda each: len(each.lacks))
    if not fit.lacks:
        return _run_prompt(
            conversation, fit.ids["prompt_revid"], f"“{fit.ids['prompt']}” has the fields of this document."
        )
    return _extend_schema(conversation, fit) if {"update_schema", "update_prompt"} <= conversation.tools else None


def _measure_fit(conversation: Conversation, block: Block) -> Fit | None:
    draft = parse_draft(block.attributes.get("schema", ""), block.payload)
    names, core = _list_fields(draft_schema(conversation.layout)), find_kind(conversation.layout).core
    lacks = tuple(name for name in names if name not in draft.properties)
    if not names or not set(core) <= draft.properties.keys() or len(lacks) > MAX_NEW_SHARE * len(names):
        return None
    return Fit(block.attributes, draft, lacks)


def _list_fields(draft: Draft) -> list[str]:
    """List the fields that documents of the kind share: a label of one document's own extends nothing. Else all."""
    shared = [name for name, part in draft.properties.items() if name in BY_NAME or part.get("type") == "array"]
    return shared or list(draft.properties)


def _extend_schema(conversation: Conversation, fit: Fit) -> Step:
    schemas, prompts = conversation.list_calls("update_schema"), conversation.list_calls("update_prompt")
    if not schemas:
        own = draft_schema(conversation.layout).properties
        wider = replace(fit.draft, properties={**fit.draft.properties, **{name: own[name] for name in fit.lacks}})
        text = f"“{fit.draft.name}” nearly fits: I add {join_names(list(fit.lacks))}."
        arguments = {"schema_id": fit.ids["schema_id"], "response_format": wider.response_format}
        return use(text, "update_schema", **arguments)
    failed = next((call for call in (*schemas, *prompts) if not call.is_ok), None)
    if failed:
        return Step(f"The definitions were not extended: {failed.error} {STOPPED}")
    if not prompts:
        ids = {"prompt_id": fit.ids["prompt_id"], "schema_id": schemas[-1].result["schema_revid"]}
        return use("The schema has a new version. I link the prompt to it.", "update_prompt", **ids)
    return _run_prompt(conversation, str(prompts[-1].result.get("prompt_revid") or ""), "The prompt has a new version.")


def _run_prompt(conversation: Conversation, prompt_revid: str, why: str) -> Step:
    step = plan_run(conversation, prompt_revid=prompt_revid)
    return replace(step, text=f"{why} {step.text}") if step.call else step
