"""Describe this installation for the person who sets it up."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True)
class Part:
    name: str
    sentence: str
    ready: bool


def list_parts() -> list[Part]:
    embedded = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    place = "in the data folder, kept over updates" if embedded else "on the servers that the settings name"
    return [
        Part("Reading", "text layer and OCR, on this machine", True),
        Part("Database and files", place, True),
        _model(),
    ]


def _model() -> Part:
    if is_offline():
        return Part("Model", "offline rules, no key is set", False)
    return Part("Model", settings.DEFAULT_MODEL, True)


def is_offline() -> bool:
    """True while nothing leaves this machine."""
    return all(name.startswith("offline/") for name in (settings.DEFAULT_MODEL, settings.EXTRACTION_MODEL))
