"""Describe this installation for the person who sets it up."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True)
class InstallationPart:
    name: str
    sentence: str
    ready: bool


def list_parts() -> list[InstallationPart]:
    embedded = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    place = "in the data folder, kept over updates" if embedded else "on the servers that the settings name"
    return [
        InstallationPart("Reading", "text layer and OCR, on this machine", True),
        InstallationPart("Database and files", place, True),
        _model(),
    ]


def _model() -> InstallationPart:
    if is_offline():
        return InstallationPart("Model", "offline rules, no key is set", False)
    return InstallationPart("Model", settings.DEFAULT_MODEL, True)


def is_offline() -> bool:
    """True while nothing leaves this machine."""
    return all(name.startswith("offline/") for name in (settings.DEFAULT_MODEL, settings.EXTRACTION_MODEL))
