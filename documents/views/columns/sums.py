"""The foot line of the documents list: what the selected documents' numbers add up to."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from accounts.views.pages import PageRequest, organization_page
from documents.find.columns import find_columns, read_columns
from documents.find.fields import FieldCell, FieldSum, sum_fields
from documents.models import BulkAction
from documents.views.bulk.selection import read_selection
from documents.views.columns.table import ListedColumn, list_columns
from kit import formats
from kit.errors import AppError


class ShownSum(NamedTuple):
    """A column of numbers added up. Several currencies have a figure each."""

    title: str
    totals: list[str]
    means: list[str]
    number: str
    notes: list[str]
    is_bare: bool


@require_POST
@organization_page()
def sums(request: PageRequest) -> HttpResponse:
    """Adds up the selection, as bulk actions take it, for the columns of numbers in `shown`, the list's address."""
    named = find_columns(request.POST.get("shown", ""))
    columns = list_columns(request.actor, read_columns(request.actor, named))
    numbers = [column for column in columns if column.is_number]
    context: dict[str, object] = {}
    try:
        documents = read_selection(request, BulkAction.Kind.DOWNLOAD)
        added = sum_fields(request.actor, fields=[column.name for column in numbers], documents=documents)
        context["sums"] = [_show(column, each) for column, each in zip(numbers, added, strict=True)]
    except AppError as error:
        context["problem"] = error.sentence
    return render(request, "documents/columns/sums.html", context if numbers else {})


def _show(column: ListedColumn, added: FieldSum) -> ShownSum:
    [number] = added.number
    return ShownSum(
        column.look.title,
        list(_write(added.total)),
        list(_write(added.mean)),
        formats.format_number(int(str(number))),
        list(added.notes),
        added.is_bare and bool(added.total),
    )


def _write(cell: FieldCell) -> Iterator[str]:
    for figure in cell:
        currency, _, number = str(figure).rpartition(" ")
        yield f"{currency} {formats.format_amount(Decimal(number))}".strip()
