"""Plan mode: the calls are the same, and become the steps of a plan; what is said of them is that nothing ran yet."""

import re

from offline_model.chat.conversation import CompletedCall, Conversation
from offline_model.chat.steps import Step, say
from offline_model.text import join_names

READS = re.compile(r"get_|list_|help_|validate_")
DOES = {
    "create_schema": "create the schema “{name}”",
    "update_schema": "save a new version of the schema",
    "create_prompt": "write the prompt “{name}”",
    "update_prompt": "link the prompt to the new version",
    "run_extraction": "run it on this document",
    "update_extraction_field": "change `{path}` to {value}",
}
DECIDE = "Nothing has been changed yet. Approve the plan whole, or decide each step."


def word_as_plan(conversation: Conversation, step: Step) -> Step:
    """The step as it is told in plan mode: once the plan is whole, all of it in a few words."""
    planned = [call for call in conversation.newest_calls if call.is_planned]
    if not planned:
        return step
    if step.call is not None:
        return step if READS.match(step.call.name) else Step("The next step of the plan.", step.call)
    return say(_summarize_calls(planned)) if conversation.newest_calls[-1].is_planned else step


def _summarize_calls(planned: list[CompletedCall]) -> str:
    steps = "1 step" if len(planned) == 1 else f"{len(planned)} steps"
    return f"The plan has {steps}: {join_names([_describe_call(call) for call in planned])}. {DECIDE}"


def _describe_call(call: CompletedCall) -> str:
    words = DOES.get(call.name)
    known = {"name": "", "path": "", "value": "", **call.arguments}
    return words.format(**known) if words else f"call `{call.name}`"
