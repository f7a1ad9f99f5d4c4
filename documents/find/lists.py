"""Lists of an organization's documents, tags, schemas and prompts, filtered and sorted alike for every caller."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from accounts.actor import Actor
from documents.catalog.metadata import filter_by_metadata
from documents.models import Document, Prompt, PromptRevision, Schema, Tag
from kit.rows.grid import Column, Grid, Many, check_number

# What a document without tags is read with, for clients that ask by document.
FOR_UNTAGGED = "Default Prompt"
# A hundred schemas of 300 described fields would be ten times as much, and several times that in memory.
MAX_PAGE_LETTERS = 4_000_000

_NAME = Column("name", folded_path="name_folded")
_BY, _DATE = Column("uploaded_by_name"), Column("created_at", kind="datetime")
DOCUMENTS = Grid(
    {
        "document_name": _NAME,
        "documentName": _NAME,
        "uploaded_by": _BY,
        "uploadedBy": _BY,
        "upload_date": _DATE,
        "uploadDate": _DATE,
        "state": Column("state"),
        "tag_ids": Column(
            "tag__name",
            folded_path="tag__name_folded",
            sortable=False,
            many=Many(Document.tags.through, "document_id"),
        ),
    },
    # As its index has it, see `Order.sort`.
    newest_first=("trashed_at", "-created_at", "-pk"),
)
TAGS = Grid(
    {
        "id": Column("pk"),
        "name": _NAME,
        "description": Column("description"),
        "color": Column("color"),
        "created_at": _DATE,
        "created_by": Column("created_by_id"),
    }
)
SCHEMAS = Grid(
    {
        "name": _NAME,
        "created_at": Column("latest__created_at", kind="datetime"),
        "created_by": Column("latest__created_by_id"),
        "schema_id": Column("pk"),
        "schema_revid": Column("latest_id"),
    },
    newest_first=("-latest__created_at", "-pk"),
)
PROMPTS = Grid(
    {
        "name": _NAME,
        "model": Column("latest__model"),
        "schema_id": Column(
            "latest__schema_revision__schema__name", folded_path="latest__schema_revision__schema__name_folded"
        ),
        "tag_ids": Column(
            "tag__name",
            folded_path="tag__name_folded",
            sortable=False,
            many=Many(PromptRevision.tags.through, "promptrevision_id", own_key="latest_id"),
        ),
        "created_at": Column("latest__created_at", kind="datetime"),
        "prompt_revid": Column("latest_id"),
    },
    newest_first=("-latest__created_at", "-pk"),
)


def list_documents(actor: Actor, *, tag_ids: Iterable[str] = (), metadata: str = "") -> QuerySet[Document]:
    """Documents that have all of these tags and all of these pairs; see `filter_by_metadata`."""
    rows: QuerySet[Document] = Document.objects.for_org(actor.organization)
    return filter_by_metadata(filter_by_tags(rows, tag_ids), actor.organization, metadata)


def list_tags(actor: Actor) -> QuerySet[Tag]:
    return Tag.objects.for_org(actor.organization)


def list_schemas(actor: Actor) -> QuerySet[Schema]:
    """Those with an accepted revision, which comes along."""
    return Schema.objects.for_org(actor.organization).filter(latest__isnull=False).select_related("latest")


def list_prompts(actor: Actor, *, tag_ids: Iterable[str] = (), document: Document | None = None) -> QuerySet[Prompt]:
    """Those whose latest revision carries all of these tags and would be chosen for this document."""
    rows: QuerySet[Prompt] = Prompt.objects.for_org(actor.organization).filter(latest__isnull=False)
    tag_ids = list(tag_ids)
    check_number(len(tag_ids), "tags")
    for tag_id in tag_ids:
        carrying = PromptRevision.tags.through.objects.filter(tag_id=tag_id)
        rows = rows.filter(latest__in=carrying.values("promptrevision_id"))
    rows = _filter_for_document(rows, document) if document else rows
    return rows.select_related("latest__schema_revision").prefetch_related("latest__tags")


def filter_by_tags(rows: QuerySet[Document], tag_ids: Iterable[str]) -> QuerySet[Document]:
    """Documents that carry every one of these tags. Raises Invalid for too many."""
    tag_ids = list(tag_ids)
    check_number(len(tag_ids), "tags")
    for tag_id in tag_ids:
        rows = rows.filter(pk__in=Document.tags.through.objects.filter(tag_id=tag_id).values("document_id"))
    return rows


def _filter_for_document(rows: QuerySet[Prompt], document: Document) -> QuerySet[Prompt]:
    carried = document.tags.values("pk")
    if not carried:
        return rows.filter(name=FOR_UNTAGGED)
    sharing = PromptRevision.tags.through.objects.filter(tag_id__in=carried)
    return rows.filter(latest__in=sharing.values("promptrevision_id"))
