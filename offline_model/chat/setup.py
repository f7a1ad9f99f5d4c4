"""Sets up an extraction, a round at a time: read, validate, schema, prompt, run, report."""

import json
import re
from dataclasses import dataclass

from offline_model.chat.conversation import CompletedCall, Conversation
from offline_model.chat.prompt_and_run import plan_prompt
from offline_model.chat.reuse import plan_reuse, resolve_taken_name
from offline_model.chat.schema_changes import Change, apply_changes, find_changes
from offline_model.chat.schema_draft import Draft, draft_schema, make_next_name, parse_draft
from offline_model.chat.steps import Step, say, use
from offline_model.fields.summary import summarize
from offline_model.fields.unlabelled import find_issuer
from offline_model.text import join_names, shorten
from offline_model.wording import ASK_AFTER_REJECTION, NOTHING_TO_READ, ONE_AT_A_TIME, REASON_NOT_UNDERSTOOD, STOPPED

MAX_NAMES = 5


@dataclass(frozen=True)
class Proposal:
    """The draft to propose now, with the words that lead to it; a `stop` instead when there is nothing to propose."""

    draft: Draft
    lead: str = ""
    stop: str = ""


def plan_setup(conversation: Conversation, changes: list[Change]) -> Step:
    if conversation.is_about_many:
        return say(ONE_AT_A_TIME)
    if _should_read(conversation):
        return use("I read the text of the document first.", "get_ocr_text")
    if not conversation.layout.lines:
        return say(NOTHING_TO_READ)
    proposals = conversation.list_calls("create_schema")
    reused = None if proposals else plan_reuse(conversation)
    if reused:
        return reused
    if proposals and proposals[-1].is_ok:
        return plan_prompt(conversation, proposals[-1])
    name_step = resolve_taken_name(conversation, proposals[0]) if proposals and proposals[0].is_name_taken else None
    if name_step and len(proposals) == 1:
        return name_step
    proposal = _continue_after(proposals, conversation) if proposals else _propose_first(conversation, changes)
    if proposal.stop:
        return say(proposal.stop)
    return _validate_or_create(conversation, proposal)


def _should_read(conversation: Conversation) -> bool:
    offered = "get_ocr_text" in conversation.tools and not conversation.list_calls("get_ocr_text")
    return offered and (conversation.is_cut or not conversation.layout.lines)


def _propose_first(conversation: Conversation, changes: list[Change]) -> Proposal:
    """From an earlier proposal that came to nothing, when the request amends it, else a new design."""
    earlier = [call for call in conversation.all_calls if call.name == "create_schema"]
    amends = changes and earlier and not earlier[-1].is_ok
    draft = _read_proposal(earlier[-1]) if amends else draft_schema(conversation.layout)
    changed = apply_changes(draft, changes)
    lead = "" if amends else f"I see: {summarize(conversation.layout)} "
    if changed.could_not and not changed.did:
        return Proposal(draft, stop=f"I cannot do that: {join_names(list(changed.could_not))}.")
    did = f"As you asked, I {join_names(list(changed.did))}. " if changed.did else ""
    missed = f"Not done: {join_names(list(changed.could_not))}. " if changed.could_not else ""
    return Proposal(changed.draft, lead + did + missed)


def _read_proposal(call: CompletedCall) -> Draft:
    return parse_draft(str(call.arguments.get("name") or "Document"), call.arguments.get("response_format") or {})


def _continue_after(proposals: list[CompletedCall], conversation: Conversation) -> Proposal:
    last = proposals[-1]
    draft = _read_proposal(last)
    if last.is_rejected:
        return _answer_rejection(draft, last)
    if last.is_undecided:
        return Proposal(draft, stop=f"The schema was not created: {last.error} {STOPPED}")
    if last.is_name_taken and len(proposals) < MAX_NAMES:
        name = _choose_other_name(draft, proposals, conversation)
        return Proposal(draft.with_name(name), f"The name “{draft.name}” is taken, so I propose “{name}”. ")
    return Proposal(draft, stop=f"The schema could not be created: {last.error} {STOPPED}")


def _choose_other_name(draft: Draft, proposals: list[CompletedCall], conversation: Conversation) -> str:
    """A number, then who issued the document, then numbers again: many makers' documents have a kind in common."""
    named = find_issuer(conversation.layout)
    if len(proposals) == 2 and named:
        kind = re.sub(r" \d+$", "", draft.name)
        return f"{kind} of {shorten(str(named.value))}"
    return make_next_name(draft.name)


def _answer_rejection(draft: Draft, last: CompletedCall) -> Proposal:
    what = f"the schema “{draft.name}”"
    if not last.reason:
        return Proposal(draft, stop=ASK_AFTER_REJECTION.format(what=what))
    changed = apply_changes(draft, find_changes(last.reason))
    if not changed.did:
        could_not = f" ({join_names(list(changed.could_not))})" if changed.could_not else ""
        return Proposal(draft, stop=REASON_NOT_UNDERSTOOD.format(what=what, reason=last.reason + could_not))
    missed = f"Not done: {join_names(list(changed.could_not))}. " if changed.could_not else ""
    lead = f"You rejected it because “{last.reason}”. So I {join_names(list(changed.did))}. {missed}"
    return Proposal(changed.draft, lead)


def _validate_or_create(conversation: Conversation, proposal: Proposal) -> Step:
    draft, lead = proposal.draft, proposal.lead
    if not draft.properties:
        return say(f"{lead}I find no label with a value and no table, so I cannot design a schema for it.")
    checks = [call for call in conversation.list_calls("validate_schema") if _is_same_schema(call, draft)]
    if "validate_schema" in conversation.tools and not checks:
        text = f"{lead}I check the draft of a schema with the fields {join_names(list(draft.properties))}."
        return use(text, "validate_schema", schema=draft.as_json)
    if checks and not _is_valid(checks[-1]):
        return say(f"My draft did not pass the check: {_read_complaint(checks[-1])} {STOPPED}")
    if "create_schema" not in conversation.tools:
        return say(f"{lead}I would create a schema, but `create_schema` is not offered here.")
    lead = "" if checks and not _is_about_name(lead) else lead
    text = f"{lead}I propose the schema “{draft.name}” with {len(draft.properties)} fields."
    return use(text, "create_schema", name=draft.name, response_format=draft.response_format)


def _is_about_name(lead: str) -> bool:
    return lead.startswith("The name")


def _is_same_schema(call: CompletedCall, draft: Draft) -> bool:
    try:
        checked = json.loads(str(call.arguments.get("schema")))
    except ValueError:
        return False
    return (
        bool(parse_draft(draft.name, checked).properties == draft.properties)
        and tuple(checked.get("json_schema", {}).get("schema", {}).get("required", ())) == draft.required
    )


def _is_valid(call: CompletedCall) -> bool:
    return call.is_ok and call.result.get("valid", call.result.get("ok", True)) is not False


def _read_complaint(call: CompletedCall) -> str:
    why = call.error or call.result.get("errors") or call.result.get("message") or call.result.get("problems") or ""
    return why if isinstance(why, str) else json.dumps(why, ensure_ascii=False)
