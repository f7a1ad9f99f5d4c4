"""Tell a model where the JSON that it wrote breaks."""

from __future__ import annotations

import json

SHOWN_LETTERS = 30


def find_break(answer: str) -> str:
    """Where the first object of the answer stops being JSON; empty where none begins or it is whole."""
    begun = answer[max(answer.find("{"), 0) :]
    try:
        json.JSONDecoder().raw_decode(begun)
    except json.JSONDecodeError as error:
        before = begun[max(0, error.pos - SHOWN_LETTERS) : error.pos]
        return f" It is no JSON from behind {json.dumps(before, ensure_ascii=False)}: {error.msg}." if before else ""
    except RecursionError:
        return ""
    return ""
