"""What the lists of schemas, prompts and tags share: find by name, and more of them on request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpResponse
from django.shortcuts import render

from accounts.models import Role
from accounts.views.pages import PageRequest
from docrouter.kit.models import folded

STEP = 50
MOST = 2000
M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Listing(Generic[M]):
    """The first rows whose name holds `query`. `more` is how many rows to ask for next, 0 when these are all."""

    rows: list[M]
    query: str
    total: int
    more: int


def listing(request: PageRequest, rows: QuerySet[M]) -> Listing[M]:
    """`q=` finds by name; `shown=<number>` asks for that many rows, so that a list stays as long as it was made."""
    query, asked = request.GET.get("q", "").strip(), request.GET.get("shown", "")
    shown = min(MOST, max(STEP, int(asked))) if asked.isdecimal() and len(asked) < 6 else STEP
    found = rows.filter(name_folded__contains=folded(query)) if query else rows
    page = list(found.order_by("name_folded", "pk")[: shown + 1])
    more = shown + STEP if len(page) > shown < MOST else 0
    total = rows.count() if query or len(page) > shown else len(page)
    return Listing(rows=page[:shown], query=query, total=total, more=more)


def list_page(request: PageRequest, folder: str, context: dict[str, object]) -> HttpResponse:
    """The whole page, or for htmx its rows alone."""
    context = {"section": folder, "may_build": request.actor.may(Role.BUILDER)} | context
    part = request.htmx and not request.htmx.history_restore_request
    return render(request, f"documents/{folder}/{'rows' if part else 'list'}.html", context)
