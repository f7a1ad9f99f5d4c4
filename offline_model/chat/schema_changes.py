"""Changes to a proposed schema that a person asks for in plain words, and what they make of the draft."""

import re
from dataclasses import dataclass, replace

from offline_model.chat.schema_draft import Draft, make_known_property, make_own_property
from offline_model.fields.vocabulary import BY_NAME, lookup_field
from offline_model.text import split_words, to_readable, to_snake_case

ARTICLE = r"(?:the |a |an |our |its |also |please |fields? (?:for|called|named) (?:the )?|column (?:for )?(?:the )?)*"
NAME = r"[“\"'`]?(?P<name>[^“”\"'`]+?)[”\"'`]?"
TO = r"[“\"'`]?(?P<to>[^“”\"'`]+?)[”\"'`]?"
PATTERNS = (
    ("call", rf"(?:please )?(?:call|name|rename) (?:it|this|the schema)(?: to)? {TO}"),
    ("call", rf"(?:called|named) {TO}"),
    ("rename", rf"(?:please )?rename {ARTICLE}{NAME}(?: field)? (?:to|as|into) {TO}"),
    ("add", rf"{ARTICLE}{NAME} (?:is|are) missing"),
    ("add", rf"(?:please )?(?:also )?(?:add|include|with) {ARTICLE}{NAME}(?: too| as well| field)?"),
    ("drop", rf"(?:please )?(?:remove|drop|delete|omit|leave out|without|no) {ARTICLE}{NAME}(?: field)?"),
)
COMPILED = tuple((verb, re.compile(pattern, re.IGNORECASE)) for verb, pattern in PATTERNS)
LONGEST_CLAUSE = 200


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

    def succeed(self, draft: Draft, did: str) -> "AppliedChanges":
        return replace(self, draft=draft, did=(*self.did, did))

    def fail(self, problem: str) -> "AppliedChanges":
        return replace(self, could_not=(*self.could_not, problem))


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
    goes_on = before and before[-1].verb in {"add", "drop"} and 0 < len(split_words(name)) <= 3
    return Change(before[-1].verb, name) if goes_on else None


def apply_changes(draft: Draft, changes: list[Change]) -> AppliedChanges:
    changed = AppliedChanges(draft)
    for change in changes:
        changed = VERBS[change.verb](changed, change)
    return changed


def _rename_schema(changed: AppliedChanges, change: Change) -> AppliedChanges:
    return changed.succeed(changed.draft.with_name(change.to), f"call it “{change.to}”")


def _add_property(changed: AppliedChanges, change: Change) -> AppliedChanges:
    draft = changed.draft
    known = lookup_field(change.name)
    name = known.name if known and known.name in BY_NAME else to_snake_case(change.name)
    if draft.find_property(change.name) in {name}:
        return changed.fail(f"`{name}` is there already")
    part = make_known_property(name) if name in BY_NAME else make_own_property(to_readable(change.name))
    return changed.succeed(replace(draft, properties={**draft.properties, name: part}), f"add `{name}`")


def _drop_property(changed: AppliedChanges, change: Change) -> AppliedChanges:
    draft, name = changed.draft, changed.draft.find_property(change.name)
    if not name:
        return changed.fail(f"there is no field “{change.name}”")
    left = {key: part for key, part in draft.properties.items() if key != name}
    return changed.succeed(replace(draft, properties=left), f"leave out `{name}`")


def _rename_property(changed: AppliedChanges, change: Change) -> AppliedChanges:
    draft, name, to = changed.draft, changed.draft.find_property(change.name), to_snake_case(change.to)
    if not name or not to or to in draft.properties:
        return changed.fail(f"“{change.name}” cannot be renamed to “{change.to}”")
    properties = {to if key == name else key: part for key, part in draft.properties.items()}
    return changed.succeed(replace(draft, properties=properties), f"rename `{name}` to `{to}`")


VERBS = {"call": _rename_schema, "add": _add_property, "drop": _drop_property, "rename": _rename_property}
