"""What a model call brought, as plain JSON that can wait in a row until it is stored."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import NotRequired, Self, TypedDict

from documents.locate.printed_sums import PrintedSums
from documents.values import ValuePlace, Where
from kit.json_types import Json, JsonObject


class Note(TypedDict):
    """A value that was left out, or that has no place here any more: then `edit` is the number of who set it."""

    where: str
    reason: str
    value: Json
    edit: NotRequired[int]


def describe_note(note: Note) -> str:
    name = note["where"].rpartition(".")[2].partition("[")[0]
    return f"{name}: {note['reason']}" if name else note["reason"]


@dataclass(frozen=True)
class ExtractionDraft:
    """`result` is in stored shape (rows have ids), `provenance` maps addresses to `Location.as_json`.

    `notes` are values that were left out; `coverage` the pages that were seen whole. Where it continues a run, values
    and pages of that one are among them, and `asked_pages` are those that were asked for now.
    """

    document_id: str
    reading_id: str
    prompt_revision_id: str | None
    schema_revision_id: str | None
    model: str
    raw: str
    result: JsonObject
    provenance: dict[Where, ValuePlace]
    coverage: list[int]
    page_count: int
    cost_micros: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    notes: list[Note] = field(default_factory=list)
    continues_id: str | None = None
    asked_pages: list[int] = field(default_factory=list)
    printed_sums: PrintedSums = field(default_factory=PrintedSums)

    def as_json(self) -> JsonObject:
        return asdict(self)

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        return cls(**data)
