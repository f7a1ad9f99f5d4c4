"""The words of a refusal: what the assistant is for and what one could ask it, but nothing of any content."""

from __future__ import annotations

from collections.abc import Iterator

from agent.scope_profiles.naming import name_type, name_types
from agent.scope_profiles.profile import Profile
from agent.scope_profiles.requests import Request, check_request
from agent.scope_profiles.verdicts import IN
from documents.models import DocumentType

MAX_EXAMPLES = 2
BY_CHECK = "scope check"
"""The name of the model of a message that is a refusal."""
OPEN_PAGES = "Whoever may open its page can still do so: this is about the assistant alone."
LATE = "Whether this is for the assistant could not be checked just now, so it was not answered. Ask again later."


def name_purpose(profile: Profile) -> str:
    return name_types(profile.types) if profile.types else profile.sentence.strip().rstrip(".")


def describe_item(profile: Profile, name: str, document_type: DocumentType | None) -> str:
    """Such as "Pole extension is a delivery note; this assistant is for invoices and receipts." """
    purpose = f"this assistant is for {name_purpose(profile)}"
    if document_type is None:
        return f"It is not known what {name} is; {purpose}."
    if document_type.key in profile.allowed:
        return f"{name} is kept out by tags or words; {purpose}."
    return f"{name} is {_name(document_type)}; {purpose}."


def _name(document_type: DocumentType) -> str:
    """As the organization calls the type."""
    is_renamed = document_type.name.casefold() != document_type.key.casefold()
    return name_type(document_type.name if is_renamed else document_type.key)


def describe_refusal(profile: Profile) -> str:
    """The profile's own wording, or its sentence; then what one could ask."""
    purpose = profile.sentence.strip().rstrip(".")
    words = profile.refusal.strip() or f"This assistant is for {purpose[:1].lower()}{purpose[1:]}."
    examples = [f"“{each}”" for each in list_examples(profile)][:MAX_EXAMPLES]
    return f"{words} You could ask: {' or '.join(examples)}" if examples else words


def list_examples(profile: Profile) -> Iterator[str]:
    """Questions that the profile itself lets pass."""
    asked = [f"What is the newest {_name_words(key)} about?" for key in profile.types]
    asked += [f"What do the documents say about {topic}?" for topic in profile.topics]
    return (each for each in asked if check_request(profile, Request(each)).outcome == IN)


def _name_words(key: str) -> str:
    return key.replace("_", " ")
