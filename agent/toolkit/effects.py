"""What an effect rests on, and how it is undone."""

from __future__ import annotations

from typing import TypeAlias, TypedDict

Preconditions: TypeAlias = dict[str, int]
"""What a call rests on, as "kind:id" to the version seen. Also names the things that it touches."""


class Inverse(TypedDict, total=False):
    """How to undo a call: the service, which is always there, its arguments, and what has to be as the call left it."""

    service: str
    precondition: Preconditions
    schema_id: str
    schema_revid: str
    prompt_id: str
    prompt_revid: str
    tag_id: str
    document_id: str
    job_id: str
    part_ids: list[str]
    wish_id: str
    text: str
    extraction_id: str
    edit_id: str
    edit_ids: list[str]
    verification_ids: list[str]
    name: str
    color: str
    description: str
    tag_ids: list[str]
    run_ids: list[str]
    metadata: dict[str, str]
