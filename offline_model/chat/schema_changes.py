"""Changes to a schema that a person asks for in plain words, and what they make of a draft."""

import re
from dataclasses import dataclass, replace

from offline_model.chat.schema_draft import Draft, make_known_property, make_own_property
from offline_model.fields.vocabulary import BY_NAME, lookup_field
from offline_model.text import split_words, to_readable, to_snake_case

ADD = r"add|include|we need|i need|need|want"
DROP = r"remove|drop|delete|omit|skip|leave out|without|no|not|exclude"
ARTICLE = r"(?:the |a |an |our |its |also |please |fields? (?:for|called|named) (?:the )?|column (?:for )?(?:the )?)*"
NAME = r"[“\"'`]?(?P<name>[^“”\"'`]+?)[”\"'`]?"
TO = r"[“\"'`]?(?P<to>[^“”\"'`]+?)[”\"'`]?"
PATTERNS = (
    ("call", rf"(?:please )?(?:call|name|title) (?:it|this|the schema) {TO}"),
    ("call", rf"(?:rename|change the name of) (?:it|this|the schema)(?: to)? {TO}"),
    ("call", rf"(?:the |its )?(?:schema(?:'s)? )?name (?:should be|must be|is|shall be) {TO}"),
    ("rename", rf"(?:please )?rename {ARTICLE}{NAME}(?: field)? (?:to|as|into) {TO}"),
    ("rename", rf"(?:please )?call {ARTICLE}{NAME} {TO}(?: instead)"),
    ("rename", rf"{ARTICLE}{NAME} (?:should|must) be (?:called|named|renamed to) {TO}"),
    ("require", rf"(?:please )?make {ARTICLE}{NAME}(?: field)? (?:required|mandatory)"),
    ("require", rf"(?:please )?require {ARTICLE}{NAME}"),
    ("require", rf"{ARTICLE}{NAME} (?:is|should be|must be) (?:required|mandatory)"),
    ("relax", rf"(?:please )?make {ARTICLE}{NAME}(?: field)? optional"),
    ("relax", rf"{ARTICLE}{NAME} (?:is|should be|must be) optional"),
    ("retype", rf"(?:make )?{ARTICLE}{NAME} (?:should be|must be|as) (?:a |an )?(?P<to>number|integer|string|text)"),
    ("add", rf"{ARTICLE}{NAME} (?:is|are) missing"),
    ("add", rf"(?:you )?(?:forgot|missed) {ARTICLE}{NAME}"),
    ("add", rf"(?:please )?(?:also )?(?:{ADD}) {ARTICLE}{NAME}(?: too| as well| field)?"),
    ("add", rf"(?:please )?(?:also )?(?:with|and also) {ARTICLE}{NAME}"),
    ("drop", rf"(?:please )?(?:{DROP}) {ARTICLE}{NAME}(?: field)?"),
    ("drop", rf"{ARTICLE}{NAME} (?:is|are) not needed"),
)
COMPILED = tuple((verb, re.compile(pattern, re.IGNORECASE)) for verb, pattern in PATTERNS)
LONGEST_CLAUSE = 200
LIST_VERBS = {"add", "drop", "require", "relax"}


@dataclass(frozen=True)
class Change:
    verb: str
    name: str
    to: str = ""


@dataclass(frozen=True)
class AppliedChanges:
    """A draft after changes: what was done, in words, and what could not be."""

    draft: Draft
    did: tuple[str, ...] = ()
    could_not: tuple[str, ...] = ()


def find_changes(text: str) -> list[Change]:
    """The changes that the text asks for; empty when any part of it was not understood."""
    changes: list[Change] = []
    for clause in re.split(r"\s*(?:[;,.!]\s+|[;.!]$|\band\b|\bbut\b)\s*", text.strip()):
        if not clause.strip(" .!"):
            continue
        if len(clause) > LONGEST_CLAUSE:
            return []
        change = _parse_change(clause.strip(" .!")) or _continue_change(clause, changes)
        if not change:
            return []
        changes.append(change)
    return changes


def _parse_change(clause: str) -> Change | None:
    for verb, pattern in COMPILED:
        match = pattern.fullmatch(clause)
        if match:
            groups = match.groupdict()
            name, to = (groups.get("name") or "").strip(), (groups.get("to") or "").strip()
            return Change(verb, name, to) if len(split_words(name)) <= 5 else None
    return None


def _continue_change(clause: str, before: list[Change]) -> Change | None:
    """`… and the BIC` goes on with the verb before it."""
    name = re.sub(rf"^{ARTICLE}", "", clause.strip(), flags=re.IGNORECASE).strip(" .!\"'“”")
    goes_on = before and before[-1].verb in LIST_VERBS and 0 < len(split_words(name)) <= 3
    return Change(before[-1].verb, name) if goes_on else None


def apply_changes(draft: Draft, changes: list[Change]) -> AppliedChanges:
    changed = AppliedChanges(draft)
    for change in changes:
        changed = VERBS[change.verb](changed, change)
    return changed


def _record_success(changed: AppliedChanges, draft: Draft, did: str) -> AppliedChanges:
    return replace(changed, draft=draft, did=(*changed.did, did))


def _record_problem(changed: AppliedChanges, problem: str) -> AppliedChanges:
    return replace(changed, could_not=(*changed.could_not, problem))


def _apply_change(changed: AppliedChanges, change: Change) -> AppliedChanges:
    return _record_success(changed, changed.draft.with_name(change.to), f"call it “{change.to}”")


def _add_property(changed: AppliedChanges, change: Change) -> AppliedChanges:
    draft = changed.draft
    known = lookup_field(change.name)
    name = known.name if known and known.name in BY_NAME else to_snake_case(change.name)
    if draft.find_property(change.name) in {name}:
        return _record_problem(changed, f"`{name}` is there already")
    part = make_known_property(name) if name in BY_NAME else make_own_property(to_readable(change.name))
    return _record_success(changed, replace(draft, properties={**draft.properties, name: part}), f"add `{name}`")


def _drop_property(changed: AppliedChanges, change: Change) -> AppliedChanges:
    draft, name = changed.draft, changed.draft.find_property(change.name)
    if not name:
        return _record_problem(changed, f"there is no field “{change.name}”")
    left = {key: part for key, part in draft.properties.items() if key != name}
    required = tuple(key for key in draft.required if key != name)
    return _record_success(changed, replace(draft, properties=left, required=required), f"leave out `{name}`")


def _rename_property(changed: AppliedChanges, change: Change) -> AppliedChanges:
    draft, name, to = changed.draft, changed.draft.find_property(change.name), to_snake_case(change.to)
    if not name or not to or to in draft.properties:
        return _record_problem(changed, f"“{change.name}” cannot be renamed to “{change.to}”")
    properties = {to if key == name else key: part for key, part in draft.properties.items()}
    required = tuple(to if key == name else key for key in draft.required)
    return _record_success(
        changed, replace(draft, properties=properties, required=required), f"rename `{name}` to `{to}`"
    )


def _require_property(changed: AppliedChanges, change: Change) -> AppliedChanges:
    draft, name = changed.draft, changed.draft.find_property(change.name)
    if not name:
        return _record_problem(changed, f"there is no field “{change.name}”")
    required = tuple(key for key in draft.properties if key in {*draft.required, name})
    return _record_success(changed, replace(draft, required=required), f"make `{name}` required")


def _relax_property(changed: AppliedChanges, change: Change) -> AppliedChanges:
    draft, name = changed.draft, changed.draft.find_property(change.name)
    if not name:
        return _record_problem(changed, f"there is no field “{change.name}”")
    required = tuple(key for key in draft.required if key != name)
    return _record_success(changed, replace(draft, required=required), f"make `{name}` optional")


def _retype_property(changed: AppliedChanges, change: Change) -> AppliedChanges:
    draft, name = changed.draft, changed.draft.find_property(change.name)
    kind = {"text": "string"}.get(change.to.lower(), change.to.lower())
    if not name or draft.properties[name].get("type") in {"array", "object"}:
        return _record_problem(changed, f"“{change.name}” cannot become a {kind}")
    part = {"type": kind, "description": draft.properties[name].get("description", "")}
    return _record_success(
        changed, replace(draft, properties={**draft.properties, name: part}), f"make `{name}` a {kind}"
    )


VERBS = {
    "call": _apply_change,
    "add": _add_property,
    "drop": _drop_property,
    "rename": _rename_property,
    "require": _require_property,
    "relax": _relax_property,
    "retype": _retype_property,
}
