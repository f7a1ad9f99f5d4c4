"""Search, sort and filters as they stand in a query."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import Model, QuerySet
from rest_framework.request import Request

from accounts.api.wire.described import Text
from kit.rows import grid as grids
from kit.rows.grid import Grid

M = TypeVar("M", bound=Model)
GRID = [
    Text("name_search", "Part of the name, literally; case does not matter."),
    Text("sort", 'JSON: `[{"field": "name", "sort": "asc"}]`. The newest come first without it.'),
    Text("filters", 'JSON: `{"items": [{"field", "operator", "value"}], "logicOperator": "and"}`.'),
]
UNREADABLE = ("Invalid sort JSON", "Invalid filters JSON")


def arrange(rows: QuerySet[M], request: Request, grid: Grid) -> QuerySet[M]:
    """`name_search`, `filters` and `sort` of the query on these rows. Raises Invalid on JSON that cannot be read."""
    sent = request.query_params
    return grids.arrange(
        rows, grid, name_search=sent.get("name_search", ""), sort=sent.get("sort"), filters=sent.get("filters")
    )
