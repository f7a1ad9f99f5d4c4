"""What the lists of schemas, prompts and tags share: find by name, and more of them on request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpResponse
from django.shortcuts import render

from accounts.models import Role
from accounts.views.pages import PageRequest
from kit import formats
from kit.rows.models import fold_case

STEP = 50
MAX_ROWS = 2000
# A change of any of these changes the rows of the list.
CHANGES = {
    "schema": "schema.changed prompt.changed",
    "prompt": "prompt.changed schema.changed tag.changed",
    "tag": "tag.changed prompt.changed",
}
M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Listing(Generic[M]):
    """The first rows whose name contains `query`. `more` is how many rows to ask for next, 0 when these are all.
    `count` is what the head of the page says."""

    rows: list[M]
    query: str
    total: int
    more: int
    count: str


def make_listing(request: PageRequest, rows: QuerySet[M]) -> Listing[M]:
    """`q=` finds by name; `shown=<number>` asks for that many rows, so that a list stays as long as it was made."""
    query = request.GET.get("q", "").strip()
    shown = read_row_count(request, STEP)
    matching = rows.filter(name_folded__contains=fold_case(query)) if query else rows
    page = list(matching.order_by("name_folded", "pk")[: shown + 1])
    more = shown + STEP if len(page) > shown < MAX_ROWS else 0
    matches = len(page) if len(page) <= shown else matching.count()
    total = rows.count() if query else matches
    return Listing(rows=page[:shown], query=query, total=total, more=more, count=format_count(matches, total))


def read_row_count(request: PageRequest, minimum: int) -> int:
    """`shown=<number>`: as many rows as the page shows already, so that fetching it again does not shorten it."""
    asked = request.GET.get("shown", "")
    return min(MAX_ROWS, max(minimum, int(asked))) if asked.isdecimal() and len(asked) < 6 else minimum


def format_count(matches: int, total: int) -> str:
    """4,897, or 212 of 4,897 while a filter narrows them. Nothing when there is none."""
    if not total:
        return ""
    whole = formats.format_number(total)
    return whole if matches == total else f"{formats.format_number(matches)} of {whole}"


def render_list(request: PageRequest, kind: str, context: dict[str, object]) -> HttpResponse:
    """The whole page, or for htmx its rows alone. Its folder of templates is named by the plural of the kind."""
    part, rows = request.htmx and not request.htmx.history_restore_request, f"documents/{kind}s/rows.html"
    shared = {"section": f"{kind}s", "kind": kind, "changes": CHANGES[kind], "rows_template": rows}
    context = {**shared, "may_build": request.actor.may(Role.BUILDER), "is_part": part, **context}
    return render(request, rows if part else "documents/definition_list.html", context)
