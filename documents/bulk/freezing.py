"""The documents of a bulk action, settled by one INSERT … SELECT: what changes afterwards is not selected anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import F, Model, QuerySet
from django.db.models.functions import JSONObject

from documents.bulk.kinds.base import MAX_ITEMS
from documents.models import BulkAction, BulkItem, Document


def freeze_selection(
    action: BulkAction,
    candidates: QuerySet[Document, Document],
    documents: QuerySet[Document],
    *,
    keeps_version: bool = False,
) -> int:
    """Those of these documents that are candidates as items, the newest first; how many.

    One more than MAX_ITEMS stands for too many.
    """
    # By keys: a filter that joins tables may name a document twice.
    rows = candidates.filter(pk__in=documents.order_by().values("pk")).order_by("-created_at", "-pk")
    if keeps_version:
        versions = rows.annotate(picked=F("pk"), was=JSONObject(version=F("version")))
        return _insert(action, versions.values_list("picked", "was"), "picked, was")
    return _insert(action, rows.annotate(picked=F("pk")).values_list("picked"), "picked, NULL")


def freeze_undoable(action: BulkAction, items: QuerySet[BulkItem, BulkItem]) -> int:
    """The documents of another action's items, with what undoing them needs."""
    named = items.order_by("pk").annotate(picked=F("document"), was=F("undo"))
    return _insert(action, named.values_list("picked", "was"), "picked, was")


def _insert(action: BulkAction, rows: QuerySet[Model, object], columns: str) -> int:
    try:
        picked, parameters = rows[: MAX_ITEMS + 1].query.sql_with_params()
    except EmptyResultSet:
        return 0
    table = connection.ops.quote_name(BulkItem._meta.db_table)
    sql = (
        f"INSERT INTO {table} (action_id, status, code, reason, fence, attempt, document_id, undo) "  # noqa: S608
        f"SELECT %s, %s, '', '', 0, 0, {columns} FROM ({picked}) selection"
    )
    values: Sequence[Any] = [action.pk, BulkItem.Status.PENDING.value, *parameters]
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return int(cursor.rowcount)
