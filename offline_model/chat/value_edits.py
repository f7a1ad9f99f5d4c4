"""“Change the due date to 2026-12-31”: finds the path in the current extraction and keeps the value's type."""

import re
from dataclasses import dataclass

from kit.json_types import Json, JsonObject
from offline_model.chat.conversation import Conversation
from offline_model.chat.current_values import Leaf, find_current_values, list_field_names, match_leaves
from offline_model.chat.steps import Step, use
from offline_model.fields.values import parse_date, parse_number, parse_truth
from offline_model.fields.vocabulary import lookup_field
from offline_model.text import join_names
from offline_model.wording import STOPPED

WHAT = r"(?:the |our |its )?(?P<what>.{2,60}?)"
EDITS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:change|set|correct|update|fix|put|edit|adjust)(?! up\b) {WHAT}(?: from .+?)? (?:to|as|into|=) (?P<to>.+)",
        rf"replace {WHAT} (?:with|by) (?P<to>.+)",
        rf"{WHAT} (?:is|was|are) wrong\W+(?:it |that )?(?:should be|must be|is|has to be) (?P<to>.+)",
        rf"{WHAT} (?:should be|must be|has to be|should read) (?P<to>.+)",
        rf"(?:the |our ){WHAT} (?:is|was) (?:actually |really )?(?P<to>.+)",
        rf"{WHAT}\s*(?:=|:)\s*(?P<to>.+)",
    )
)
QUOTES = " \"'“”‘’`"
LONGEST_REQUEST = 500
ABBREVIATED = re.compile(r"\b(ltd|inc|co|corp|bhd|llc|[a-z]\.[a-z](\.[a-z])?|st|no|dr|mr)\.$", re.IGNORECASE)


@dataclass(frozen=True)
class Edit:
    what: str
    to: str


def find_edits(request: str) -> list[Edit]:
    """The edits asked for, in order; several may be joined by “and” or stand on lines of their own."""
    if request.rstrip().endswith("?") or len(request) > LONGEST_REQUEST:
        return []
    parts = re.split(r"\n+|;\s+|,? and (?=(?:the |set |change )?[\w ]{2,40} (?:to|is|should be) )", request.strip())
    edits = [_parse_edit(part.strip(), at > 0) for at, part in enumerate(parts) if part.strip()]
    return [edit for edit in edits if edit] if all(edits) else []


def _parse_edit(part: str, goes_on: bool) -> Edit | None:
    for text in (part, f"set {part}") if goes_on else (part,):
        for pattern in EDITS:
            match = pattern.fullmatch(text)
            if match:
                return Edit(match.group("what").strip(QUOTES), _strip_full_stop(match.group("to")).strip(QUOTES))
    return None


def _strip_full_stop(text: str) -> str:
    """Without the full stop of the sentence, which is not that of `Ltd.`"""
    text = text.strip().rstrip("!")
    return text if ABBREVIATED.search(text) else text.rstrip(".")


def plan_edits(conversation: Conversation, edits: list[Edit]) -> Step:
    """The next edit that was not made in this turn, or the closing words."""
    if "update_extraction_field" not in conversation.tools:
        return Step("I would change a value with `update_extraction_field`, but that tool is not offered here.")
    values = find_current_values(conversation)
    if values is None:
        return _look_first(conversation)
    calls = conversation.list_calls("update_extraction_field")
    if calls and not calls[-1].is_ok:
        return _answer_failure(calls[-1].is_rejected, calls[-1].reason, calls[-1].error, values)
    if len(calls) < len(edits):
        return _propose_edit(values, edits[len(calls)])
    changed = [f"`{call.arguments.get('path')}` is now {quote_value(call.arguments.get('value'))}" for call in calls]
    return Step(f"Done: {join_names(changed)}.")


def _look_first(conversation: Conversation) -> Step:
    if "get_extraction_result" in conversation.tools and not conversation.list_calls("get_extraction_result"):
        return use("I look at the current extraction first.", "get_extraction_result")
    return Step("There is no extraction of this document yet, so there is no value to change. Ask me to set one up.")


def _answer_failure(rejected: bool, reason: str, error: str, values: JsonObject) -> Step:
    if rejected:
        because = f" because “{reason}”" if reason else ""
        return Step(f"You rejected the change{because}, so the value stays. What should it be instead?")
    return Step(f"The change failed: {error} {STOPPED} The fields are {join_names(list_field_names(values))}.")


def _propose_edit(values: JsonObject, edit: Edit) -> Step:
    hits = match_leaves(values, edit.what) or _find_left_out(edit.what)
    if len(hits) > 1:
        shown_paths = [f"`{leaf.path}` ({quote_value(leaf.value)})" for leaf in hits[:8]]
        return Step(f"“{edit.what}” could be {join_names(shown_paths)}. Which one do you mean?")
    if not hits:
        return Step(f"I find no field “{edit.what}”. The fields are {join_names(list_field_names(values))}.")
    leaf = hits[0]
    value = parse_like(leaf, edit.to)
    if value is None:
        return Step(f"`{leaf.path}` is {quote_value(leaf.value)}; I cannot read “{edit.to}” as a value of that type.")
    if value == leaf.value:
        return Step(f"`{leaf.path}` is {quote_value(value)} already.")
    text = f"I change `{leaf.path}` from {quote_value(leaf.value)} to {quote_value(value)}."
    return use(text, "update_extraction_field", path=leaf.path, value=value)


def _find_left_out(what: str) -> list[Leaf]:
    """A field that the run left out, under its usual name; the tool knows whether the schema has it."""
    known = lookup_field(what)
    return [Leaf(known.name, None)] if known else []


def parse_like(leaf: Leaf, text: str) -> Json:
    """The text in the type of the old value: number, truth, ISO date or string; None when it cannot be."""
    old, known = leaf.value, lookup_field(leaf.name)
    if isinstance(old, bool):
        return parse_truth(text)
    if isinstance(old, (int, float)) or (old is None and known and known.kind in {"number", "percent", "integer"}):
        return parse_number(text.rstrip("% "))
    if (isinstance(old, str) and parse_date(old) == old) or (old is None and known and known.kind == "date"):
        return parse_date(text)
    return text


def quote_value(value: object) -> str:
    return "empty" if value in (None, "") else f"“{value}”" if isinstance(value, str) else str(value)
