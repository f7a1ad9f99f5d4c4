"""Plan mode: the calls are the same, and become the steps of a plan; what is said of them is that nothing ran yet."""

import re

from offline_model.conversation import CompletedCall, Conversation
from offline_model.steps import Step, say
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


def plan_step(conversation: Conversation, step: Step) -> Step:
    """The step as it is told in plan mode: once the plan is whole, all of it in a few words."""
    planned = [done for done in conversation.done if done.is_planned]
    if not planned:
        return step
    if step.call is not None:
        return step if READS.match(step.call.name) else Step("The next step of the plan.", step.call)
    return say(_summary(planned)) if conversation.done[-1].is_planned else step


def _summary(planned: list[CompletedCall]) -> str:
    steps = "1 step" if len(planned) == 1 else f"{len(planned)} steps"
    return f"The plan has {steps}: {join_names([_words(done) for done in planned])}. {DECIDE}"


def _words(done: CompletedCall) -> str:
    words = DOES.get(done.name)
    known = {"name": "", "path": "", "value": "", **done.arguments}
    return words.format(**known) if words else f"call `{done.name}`"
