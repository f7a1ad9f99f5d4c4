"""The check after a tool: does an item that it brought belong to what the assistant is for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agent.scope_profiles.clauses import MAX_LETTERS
from agent.scope_profiles.matters import MATTERS, WORLD
from agent.scope_profiles.naming import name_type, name_types
from agent.scope_profiles.profile import Profile
from agent.scope_profiles.subjects import is_foreign_matter
from agent.scope_profiles.verdicts import IN, OUT, Verdict
from printed.folding import fold
from printed.matter_words import Mention, list_mentions
from printed.type_words import fold_line

MAX_QUOTED = 5


@dataclass(frozen=True)
class Item:
    """`kind` is row, value, page or web; `type` is empty where nobody knows it yet."""

    kind: str
    type: str | None
    tags: tuple[str, ...] = ()
    name: str = ""
    text: str = ""


def check_item(profile: Profile, item: Item) -> Verdict:
    """The type first, then tags and patterns: neither an allowed tag nor a claim in a text heals a foreign type."""
    if item.type and item.type not in profile.allowed:
        return Verdict(OUT, "type", f"It is {name_type(item.type)}.")
    text = f"{item.name}\n{item.text}"
    if pattern := profile.matches_never(text):
        return Verdict(OUT, "never", f"It has what never passes here: {pattern}.")
    if verdict := _check_tags(profile, item):
        return verdict
    if item.type:
        return Verdict(IN, "type", f"It is {name_type(item.type)}.")
    if pattern := profile.matches_always(text):
        return Verdict(IN, "always", f"It has what always passes here: {pattern}.")
    folded = fold_line(text[:MAX_LETTERS])
    return replace(_check_text(profile, folded), words=_quote_words(folded))


def _check_tags(profile: Profile, item: Item) -> Verdict | None:
    if item.kind == "web":
        return None
    tags, never = set(map(fold, item.tags)), set(map(fold, profile.tags_never))
    if tags & never:
        return Verdict(OUT, "tag", f"It has the tag {min(tags & never)}, which is kept out.")
    if profile.tags_mode == "required" and not tags & set(map(fold, profile.tags)):
        return Verdict(OUT, "tag", "It has none of the tags that this assistant is for.")
    return None


def _quote_words(text: str) -> str:
    mentions = sorted([*list_mentions("types", text), *list_mentions("matters", text)], key=lambda each: each.start)
    return ", ".join(list(dict.fromkeys(text[each.start : each.end] for each in mentions))[:MAX_QUOTED])


def _check_text(profile: Profile, text: str) -> Verdict:
    """The first type that a text names is taken for its own, as titles come first; then matters and topics decide."""
    types = sorted(list_mentions("types", text), key=lambda mention: mention.start)
    matters = {mention.name for mention in list_mentions("matters", text)}
    subjects = {name for name in matters & set(MATTERS) if MATTERS[name].subject}
    if matters & ((profile.meaning.foreign_matters & subjects) | {WORLD}):
        return Verdict(OUT, "subject", "Its words are about something else.")
    if foreign := [mention.name for mention in types if mention.name not in profile.allowed]:
        return Verdict(OUT, "text", f"Its words are those of {name_types(set(foreign))}.")
    return _check_matters(profile, types, matters, profile.matches_topic(text))


def _check_matters(profile: Profile, types: list[Mention], matters: set[str], topic: str) -> Verdict:
    from_subject = [name for name in matters if MATTERS[name].subject and is_foreign_matter(profile, name)]
    if from_subject:
        return Verdict(OUT, "subject", f"It is about {', '.join(sorted(from_subject))}.")
    if types or topic:
        return Verdict(IN, "text", f"Its words are those of {topic or name_types({types[0].name})}.")
    own = [name for name in matters if name in profile.meaning.matters or MATTERS[name].of & profile.allowed]
    if own:
        return Verdict(IN, "subject", f"It is about {', '.join(sorted(own))}.")
    return Verdict(OUT, "unknown", "Nothing tells that it belongs to what this assistant is for.")
