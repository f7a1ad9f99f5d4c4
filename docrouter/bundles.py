"""The few files that a page loads: `name.css` and `name.js` for `{% styles "name" %}` and `{% scripts "name" %}`.

The sources stay one a feature. What a script imports is joined with it and is not named here; with `DEBUG` a page loads
the sources themselves.
"""

from __future__ import annotations

_CARDS = ("document", "agent", "answers", "schema_editor")
_STYLES = {
    "frame": ("tokens", "base", "pages", "tagging", "find", "bulk", "status", "columns"),
    "document": (*_CARDS, "proposal", "review", "chain"),
    "thread": (*_CARDS, "research"),
    "inbox": (*_CARDS, "proposal", "inbox", "review"),
    "definitions": ("definitions", "chain"),
    "schema": ("definitions", "schema_editor", "chain"),
    "audit": ("definitions", "audit"),
    "search": ("search",),
    "split": ("split",),
    "compare": ("compare",),
    "usage": ("usage",),
    "administration": ("tokens", "administration"),
}
# Between the scripts of the frame, which every page has.
_SCRIPTS = {
    "frame": (),
    "documents": (
        *("status", "filters", "upload", "drop", "tags", "documents"),
        *("selection", "leaving", "bulk", "columns", "sums"),
    ),
    "trash": ("selection", "bulk", "trash"),
    "document": ("panels", "tags", "facts", "viewer", "structure", "fields", "presence", "agent", "proposal"),
    "thread": ("agent", "research"),
    "inbox": ("inbox", "proposal", "presence"),
    "rules": ("definitions", "agent_rules"),
    "search": ("filters", "search"),
    "definitions": ("definitions", "columns"),
    "lists": ("definitions", "lists"),
    "schema": ("definitions", "schema_editor"),
    "split": ("split",),
    "compare": ("compare",),
}


def _name_files(kind: str, bundles: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {
        f"{kind}/{name}.joined.{kind}": tuple(f"{kind}/{part}.{kind}" for part in parts)
        for name, parts in bundles.items()
    }


STATIC_BUNDLES = _name_files("css", _STYLES) | _name_files(
    "js", {name: ("shell", "palette", *parts, "badge") for name, parts in _SCRIPTS.items()}
)
