"""After the schema: the prompt linked to it, the run, and the closing words on what was found."""

import re
from dataclasses import replace

from kit.json_types import JsonObject
from offline_model.chat.conversation import CompletedCall, Conversation
from offline_model.chat.current_values import get_values
from offline_model.chat.schema_draft import make_next_name
from offline_model.chat.steps import Step, use
from offline_model.text import join_names, shorten
from offline_model.wording import NO_CHANGES, STOPPED

# As a tool says that it finds none of the name (agent.tools.lookup).
NO_PROMPT = "Prompt not found"
CONTENT = (
    "Extract the fields of the schema from this {kind}. Use only what is printed in the document; leave out what is "
    "not there. Write dates as YYYY-MM-DD and amounts as plain numbers without currency signs."
)


def plan_prompt(conversation: Conversation, schema: CompletedCall) -> Step:
    proposals = conversation.list_calls_after(schema, "create_prompt")
    if proposals and proposals[-1].is_ok:
        return plan_run(conversation, prompt_revid=str(proposals[-1].result.get("prompt_revid") or ""), of=schema)
    if "create_prompt" not in conversation.tools:
        return Step("The schema is there. I would write the prompt now, but `create_prompt` is not offered here.")
    if proposals and proposals[-1].is_name_taken and len(proposals) == 1:
        other = make_next_name(str(proposals[-1].arguments.get("name")))
        text = f"Another prompt has that name, so I use “{other}”."
        return use(text, "create_prompt", **{**proposals[-1].arguments, "name": other})
    if proposals:
        return _report_failure(proposals[-1])
    return use("The schema is there. Next comes the prompt.", "create_prompt", **_make_first_prompt(schema))


def _make_first_prompt(schema: CompletedCall) -> JsonObject:
    """The prompt is linked to the version that was made, under the name that a person may have given it."""
    name = str(schema.effective_arguments.get("name"))
    ids: JsonObject = {key: schema.result[key] for key in ("schema_id", "schema_version") if key in schema.result}
    return {"name": name, "content": CONTENT.format(kind=re.sub(r" \d+$", "", name).lower()), **ids}


def _report_failure(last: CompletedCall) -> Step:
    name = last.arguments.get("name")
    if last.is_rejected:
        because = f" because “{last.reason}”" if last.reason else ""
        return Step(f"You rejected the prompt “{name}”{because}. {NO_CHANGES}")
    return Step(f"The prompt “{name}” was not created: {last.error} {STOPPED}")


def plan_existing(conversation: Conversation, name: str) -> Step:
    """Run the prompt of a kind that is there already; where only its schema is, a prompt for that comes first."""
    runs, prompts = conversation.list_calls("run_extraction"), conversation.list_calls("create_prompt")
    if prompts and not prompts[-1].is_ok:
        return _report_failure(prompts[-1])
    if prompts:
        return plan_run(conversation, str(prompts[-1].result.get("prompt_revid") or ""), prompts[-1])
    if runs and runs[-1].error.startswith(NO_PROMPT) and "create_prompt" in conversation.tools:
        arguments = {"name": name, "content": CONTENT.format(kind=name.lower()), "schema_id": name}
        return use(f"The schema “{name}” has no prompt yet, so I propose one.", "create_prompt", **arguments)
    step = plan_run(conversation, prompt_revid=name)
    return replace(step, text=f"“{name}” is set up already, so I run that.") if step.call else step


def plan_run(conversation: Conversation, prompt_revid: str = "", of: CompletedCall | None = None) -> Step:
    runs = conversation.list_calls_after(of, "run_extraction") if of else conversation.list_calls("run_extraction")
    if not runs and "run_extraction" not in conversation.tools:
        return Step("Schema and prompt are there. `run_extraction` is not offered here, so run it from the page.")
    if not runs:
        arguments = {"prompt_revid": prompt_revid} if prompt_revid else {}
        return use("Now I run the extraction.", "run_extraction", **arguments)
    last = runs[-1]
    if last.is_rejected:
        because = f" because “{last.reason}”" if last.reason else ""
        return Step(f"You rejected the run{because}, so nothing was extracted. Tell me when it may run.")
    if not last.is_ok:
        return Step(f"The extraction failed: {last.error} {STOPPED}")
    return Step(report_values(conversation, last.result))


def report_values(conversation: Conversation, result: JsonObject) -> str:
    """Report the values found, those not found, and those that the page does not bear out, as the run says it."""
    block = conversation.find_block("current_extraction")
    values, unsure = get_values(result) or (block.payload if block else {}), result.get("unsure")
    value_lines = [f"- {name}: {_format_value(value)}" for name, value in values.items() if not _is_empty(value)]
    missing = [name for name, value in values.items() if _is_empty(value)]
    missing += [name for name in _list_requested(conversation) if name not in values]
    lines = ["The extraction ran.", "", *(value_lines or ["Nothing was found."])]
    lines += ["", f"Not found: {join_names(missing)}." if missing else "Nothing is missing."]
    lines += [f"Not found on the page: {join_names(list(unsure))}."] if unsure else []
    return "\n".join([*lines, "", "I matched labels by rules, so check the values against the page."])


def _list_requested(conversation: Conversation) -> list[str]:
    created = [call for call in conversation.list_calls("create_schema") if call.is_ok]
    form = created[-1].effective_arguments.get("response_format") or {} if created else {}
    return list(((form.get("json_schema") or {}).get("schema") or {}).get("properties") or {})


def _is_empty(value: object) -> bool:
    return value is None or value in ("", [], {})


def _format_value(value: object) -> str:
    if isinstance(value, list):
        return f"{len(value)} row{'s' * (len(value) != 1)}"
    if isinstance(value, dict) and isinstance(value.get("rows"), int):  # a long list in short
        return f"{value['rows']:,} rows"
    return shorten(join_names([f"{k} {v}" for k, v in value.items()]) if isinstance(value, dict) else str(value))
