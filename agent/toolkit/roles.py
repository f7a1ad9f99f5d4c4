"""Who may have a tool called at least."""

from __future__ import annotations

from accounts.models import Role

_OPEN_TO_REVIEWERS = ("document", "extraction")


def minimum_role(group: str, access: str) -> Role:
    """Reviewers change documents and extractions; what others share, and deletion, is for builders."""
    if access in ("read", "costly_read"):
        return Role.VIEWER
    return Role.REVIEWER if group in _OPEN_TO_REVIEWERS and access != "destructive" else Role.BUILDER
