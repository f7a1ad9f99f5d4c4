"""The bodies of answers about documents in documents (see accounts.api.wire.answers)."""

from __future__ import annotations

from typing_extensions import TypedDict

from accounts.api.wire.answers import Id
from documents.api.answers import DocumentPart


class SplitDocument(TypedDict):
    """What a document was split into now."""

    document_id: Id
    parts: list[DocumentPart]
