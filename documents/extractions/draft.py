"""What a model call brought, as plain JSON that can wait in a row until it is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

Json = dict[str, Any]


@dataclass(frozen=True)
class ExtractionDraft:
    """`result` is in stored shape (rows have ids), `provenance` maps addresses to `Location.as_json`.

    `notes` are values that were left out, each {where, reason, value}; `coverage` the pages that were seen whole.
    """

    document_id: str
    reading_id: str
    prompt_revision_id: str | None
    schema_revision_id: str | None
    model: str
    raw: str
    result: Json
    provenance: Json
    coverage: list[int]
    page_count: int
    cost_micros: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    notes: list[Json] = field(default_factory=list)

    def as_json(self) -> Json:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**data)
