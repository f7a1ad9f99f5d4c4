"""What is left of a proposal."""

from __future__ import annotations

from documents.autosetup import auto_setup
from documents.models import Extraction, Prompt, Schema


def ran(status: str = "completed") -> None:
    """What waits to be extracted has been."""
    Extraction.objects.filter(status="queued").update(status=status, reason="" if status == "completed" else "No.")
    auto_setup.finish_members()


def count_untrashed() -> tuple[int, int]:
    return Schema.objects.filter(trashed_at=None).count(), Prompt.objects.filter(trashed_at=None).count()
