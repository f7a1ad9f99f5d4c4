"""The bodies of answers about documents, tags, schemas, prompts and runs (see accounts.api.wire.answers)."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from accounts.api.wire.answers import Id, Page, PageOfLongRows, Problem, Timestamp
from documents import models
from kit.json_types import JsonObject

Values = Annotated[JsonObject, Field(description="With the corrections of people on top.")]
PromptId = Annotated[str, Field(description="24 lowercase hex characters, or `default` for the summary")]
State = Annotated[str, Field(json_schema_extra={"enum": models.Document.State.values})]
_REASON_CODES = {"enum": models.ReasonCode.values}
StateCode = Annotated[str, Field(description="What would let it be read.", json_schema_extra=_REASON_CODES)]
TypeSource = Annotated[str, Field(json_schema_extra={"enum": models.TypeDecision.Source.values})]
AutoSetupStatus = Annotated[str, Field(json_schema_extra={"enum": models.AutoSetup.Status.values})]


class AutoCreateState(TypedDict):
    """How far the automatic setup of a document is. Documents that look alike share a group and its definitions."""

    status: AutoSetupStatus
    reason: str | None
    schema_revid: Id | None
    prompt_revid: Id | None
    extraction_id: Id | None
    thread_id: Id | None
    turn_id: Id | None
    group_id: Id | None
    done_at: Timestamp | None
    decided_by: str | None
    decided_at: Timestamp | None


class ListedDocument(TypedDict):
    """A document in a list."""

    id: Id
    pdf_id: Id
    document_name: str
    upload_date: Timestamp
    uploaded_by: str
    state: State
    state_reason: str
    state_code: StateCode | None
    tag_ids: list[str]
    type: Annotated[str | None, Field(description="The media type; null in lists.")]
    document_type: Annotated[str | None, Field(description="What it is, by the key of its type; null where unsure.")]
    document_type_source: Annotated[
        TypeSource | None, Field(description="Who or what told its type; null where unsure. A model may err.")
    ]
    metadata: JsonObject
    parent_id: Annotated[Id | None, Field(description="The mail, archive or whole that it came in.")]
    first_page: Annotated[int | None, Field(description="Of its pages in a whole that was split, from 1.")]
    last_page: int | None
    auto_create: Annotated[AutoCreateState | None, Field(description="Null where nobody asked for it.")]


class DocumentPart(TypedDict):
    """A document that came in another one."""

    document_id: Id
    document_name: str
    state: State
    first_page: Annotated[int | None, Field(description="Of its pages in a whole that was split, from 1.")]
    last_page: int | None


class ReadingGap(TypedDict):
    """What was seen in the file and not read, so that it is missing in the text and the values."""

    kind: Annotated[str, Field(description="What is missing, such as unread, illegible, attachment or formula.")]
    page: Annotated[int | None, Field(description="From 1; null for the file as a whole.")]
    part: Annotated[str, Field(description="What in the file, such as the name of a sheet; may be empty.")]
    reason: str


class Document(ListedDocument):
    """The document."""

    parts: Annotated[list[DocumentPart], Field(description="What came in it or was cut out of it.")]
    parts_reason: Annotated[str, Field(description="Which files in it did not, and why; a line each.")]
    gaps: Annotated[list[ReadingGap], Field(description="What was seen in it and not read. None: all was read.")]
    same_paper_as: Annotated[Id | None, Field(description="An earlier one that is this paper in other bytes.")]
    content: Annotated[str | None, Field(description="The file as base64; null with include_content=false.")]


class DocumentPage(Page):
    """A page of the documents."""

    documents: list[ListedDocument]


class StoredDocument(TypedDict):
    """A document that was just stored."""

    document_name: str
    document_id: Id
    tag_ids: list[str]
    metadata: JsonObject


class Refusal(TypedDict):
    """A file that was not stored."""

    name: str
    detail: str


class StoredDocuments(TypedDict):
    """What was stored, and what was not."""

    documents: list[StoredDocument]
    errors: list[Refusal]


class Upload(TypedDict):
    """It is stored, and will be read."""

    document: StoredDocument


class QueuedReading(TypedDict):
    """The document will be read."""

    status: Literal["queued"]
    document_id: Id


class Execution(TypedDict):
    """A document that would be read, and why."""

    document_id: Id
    document_name: str
    reason: str


class WantedReadings(TypedDict):
    """The documents that would be read."""

    total_executions: int
    executions: list[Execution]


class Geometry(TypedDict):
    """Fractions of the page."""

    BoundingBox: dict[str, float]
    Polygon: list[dict[str, float]]


class Relationship(TypedDict):
    Type: str
    Ids: list[str]


class Block(TypedDict):
    """A page, a line or a word, as Textract gives it; boxes are fractions of the page."""

    BlockType: Literal["PAGE", "LINE", "WORD"]
    Id: str
    Page: int
    Geometry: Geometry
    Text: NotRequired[str]
    Confidence: NotRequired[Annotated[float, Field(description="0 to 100, the OCR engine's own; no proof")]]
    Relationships: NotRequired[list[Relationship]]
    Gap: NotRequired[Annotated[str, Field(description="Of a page: what of it could not be read.")]]
    Address: NotRequired[
        Annotated[
            str,
            Field(
                description="The JSON Pointer, XPath or cell of a line in its file; a word has one where it differs."
            ),
        ]
    ]


class PageCount(TypedDict):
    Pages: int


class ReadDocument(TypedDict):
    """All that was read."""

    DocumentMetadata: PageCount
    Blocks: list[Block]


class ReadingMetadata(TypedDict):
    """When and how it was read."""

    n_pages: int
    ocr_date: Timestamp
    ocr_type: str


class Tag(TypedDict):
    """The tag."""

    id: Id
    name: str
    color: str
    description: str | None
    created_at: Timestamp
    created_by: str


class SavedView(TypedDict):
    """The saved view. `query` is what the list's address says; `is_shared`: it is for all of the organization."""

    id: Id
    name: str
    query: str
    is_shared: bool
    position: int
    created_at: Timestamp


class SavedViewPage(Page):
    """A page of the saved views."""

    views: list[SavedView]


class TagPage(Page):
    """A page of the tags."""

    tags: list[Tag]


class Schema(TypedDict):
    """The revision of the schema."""

    name: str
    response_format: JsonObject
    value_checks: Annotated[list[JsonObject], Field(description="What must hold between the values: a kind each.")]
    schema_revid: Id
    schema_id: Id
    schema_version: int
    created_at: Timestamp
    created_by: str
    status: str


class CheckedSchema(Schema):
    """The revision of the schema, and what of it may be a mistake."""

    warnings: list[Problem]


class SchemaPage(PageOfLongRows):
    """A page of the schemas."""

    schemas: list[Schema]


class PromptParts(TypedDict):
    """What of the document the model gets."""

    ocr_text: bool
    metadata_keys: list[str]
    pdf: bool


class Prompt(TypedDict):
    """The revision of the prompt."""

    name: str
    content: str
    schema_id: Id | None
    schema_version: int | None
    tag_ids: list[str]
    model: str
    kb_id: str | None
    peer_match_keys: list[str]
    include: PromptParts
    prompt_revid: PromptId
    prompt_id: PromptId
    prompt_version: int
    created_at: Timestamp
    created_by: str
    status: str
    document_types: Annotated[
        list[str] | None,
        Field(description="Keys of the types that it is for; empty for any, null where nobody said so."),
    ]


class PromptPage(PageOfLongRows):
    """A page of the prompts."""

    prompts: list[Prompt]
