"""24-hex ObjectIds as string keys: the published clients expect them. They do not order events across processes."""

from __future__ import annotations

import re

from bson import ObjectId

_ID = re.compile(r"[0-9a-f]{24}")


def new_id() -> str:
    return str(ObjectId())


def is_id(value: object) -> bool:
    """True for 24 lowercase hex characters."""
    return isinstance(value, str) and _ID.fullmatch(value) is not None
