"""Answers of /v0 about results of many documents."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from kit.json_types import Json


class EmptyField(TypedDict):
    """Why a field has no value."""

    state: str
    note: str


class ValueProof(TypedDict):
    """Proof of a value. `page` is a text where the entries of a list are on several."""

    page: int | str | None
    words: str
    state: str
    verified_by: str
    verified_at: str | None
    failed_checks: str
    place: str


class PromptResult(TypedDict):
    """Current values of one prompt. `prompt_status` is `proposed` where nobody has accepted it. `without_value` and
    `proof` are by path.
    """

    prompt_revid: str | None
    prompt_name: str
    prompt_version: int
    prompt_status: str
    extraction_id: str
    values: Json
    without_value: dict[str, EmptyField]
    proof: NotRequired[dict[str, ValueProof]]


class DocumentResults(TypedDict):
    """A document with the newest result of each prompt. Further columns that were chosen are here too."""

    document_id: str
    document_name: str
    document_type: str | None
    link: str
    state: str
    results: list[PromptResult]
    metadata: NotRequired[dict[str, str | None]]
    tag: NotRequired[str]
    uploaded: NotRequired[str]
    uploaded_by: NotRequired[str]
    kind: NotRequired[str]
    verified: NotRequired[bool]
    verified_by: NotRequired[str]
    checks: NotRequired[int]


class LeftOutDocument(TypedDict):
    """`kind`: the document is left out, or is there in part."""

    kind: str
    document_id: str
    document_name: str
    reason: str


class ResultTrailer(TypedDict):
    """Documents that are here, how many of them have values of a proposal, and what is not here, with the reason."""

    documents: int
    proposed_count: int
    left_out_count: int
    in_part_count: int
    left_out: list[LeftOutDocument]


class ResultPage(TypedDict):
    """`next_cursor` gets the next page; it is null on the last one."""

    results: list[DocumentResults]
    next_cursor: str | None
    trailer: ResultTrailer
