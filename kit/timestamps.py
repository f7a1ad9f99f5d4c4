"""Moments as text, the same in every answer and in whatever is kept as JSON."""

from __future__ import annotations

from datetime import UTC, datetime


def format_timestamp(moment: datetime) -> str:
    """ISO 8601 in UTC with microseconds and Z, whatever time zone the installation shows."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
