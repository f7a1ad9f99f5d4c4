"""“Add a field for the purchase order”: changes a schema that exists, or proposes a new one instead."""

from kit.json_types import JsonObject
from offline_model.chat.conversation import CompletedCall, Conversation
from offline_model.chat.prompt_and_run import plan_prompt, plan_run
from offline_model.chat.schema_changes import Change, apply_changes, find_changes
from offline_model.chat.schema_draft import Draft, draft_schema, make_next_name, parse_draft
from offline_model.chat.steps import Step, say, use
from offline_model.text import join_names
from offline_model.wording import ASK_AFTER_REJECTION, REASON_NOT_UNDERSTOOD, STOPPED

CHANGERS = ("update_schema", "create_schema")


def plan_amendment(conversation: Conversation, changes: list[Change]) -> Step:
    calls = [call for call in conversation.newest_calls if call.name in CHANGERS]
    if calls and calls[-1].is_ok:
        return _continue_after_success(conversation, calls[-1])
    if calls:
        return _answer_failure(conversation, calls)
    lookup = _look_up(conversation)
    if lookup:
        return lookup
    schema = find_current_schema(conversation)
    changed = apply_changes(schema.draft, changes)
    if not changed.did:
        return say(f"I cannot do that: {join_names(list(changed.could_not))}.")
    return _propose_revision(conversation, schema.schema_id, changed.draft, f"I {join_names(list(changed.did))}.")


class CurrentSchema:
    """The schema in use, as far as the conversation tells: its draft and its id."""

    def __init__(self, draft: Draft, schema_id: str) -> None:
        self.draft = draft
        self.schema_id = schema_id


def find_current_schema(conversation: Conversation) -> CurrentSchema:
    calls = [call for call in conversation.all_calls if call.name in {*CHANGERS, "get_schema"} and call.is_ok]
    source: JsonObject = {}
    for call in calls:
        source |= {key: value for key, value in {**call.effective_arguments, **call.result}.items() if value}
    if not source.get("response_format"):
        return CurrentSchema(draft_schema(conversation.layout), str(source.get("schema_id") or ""))
    name = str(source.get("name") or "Document")
    return CurrentSchema(parse_draft(name, source["response_format"]), str(source.get("schema_id") or ""))


def _look_up(conversation: Conversation) -> Step | None:
    """Reads the schema of the working state once; a person may have edited what the conversation remembers."""
    revid = conversation.find_state_id("schema")
    if revid and "get_schema" in conversation.tools and not conversation.list_calls("get_schema"):
        return use("I look at the schema in use.", "get_schema", schema_revid=revid)
    return None


def _propose_revision(conversation: Conversation, schema_id: str, draft: Draft, lead: str) -> Step:
    if "update_schema" in conversation.tools and schema_id:
        return use(
            f"{lead} This makes a new version of the schema “{draft.name}”.",
            "update_schema",
            schema_id=schema_id,
            name=draft.name,
            response_format=draft.response_format,
        )
    if "create_schema" not in conversation.tools:
        return say("I would change the schema, but neither `update_schema` nor `create_schema` is offered here.")
    name = make_next_name(draft.name)
    text = f"{lead} I cannot update the schema here, so I propose a new one, “{name}”."
    return use(text, "create_schema", name=name, response_format=draft.with_name(name).response_format)


def _continue_after_success(conversation: Conversation, call: CompletedCall) -> Step:
    return plan_prompt(conversation, call) if call.name == "create_schema" else _relink_prompt(conversation, call)


def _relink_prompt(conversation: Conversation, call: CompletedCall) -> Step:
    """The prompt keeps the version of the schema that it was made with, so it needs a version of its own."""
    links = conversation.list_calls("update_prompt")
    if links and links[-1].is_ok:
        return plan_run(conversation, prompt_revid=str(links[-1].result.get("prompt_revid") or ""))
    if links:
        return say(f"The schema has a new version, but the prompt was not linked to it: {links[-1].error} {STOPPED}")
    prompts = [call for call in conversation.all_calls if call.is_ok and call.result.get("prompt_id")]
    revid = conversation.find_state_id("prompt")
    if not prompts and revid and "get_prompt" in conversation.tools and not conversation.list_calls("get_prompt"):
        return use("The schema has a new version. I look up its prompt.", "get_prompt", prompt_revid=revid)
    if not prompts or "update_prompt" not in conversation.tools:
        return say("The schema has a new version. The prompt keeps the earlier one until it is linked anew.")
    ids = {"prompt_id": prompts[-1].result["prompt_id"], "schema_id": call.effective_arguments.get("schema_id")}
    return use("The schema has a new version. I link the prompt to it.", "update_prompt", **ids)


def _answer_failure(conversation: Conversation, calls: list[CompletedCall]) -> Step:
    last = calls[-1]
    if last.is_rejected and not last.reason:
        return say(ASK_AFTER_REJECTION.format(what="the change of the schema"))
    draft = parse_draft(str(last.arguments.get("name")), last.arguments.get("response_format") or {})
    if last.is_rejected:
        return _answer_reason(conversation, last, draft)
    return say(f"The schema was not changed: {last.error} {STOPPED}")


def _answer_reason(conversation: Conversation, last: CompletedCall, draft: Draft) -> Step:
    from_reason = apply_changes(draft, find_changes(last.reason))
    if not from_reason.did:
        return say(REASON_NOT_UNDERSTOOD.format(what="the change of the schema", reason=last.reason))
    lead = f"You rejected it because “{last.reason}”. So I {join_names(list(from_reason.did))}."
    arguments = {**last.arguments, "name": from_reason.draft.name}
    return use(lead, last.name, **{**arguments, "response_format": from_reason.draft.response_format})
