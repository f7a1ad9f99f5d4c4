"""The index of the database at hand, which is one of two."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from django.db import connection

from documents.index.words import postgresql, sqlite
from documents.index.words.expressions import Expression, Match, PageTerms, Selection
from documents.models import Reading


class Backend(Protocol):
    """`code` is that of the organization's WordIndex: all terms carry it, so that those of others are not touched."""

    def write_pages(self, code: str, reading: Reading, organization_id: str, pages: Sequence[PageTerms], /) -> None: ...

    def delete_pages(self, keys: Sequence[int], /) -> None: ...

    def match_pages(
        self,
        code: str,
        organization_id: str,
        expression: Expression,
        /,
        *,
        document_ids: Collection[str] | None,
        before: int | None,
        limit: int,
    ) -> list[Match]: ...

    def has_page(self, code: str, organization_id: str, expression: Expression, /) -> bool: ...

    def has_terms(self, code: str, key: int, page: PageTerms, /) -> bool:
        """Whether the row of this key has these terms and no others."""

    def list_orphans(self) -> list[int]:
        """Keys of terms without an IndexedPage."""

    def is_sound(self) -> bool:
        """What the database itself says of its index."""

    def rebuild(self) -> None:
        """Makes the index anew of the terms that it keeps."""

    def format_selection(self, code: str, organization_id: str, expression: Expression, /) -> Selection: ...


def get_backend() -> Backend:
    if connection.vendor == "postgresql":
        return postgresql
    return sqlite
