"""The sentences of refusals: what the assistant is for, and which items it left out."""

from __future__ import annotations

from collections.abc import Sequence

from agent.scope_profiles.items import Item
from agent.scope_profiles.naming import name_type, name_types
from agent.scope_profiles.profile import Profile

MAX_NAMED = 5


def describe_purpose(profile: Profile) -> str:
    """The organization's own words, else the types, else the sentence."""
    if profile.refusal:
        return profile.refusal
    if profile.types:
        return f"This assistant is for {name_types(profile.types)}."
    return f"This assistant is for this: {profile.sentence.rstrip('.')}."


def describe_items(profile: Profile, items: Sequence[Item]) -> str:
    """Foreign items with their types, and nothing of what stands in them."""
    named = [f"“{item.name}” is {name_type(item.type) if item.type else 'of no known type'}" for item in items]
    if len(named) > MAX_NAMED:
        named = [*named[:MAX_NAMED], f"{len(named) - MAX_NAMED} more are outside"]
    return f"{'; '.join(named)}. {describe_purpose(profile)}"
