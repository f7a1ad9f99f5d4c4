"""What the model is shown of the document and the records, as untrusted data, anew in each round."""

from __future__ import annotations

from typing import Any

from agent.models import Turn


def data_messages(turn: Turn) -> list[dict[str, Any]]:
    return []
