"""Entries of the audit log in words: a verb, the name of what was changed, and the rest of the sentence."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model

from accounts.models import AuditEntry, Organization
from agent.models import AgentSettings
from documents.models import BulkAction
from kit.json_types import JsonObject

_TEXTS = {
    ("added", "member"): "Added {name} as {role}",
    ("changed role", "member"): "Changed the role of {name} from {before} to {after}",
    ("removed", "member"): "Removed {name}",
    ("joined", "member"): "Joined as {role}",
    ("invited", "invitation"): "Invited {name} as {role}",
    ("withdrew", "invitation"): "Withdrew the invitation of {name}",
    ("declined", "invitation"): "Declined the invitation of {name}",
    ("changed", "organization"): "Changed {fields} for {name}",
    ("changed", "agent settings"): "Changed {fields} in the agent settings",
    ("budget set", "budget"): "Set the monthly budget",
    ("renamed", "document"): "Renamed {name}, formerly {before}",
    ("set the type", "document"): "Set the type of {name} to {after}",
    ("left the type", "document"): "Left the type of {name} to the rules",
    ("held", "document"): "Held the prompt {prompt} on {name}",
    ("ran a held prompt", "document"): "Ran the prompt {prompt} on {name} anyway",
    ("read again", "document"): "Read {name} again",
    ("asked for automatic setup", "document"): "Requested automatic setup for {name}",
    ("started extraction", "document"): "Started run {number} of {name}",
    ("went on with extraction", "document"): "Continued run {number} of {name}",
    ("mended the index", "document"): "Repaired the search index of {name}",
    ("split", "document"): "Split {name} into {parts} documents",
    ("joined", "document"): "Joined the {parts} parts of {name} again",
    ("taken out", "document"): "Removed {name} from a proposal",
    ("asked for", "bulk action"): "Started “{kind}” for {documents} documents",
    ("stopped", "bulk action"): "Stopped “{kind}”",
    ("extracted", "extraction"): "Extracted {name}",
    ("edited", "extraction"): "Edited {where} in {name}",
    ("verified", "extraction"): "Verified {where} in {name}",
    ("unverified", "extraction"): "Removed the verification of {where} in {name}",
    ("judged again", "extraction"): "Checked {name} again",
    ("took checks back", "extraction"): "Restored the earlier checks of {name}",
    ("withdrew", "extraction"): "Withdrew {name}",
    ("went back", "schema"): "Restored an earlier version of {name}",
    ("went back", "prompt"): "Restored an earlier version of {name}",
    ("cleared the standing wishes", "thread"): "Cleared the standing instructions in {name}",
    ("took out of focus", "thread"): "Changed the focus of {name}",
    ("set model", "thread"): "Changed the model of {name}",
    ("set mode", "thread"): "Changed the mode of {name}",
    ("asked the agent", "turn"): "Asked the agent in {name}",
    ("kept out of scope", "turn"): "Kept a request or result out of scope in {name}",
    ("stopped", "turn"): "Stopped the agent in {name}",
    ("resumed", "turn"): "Resumed the agent in {name}",
    ("asked over MCP", "turn"): "Called {tool} from {client}",
    ("approved", "tool call"): "Approved “{name}”",
    ("rejected", "tool call"): "Rejected “{name}”",
    ("expired", "tool call"): "Let “{name}” expire",
    ("cancelled", "tool call"): "Canceled “{name}”",
    ("undid", "tool call"): "Undid “{name}”",
    ("made", "rule"): "Made a rule: {name}",
    ("revoked", "rule"): "Revoked a rule: {name}",
    ("changed", "scope profile"): "Changed a scope profile",
    ("removed", "scope profile"): "Removed a scope profile",
    ("changed the steps", "thread"): "Changed the steps in {name}",
    ("went back", "thread"): "Went back to an earlier message in {name}",
    ("resolved", "tool call"): "Reported the outcome of “{name}”",
    ("called", "model call"): "Called the model {name}",
    ("price set", "model price"): "Set the price of {name}",
    ("price removed", "model price"): "Removed the price of {name}",
    ("stored", "provider key"): "Stored the key of {name}",
    ("removed", "provider key"): "Removed the key of {name}",
    ("changed", "user"): "Changed the account of {name}",
    ("changed password", "user"): "Changed the password of {name}",
    ("made a link to a new password", "user"): "Made a password link for {name}",
    ("reset password", "user"): "Set a new password for {name}",
    ("exported results of", "organization"): "Exported results",
    ("downloaded", "bulk action"): "Downloaded “{kind}” of {documents} documents",
    ("accepted", "proposal"): "Accepted the proposal {name}",
    ("rejected", "proposal"): "Rejected the proposal {name}",
}

_SETTINGS: dict[str, type[Model]] = {"organization": Organization, "agent settings": AgentSettings}


@dataclass(frozen=True)
class Phrase:
    """A sentence around the name of what was changed; `name` is empty where the sentence has none."""

    before: str
    name: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        return f"{self.before}{self.name}{self.after}".strip()


def phrase_entry(entry: AuditEntry, name: str, place: str = "", change: str = "") -> Phrase:
    """Without a text of its own: action, kind and name, such as "Revised schema Invoice".

    `place` is the title of the value that was changed, `change` what it said before and after.
    """
    named = name or entry.target_id
    if entry.action == "changed" and entry.target_kind == "document":
        return Phrase(f"{_describe_change(entry.detail)} ", named)
    text = _TEXTS.get((entry.action, entry.target_kind))
    if text is None:
        kind = "" if entry.target_kind == "document" else f"{entry.target_kind} "
        return Phrase(f"{entry.action.capitalize()} {kind}", named)
    before, has_name, after = text.partition("{name}")
    words = defaultdict(str, _read_words(entry, place))
    rest = f": {change}" if change else ""
    return Phrase(before.format_map(words), named if has_name else "", f"{after.format_map(words)}{rest}")


def _describe_change(detail: JsonObject) -> str:
    """ "Tagged", "Removed a tag from" or "Changed metadata of"."""
    added, removed = _list_words(detail.get("added")), _list_words(detail.get("removed"))
    if added and removed:
        return f"Replaced the tag {removed} with {added} on"
    if added or removed:
        return f"Added the tag {added} to" if added else f"Removed the tag {removed} from"
    return f"Changed {_list_words(detail.get('what')) or 'something'} of"


def _read_words(entry: AuditEntry, place: str) -> dict[str, str]:
    words = {name: _list_words(value) for name, value in entry.detail.items()}
    words["fields"] = _name_settings(entry)
    if words.get("kind") in BulkAction.Kind.values:
        words["kind"] = BulkAction.Kind(words["kind"]).label
    number = entry.detail.get("changes")
    words["where"] = f"{number} values" if number else place or "all values"
    return words


def _name_settings(entry: AuditEntry) -> str:
    """As their pages call them, such as “summarize each document after reading”."""
    model, names = _SETTINGS.get(entry.target_kind), entry.detail.get("fields")
    if model is None or not isinstance(names, list):
        return "something"
    return ", ".join(_name_setting(model, str(name)) for name in names)


def _name_setting(model: type[Model], name: str) -> str:
    try:
        words = model._meta.get_field(name).verbose_name  # type: ignore[union-attr]
    except FieldDoesNotExist:
        words = name.replace("_", " ")
    return f"“{words}”"


def _list_words(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")
