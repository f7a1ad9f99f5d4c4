from __future__ import annotations

from typing import Any

from rest_framework import serializers

from accounts.api.fields import TimestampField, timestamp
from documents.models import AutoCreate, Document


class NewDocument(serializers.Serializer[Any]):
    """One file of the JSON upload; `content` is base64 or a data URL."""

    name = serializers.CharField(max_length=1000, trim_whitespace=False)
    content = serializers.CharField(trim_whitespace=False, allow_blank=True)
    tag_ids = serializers.ListField(child=serializers.CharField(), required=False, allow_null=True)
    metadata = serializers.DictField(child=serializers.CharField(allow_blank=True), required=False, allow_null=True)
    auto_create = serializers.BooleanField(required=False, allow_null=True, default=None)


class NewDocuments(serializers.Serializer[Any]):
    documents = NewDocument(many=True)


class DocumentUpdate(serializers.Serializer[Any]):
    """Null is as good as absent."""

    document_name = serializers.CharField(source="name", required=False, allow_null=True, allow_blank=True)
    tag_ids = serializers.ListField(child=serializers.CharField(), required=False, allow_null=True)
    metadata = serializers.DictField(child=serializers.CharField(allow_blank=True), required=False, allow_null=True)


class StoredDocument(serializers.ModelSerializer[Document]):
    """What an upload answers."""

    document_name = serializers.CharField(source="name")
    document_id = serializers.CharField(source="pk")
    tag_ids = serializers.SerializerMethodField()

    class Meta:
        model = Document
        fields = ("document_name", "document_id", "tag_ids", "metadata")

    def get_tag_ids(self, document: Document) -> list[str]:
        return [tag.pk for tag in document.tags.all()]


def shown_auto_create(asked: AutoCreate) -> dict[str, object]:
    """As API.md §1 has it. Of a group every document names its proposal's definitions and its own extraction."""
    proposal = asked.proposal
    return {
        "status": asked.status,
        "reason": asked.reason or None,
        "schema_revid": proposal.schema_revision_id if proposal else None,
        "prompt_revid": proposal.prompt_revision_id if proposal else None,
        "extraction_id": asked.extraction_id,
        "thread_id": asked.thread_id or None,
        "turn_id": asked.turn_id or None,
        "group_id": asked.proposal_id,
        "done_at": timestamp(asked.done_at) if asked.done_at else None,
        "decided_by": asked.decided_by.shown_name if asked.decided_by else None,
        "decided_at": timestamp(asked.decided_at) if asked.decided_at else None,
    }


class ListedDocument(serializers.ModelSerializer[Document]):
    pdf_id = serializers.CharField(source="pk")
    document_name = serializers.CharField(source="name")
    upload_date = TimestampField(source="created_at")
    uploaded_by = serializers.CharField(source="uploaded_by_name")
    tag_ids = serializers.SerializerMethodField()
    type = serializers.SerializerMethodField()
    auto_create = serializers.SerializerMethodField()

    class Meta:
        model = Document
        fields = (
            "id",
            "pdf_id",
            "document_name",
            "upload_date",
            "uploaded_by",
            "state",
            "state_reason",
            "tag_ids",
            "type",
            "metadata",
            "auto_create",
        )

    def get_tag_ids(self, document: Document) -> list[str]:
        return [tag.pk for tag in document.tags.all()]

    def get_type(self, document: Document) -> str | None:
        return None

    def get_auto_create(self, document: Document) -> dict[str, object] | None:
        asked = getattr(document, "auto_create", None)
        return shown_auto_create(asked) if asked else None


class OneDocument(ListedDocument):
    def get_type(self, document: Document) -> str | None:
        return document.media_type
