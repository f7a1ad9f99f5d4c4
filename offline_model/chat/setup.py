"""Sets up an extraction, a round at a time: read, validate, schema, prompt, run, report."""

import re
from dataclasses import dataclass

from offline_model.chat.conversation import CompletedCall, Conversation
from offline_model.chat.prompt_and_run import plan_prompt
from offline_model.chat.reuse import plan_reuse
from offline_model.chat.schema_changes import AppliedChanges, Change, apply_changes, find_changes
from offline_model.chat.schema_draft import Draft, draft_schema, make_next_name, parse_draft
from offline_model.chat.steps import Step, use
from offline_model.fields.parties import find_vendor
from offline_model.fields.summary import summarize
from offline_model.text import join_names, shorten
from offline_model.wording import NOTHING_TO_READ, ONE_AT_A_TIME, STOPPED, UNDERSTOOD

MAX_NAMES = 5


@dataclass(frozen=True)
class Proposal:
    """The draft to propose now, with the words that lead to it; a `stop` instead when there is nothing to propose."""

    draft: Draft
    lead: str = ""
    stop: str = ""


def plan_setup(conversation: Conversation, changes: list[Change]) -> Step:
    if conversation.is_about_many:
        return Step(ONE_AT_A_TIME)
    if _should_read(conversation):
        return use("I read the text of the document first.", "get_ocr_text")
    if not conversation.layout.lines:
        return Step(NOTHING_TO_READ)
    proposals = conversation.list_calls("create_schema")
    if proposals and proposals[-1].is_ok:
        return plan_prompt(conversation, proposals[-1])
    reused = None if proposals else plan_reuse(conversation)
    if reused:
        return reused
    proposal = _continue_after(proposals, conversation) if proposals else _propose_first(conversation, changes)
    return Step(proposal.stop) if proposal.stop else _validate_or_create(conversation, proposal)


def _should_read(conversation: Conversation) -> bool:
    offered = "get_ocr_text" in conversation.tools and not conversation.list_calls("get_ocr_text")
    return offered and (conversation.is_cut or not conversation.layout.lines)


def _propose_first(conversation: Conversation, changes: list[Change]) -> Proposal:
    """Amend an earlier proposal that was rejected, else design anew."""
    earlier = [call for call in conversation.all_calls if call.name == "create_schema"]
    amends = changes and earlier and not earlier[-1].is_ok
    draft = _read_proposal(earlier[-1]) if amends else draft_schema(conversation.layout)
    changed = apply_changes(draft, changes)
    if changed.could_not and not changed.did:
        return Proposal(draft, stop=f"I cannot do that: {join_names(list(changed.could_not))}.")
    lead = "" if amends else f"I see: {summarize(conversation.layout)} "
    did = f"As you asked, I {join_names(list(changed.did))}. " if changed.did else ""
    return Proposal(changed.draft, lead + did + _tell_missed(changed))


def _read_proposal(call: CompletedCall) -> Draft:
    return parse_draft(str(call.arguments.get("name") or "Document"), call.arguments.get("response_format") or {})


def _continue_after(proposals: list[CompletedCall], conversation: Conversation) -> Proposal:
    last = proposals[-1]
    draft = _read_proposal(last)
    if last.is_rejected:
        return _answer_rejection(draft, last)
    if last.is_name_taken and len(proposals) < MAX_NAMES:
        name = _choose_other_name(draft, proposals, conversation)
        return Proposal(draft.with_name(name), f"The name “{draft.name}” is taken, so I propose “{name}”. ")
    return Proposal(draft, stop=f"The schema was not created: {last.error} {STOPPED}")


def _choose_other_name(draft: Draft, proposals: list[CompletedCall], conversation: Conversation) -> str:
    """A number, then who issued the document, then numbers again: many makers' documents have a kind in common."""
    named = find_vendor(conversation.layout)
    if len(proposals) == 2 and named:
        kind = re.sub(r" \d+$", "", draft.name)
        return f"{kind} of {shorten(str(named.value))}"
    return make_next_name(draft.name)


def _answer_rejection(draft: Draft, last: CompletedCall) -> Proposal:
    because = f" because “{last.reason}”" if last.reason else " without a reason"
    changed = apply_changes(draft, find_changes(last.reason))
    if not changed.did:
        stop = f"You rejected the schema “{draft.name}”{because}. I do not repeat it. What should be different?"
        return Proposal(draft, stop=f"{stop} {_tell_missed(changed)}{UNDERSTOOD}")
    return Proposal(
        changed.draft, f"You rejected it{because}. So I {join_names(list(changed.did))}. {_tell_missed(changed)}"
    )


def _tell_missed(changed: AppliedChanges) -> str:
    return f"Not done: {join_names(list(changed.could_not))}. " if changed.could_not else ""


def _validate_or_create(conversation: Conversation, proposal: Proposal) -> Step:
    draft, lead = proposal.draft, proposal.lead
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
    lead = "" if checks and not lead.startswith("The name") else lead
    text = f"{lead}I propose the schema “{draft.name}” with {len(draft.properties)} fields."
    return use(text, "create_schema", name=draft.name, response_format=draft.response_format)
