"""Versions of what clients read and write back: one differs when something differs that they could overwrite.

They are texts without a dot. A service that is given `expected_versions` compares under the lock of the row.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection

from documents.models import Document, Extraction, Prompt, PromptRevision, SavedView, Schema, SchemaRevision, Tag
from kit.errors import PreconditionFailed

CHANGED = (
    "This has been changed since you read it, so nothing was done. Read it again, then send your change with "
    "the new ETag."
)


def get_document_version(document: Document) -> str:
    return str(document.version)


def get_tag_version(tag: Tag) -> str:
    return _digest(tag.name, tag.color, tag.description)


def get_view_version(view: SavedView) -> str:
    return _digest(view.name, view.query, str(view.owner_id), str(view.position))


def get_definition_version(head: Schema | Prompt, revision: SchemaRevision | PromptRevision) -> str:
    """Of the revision, and of the name and the types over it. A revision is never edited: its id stands for it."""
    types = head.type_keys if isinstance(head, Prompt) else None
    return _digest(revision.pk, head.name, *([] if types is None else ["types", *types]))


def get_extraction_version(extraction: Extraction) -> str:
    return f"{extraction.pk}-{extraction.version}"


def require_version(current: str, expected_versions: Collection[str] | None) -> None:
    """Raises PreconditionFailed when the caller has seen none but others. None stands for any."""
    if expected_versions is not None and current not in expected_versions:
        raise PreconditionFailed(CHANGED, code="changed")


def _digest(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
