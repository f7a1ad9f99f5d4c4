"""The bodies of answers about documents in documents (see accounts.api.wire.answers)."""

from __future__ import annotations

from typing_extensions import TypedDict

from accounts.api.wire.answers import Id
from documents.api.answers import DocumentPart


class ProposedBorder(TypedDict):
    """A page on which another document seems to begin."""

    page: int
    reasons: list[str]


class ProposedSplit(TypedDict):
    """The borders in the order of their pages; none where it seems to hold one document."""

    document_id: Id
    borders: list[ProposedBorder]


class SplitDocument(TypedDict):
    """What a document was split into now."""

    document_id: Id
    parts: list[DocumentPart]
