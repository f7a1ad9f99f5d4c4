"""The examples of bodies and answers, which tests have sent and got (tests/recorded_examples.py)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from kit.json_types import Json

PATH = Path(__file__).with_name("examples.json")


@cache
def read_examples() -> Mapping[str, Json]:
    """By the name of the operation, `request` or the status, and the media type."""
    examples: Mapping[str, Json] = json.loads(PATH.read_text())
    return examples
