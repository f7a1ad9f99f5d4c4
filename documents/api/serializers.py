from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api.wire.fields import ExactSerializer, RequestBody, StrictTextField, TrueOrFalse
from documents.api import answers
from documents.intake.unlocking import MAX_PASSWORD
from documents.models import AutoSetup, Document, TypeDecision
from documents.reading import reading
from documents.reading.gaps import list_files_left_out, list_gaps
from documents.reading.lanes import explain_wait
from kit.timestamps import format_timestamp

# About ten seconds of computing: proxies wait for a minute.
MAX_FILES = 500
TOO_MANY = "One request takes {max_length} files at most. Send the others in another one."


def _make_password_field(**options: Any) -> serializers.CharField:
    """As it was typed: spaces around it count."""
    return StrictTextField(
        max_length=MAX_PASSWORD,
        trim_whitespace=False,
        write_only=True,
        allow_blank="default" in options,
        style={"input_type": "password"},
        **options,
    )


UNPACK_MANY = "true takes an archive or mail of more than 20 files, each of which becomes a document; without it 409."


class NewDocument(RequestBody):
    """One file of the JSON upload; `content` is base64 or a data URL."""

    name = StrictTextField(max_length=1000, trim_whitespace=False)
    content = StrictTextField(trim_whitespace=False, allow_blank=True)
    tag_ids = serializers.ListField(child=StrictTextField(), required=False, allow_null=True)
    metadata = serializers.DictField(child=StrictTextField(allow_blank=True), required=False, allow_null=True)
    auto_create = TrueOrFalse(required=False, allow_null=True, default=None)
    password = _make_password_field(required=False, allow_null=True, default="", help_text="Of a locked PDF.")
    unpack_many = TrueOrFalse(default=False, help_text=UNPACK_MANY)


class NewDocuments(RequestBody):
    documents = serializers.ListField(
        child=NewDocument(), max_length=MAX_FILES, error_messages={"max_length": TOO_MANY}
    )


@extend_schema_field(OpenApiTypes.BINARY)
class UploadedFileField(serializers.FileField):
    """The bytes of a file, which the generator takes for its address."""


class UploadForm(RequestBody):
    """One file as a form."""

    file = UploadedFileField(allow_empty_file=True, error_messages={"required": "Field required"})
    name = StrictTextField(required=False, allow_blank=True, default="", trim_whitespace=False)
    tag_ids = StrictTextField(
        required=False, allow_blank=True, default="", trim_whitespace=False, help_text="A JSON array of ids."
    )
    metadata = StrictTextField(
        required=False, allow_blank=True, default="", trim_whitespace=False, help_text="A JSON object of texts."
    )
    auto_create = StrictTextField(
        required=False, allow_blank=True, default="", help_text="true or false; else the organization's default."
    )
    unpack_many = StrictTextField(required=False, allow_blank=True, default="", help_text=UNPACK_MANY)
    password = _make_password_field(required=False, default="", help_text="Of a locked PDF.")


class FilePassword(ExactSerializer):
    """The password of a locked PDF."""

    password = _make_password_field()


class DocumentUpdate(RequestBody):
    """Null is as good as absent."""

    document_name = StrictTextField(source="name", required=False, allow_null=True, allow_blank=True)
    tag_ids = serializers.ListField(child=StrictTextField(), required=False, allow_null=True)
    metadata = serializers.DictField(child=StrictTextField(allow_blank=True), required=False, allow_null=True)
    document_type = StrictTextField(
        required=False, allow_null=True, allow_blank=True, help_text="Key, name or id; empty: as the rules tell it."
    )


def serialize_stored(document: Document) -> answers.StoredDocument:
    """What an upload answers."""
    return {
        "document_name": document.name,
        "document_id": document.pk,
        "tag_ids": _list_tag_ids(document),
        "metadata": document.metadata,
    }


def serialize_auto_setup(setup: AutoSetup) -> answers.AutoCreateState:
    """Of a group every document names its proposal's definitions and its own extraction."""
    proposal = setup.proposal
    return {
        "status": setup.status,
        "reason": setup.reason or None,
        "schema_revid": proposal.schema_revision_id if proposal else None,
        "prompt_revid": proposal.prompt_revision_id if proposal else None,
        "extraction_id": setup.extraction_id,
        "thread_id": setup.thread_id or None,
        "turn_id": setup.turn_id or None,
        "group_id": setup.proposal_id,
        "done_at": format_timestamp(setup.done_at) if setup.done_at else None,
        "decided_by": setup.decided_by.shown_name if setup.decided_by else None,
        "decided_at": format_timestamp(setup.decided_at) if setup.decided_at else None,
    }


def serialize_listed(document: Document) -> answers.ListedDocument:
    setup = getattr(document, "auto_setup", None)
    return {
        "id": document.pk,
        "pdf_id": document.pk,
        "document_name": document.name,
        "upload_date": format_timestamp(document.created_at),
        "uploaded_by": document.uploaded_by_name,
        "state": document.state,
        "state_reason": document.state_reason or _explain_wait(document),
        "state_code": document.state_code or None,
        "tag_ids": _list_tag_ids(document),
        "type": None,
        "document_type": document.document_type.key if document.document_type else None,
        "document_type_source": _get_type_source(document),
        "metadata": document.metadata,
        "parent_id": document.parent_id,
        "first_page": document.first_page,
        "last_page": document.last_page,
        "auto_create": serialize_auto_setup(setup) if setup else None,
    }


def _get_type_source(document: Document) -> answers.TypeSource | None:
    decision: TypeDecision | None = getattr(document, "type_decision", None)
    return decision.source if decision and document.document_type_id else None


def _explain_wait(document: Document) -> str:
    is_unread = document.state in (Document.State.UPLOADED, Document.State.OCR_PROCESSING)
    return explain_wait() if is_unread else ""


def serialize_parts(document: Document) -> list[answers.DocumentPart]:
    return [serialize_part(part) for part in document.list_parts().defer("metadata")]


def serialize_part(part: Document) -> answers.DocumentPart:
    return {
        "document_id": part.pk,
        "document_name": part.name,
        "state": part.state,
        "first_page": part.first_page,
        "last_page": part.last_page,
    }


def serialize_gaps(document: Document) -> list[answers.ReadingGap]:
    """Of the newest reading that has ended; the others have nothing to say. Then the files in it that were left out."""
    newest = reading.get_newest(document)
    gaps = [*(list_gaps(newest) if newest else ()), *list_files_left_out(document)]
    return [{"kind": gap.kind, "page": gap.page, "part": gap.part, "reason": gap.sentence} for gap in gaps]


def _list_tag_ids(document: Document) -> list[str]:
    return [tag.pk for tag in document.tags.all()]
