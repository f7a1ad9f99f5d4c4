"""A reference to its object: what fits exactly goes before what is only alike, and several that fit are all named."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent.references.candidates import MAX_CANDIDATES, Asker, Candidate, Resolution
from agent.references.names import find_alike, find_by_address, find_by_alias, find_by_id, find_by_name
from agent.references.numbers import find_by_value, find_on_pages
from agent.references.relative import find_relative
from printed.references.reference_words import MAX_LETTERS, parse_reference

_STEPS: Sequence[Callable[[Asker, str], list[Candidate]]] = (
    find_by_id,
    find_by_address,
    find_by_alias,
    find_by_name,
    find_by_value,
    find_on_pages,
)
TOO_LONG = f"A reference has at most {MAX_LETTERS} characters."


def resolve_exactly(asker: Asker, text: str) -> Resolution:
    """Try one way after the other until one fits. Several candidates: nothing says which of them is meant."""
    text = "".join(char for char in text if char.isprintable()).strip()
    if len(text) > MAX_LETTERS:
        return Resolution(note=TOO_LONG)
    for find in _STEPS:
        if candidates := find(asker, text):
            return _cut(Resolution(candidates))
    return _cut(find_relative(asker, parse_reference(text)))


def resolve(asker: Asker, text: str) -> Resolution:
    """Take names that are only alike, and say so, where nothing fits exactly."""
    exact = resolve_exactly(asker, text)
    if exact.candidates or exact.note == TOO_LONG:
        return exact
    alike = find_alike(asker, text.strip())
    return _cut(Resolution(alike, is_exact=False, note=exact.note))


def _cut(resolution: Resolution) -> Resolution:
    shown = resolution.candidates[:MAX_CANDIDATES]
    more = len(resolution.candidates) - len(shown)
    return Resolution(shown, resolution.is_exact, more, resolution.note)
