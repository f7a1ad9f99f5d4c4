"""Sets up an extraction, a round at a time: read, validate, schema, prompt, run, report."""

import re

from offline_model.chat.conversation import CompletedCall, Conversation
from offline_model.chat.prompt_and_run import plan_existing, plan_prompt
from offline_model.chat.reuse import plan_reuse
from offline_model.chat.schema_draft import Draft, draft_schema, make_next_name, parse_draft
from offline_model.chat.steps import Step, use
from offline_model.fields.parties import find_vendor
from offline_model.fields.summary import summarize
from offline_model.text import join_names, shorten
from offline_model.wording import NO_CHANGES, NOTHING_TO_READ, ONE_AT_A_TIME, STOPPED

MAX_NAMES = 5
NAME = r" [“\"'`]?([^“”\"'`]{1,80}?)[”\"'`]?[.!]?$"
NEW_NAME = re.compile(rf"^(?:please )?(?:call|name) (?:it|this|the schema){NAME}", re.IGNORECASE)
CALLED = re.compile(rf"\b(?:called|named){NAME}", re.IGNORECASE)


def find_new_name(text: str, pattern: re.Pattern[str] = NEW_NAME) -> str:
    """The name in `call it Supplier invoice`, the one change of a proposal that rules can make; else nothing."""
    match = pattern.search(text.strip())
    return match[1].strip() if match else ""


def plan_setup(conversation: Conversation, new_name: str = "") -> Step:
    if conversation.is_about_many:
        return Step(ONE_AT_A_TIME)
    if _should_read(conversation):
        return use("I read the text of the document first.", "get_ocr_text")
    if not conversation.layout.lines:
        return Step(NOTHING_TO_READ)
    proposals = conversation.list_calls("create_schema")
    if proposals and proposals[-1].is_ok:
        return plan_prompt(conversation, proposals[-1])
    if proposals:
        return _continue_after(proposals, conversation)
    return plan_reuse(conversation) or _propose_first(conversation, new_name)


def _should_read(conversation: Conversation) -> bool:
    offered = "get_ocr_text" in conversation.tools and not conversation.list_calls("get_ocr_text")
    return offered and (conversation.is_cut or not conversation.layout.lines)


def _propose_first(conversation: Conversation, new_name: str) -> Step:
    draft = draft_schema(conversation.layout)
    lead = f"I see: {summarize(conversation.layout)} "
    return _validate_or_create(conversation, draft.with_name(new_name) if new_name else draft, lead)


def _continue_after(proposals: list[CompletedCall], conversation: Conversation) -> Step:
    last = proposals[-1]
    draft = parse_draft(str(last.arguments.get("name") or "Document"), last.arguments.get("response_format") or {})
    if last.is_name_taken and conversation.is_unattended and len(proposals) < MAX_NAMES:
        name = _choose_other_name(draft, proposals, conversation)
        return _validate_or_create(conversation, draft.with_name(name), f"The name “{draft.name}” is taken. ")
    if last.is_name_taken:
        return plan_existing(conversation, draft.name)
    if not last.is_rejected:
        return Step(f"The schema was not created: {last.error} {STOPPED}")
    because = f" because “{last.reason}”" if last.reason else " without a reason"
    name = find_new_name(last.reason)
    if not name:
        return Step(f"You rejected the schema “{draft.name}”{because}. {NO_CHANGES}")
    return _validate_or_create(conversation, draft.with_name(name), f"You rejected it{because}. ")


def _choose_other_name(draft: Draft, proposals: list[CompletedCall], conversation: Conversation) -> str:
    """A number, then who issued the document, then numbers again: many makers' documents have a kind in common."""
    named = find_vendor(conversation.layout)
    if len(proposals) == 2 and named:
        kind = re.sub(r" \d+$", "", draft.name)
        return f"{kind} of {shorten(str(named.value))}"
    return make_next_name(draft.name)


def _validate_or_create(conversation: Conversation, draft: Draft, lead: str) -> Step:
    if not draft.properties:
        return Step(f"{lead}I find no label with a value and no table, so I cannot design a schema for it.")
    # Names are no part of what is checked.
    checks = [call for call in conversation.list_calls("validate_schema") if draft.has_fields_of(call.arguments)]
    if "validate_schema" in conversation.tools and not checks:
        text = f"{lead}I check the draft of a schema with the fields {join_names(list(draft.properties))}."
        return use(text, "validate_schema", schema=draft.as_json)
    if checks and not checks[-1].result.get("valid"):
        problems = checks[-1].error or ", ".join(map(str, checks[-1].result.get("problems") or ()))
        return Step(f"My draft did not pass the check: {problems} {STOPPED}")
    if "create_schema" not in conversation.tools:
        return Step(f"{lead}I would create a schema, but `create_schema` is not offered here.")
    lead = "" if checks and lead.startswith("I see") else lead
    text = f"{lead}I propose the schema “{draft.name}” with {len(draft.properties)} fields."
    return use(text, "create_schema", name=draft.name, response_format=draft.response_format)
