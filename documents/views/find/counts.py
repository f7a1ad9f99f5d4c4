"""How many documents there are, exact as far as people read it."""

from __future__ import annotations

from django.db.models import QuerySet

from documents.models import Document
from kit import formats
from kit.group_cache import get_or_compute, query_key

MAX_EXACT = 10_000


def count_documents(rows: QuerySet[Document, Document], group: str) -> int:
    """At most one more than MAX_EXACT, which stands for more than that. Remembered until the group changes."""
    bounded = rows.order_by().values("pk")[: MAX_EXACT + 1]
    return get_or_compute(group, query_key(bounded, "count"), bounded.count)


def format_number(count: int) -> str:
    return formats.format_bounded(count, maximum=MAX_EXACT)


def format_matches(matches: int, total: int) -> str:
    """4,897, or 212 of 4,897 while a filter narrows them. Nothing when there is none."""
    if not total:
        return ""
    is_whole = matches == total
    return format_number(total) if is_whole else f"{format_number(matches)} of {format_number(total)}"
