"""The bodies of answers about data that a schema checks, and about types of documents."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from accounts.api.wire.answers import Id


class DocumentType(TypedDict):
    """A type that documents can have: what one is, not the format of its file."""

    id: Id
    key: Annotated[str, Field(description="As `document_type` of documents has it.")]
    name: str
    is_on: Annotated[bool, Field(description="Whether documents can get it.")]
    schema_id: Annotated[Id | None, Field(description="Its usual schema.")]
    prompt_id: Annotated[Id | None, Field(description="Its usual prompt.")]


class DocumentTypes(TypedDict):
    """The types, by name."""

    document_types: list[DocumentType]


class DataFault(TypedDict):
    path: str
    message: str


class SchemaCheck(TypedDict):
    """Whether the data fits."""

    valid: bool
    errors: NotRequired[Annotated[list[DataFault], Field(description="When it does not.")]]
