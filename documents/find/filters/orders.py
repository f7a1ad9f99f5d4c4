"""The orders of the documents list, each with an index of its own, and the rows after a given one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.models import Organization
from documents.find.field_conditions import FieldCondition
from documents.models import Document
from kit.errors import Invalid

COLUMNS = {
    "name": "name_folded",
    "state": "state",
    "verified": "review",
    "uploaded": "created_at",
    "person": "uploaded_by_name",
    "tags": "first_tag",
    "kind": "media_type",
}
VALUE = "value"
NEWEST_FIRST = "-uploaded"
Rows = QuerySet[Document, Document]


@dataclass(frozen=True)
class Order:
    """By a column, or by the value that `comparison` is about; the newest first among equals."""

    column: str = "uploaded"
    is_descending: bool = True
    comparison: FieldCondition | None = None

    @property
    def text(self) -> str:
        return f"{'-' * self.is_descending}{self.column}"

    def turn(self) -> Order:
        return replace(self, is_descending=not self.is_descending)

    def sort(self, rows: Rows, organization: Organization) -> Rows:
        """Descending is ascending read backwards, so that one index gives both.

        No row of a list is in the trash; but PostgreSQL reads an index in its order only if that names the column too.
        """
        sign, opposite = ("-", "") if self.is_descending else ("", "-")
        by_age = f"{opposite}created_at", f"{opposite}pk"
        if self.comparison:
            return _join_value(rows, organization, self.comparison).order_by(f"{sign}{self.path}", *by_age)
        if self.path == "created_at":
            return rows.order_by(f"{opposite}trashed_at", f"{sign}created_at", f"{sign}pk")
        return rows.order_by(f"{sign}trashed_at", f"{sign}{self.path}", *by_age)

    def filter_after(self, rows: Rows, last: Document) -> Rows:
        """Of sorted rows those that come after this one."""
        if self.comparison or self.path != "created_at":
            return self._filter_after_equals(rows, last)
        side = "lt" if self.is_descending else "gt"
        is_beyond = Q(**{f"created_at__{side}": last.created_at})
        is_equal = Q(created_at=last.created_at) & Q(**{f"pk__{side}": last.pk})
        # The last condition alone gives the index a place to begin.
        return rows.filter(is_beyond | is_equal, **{f"created_at__{side}e": last.created_at})

    def _filter_after_equals(self, rows: Rows, last: Document) -> Rows:
        key = self._get_key(rows, last)
        if key is None:
            return rows
        side, age = ("lt", "gt") if self.is_descending else ("gt", "lt")
        is_later = Q(**{f"created_at__{age}": last.created_at}) | Q(
            **{"created_at": last.created_at, f"pk__{age}": last.pk}
        )
        is_beyond = Q(**{f"{self.path}__{side}": key}) | Q(**{self.path: key}) & is_later
        return rows.filter(is_beyond, **{f"{self.path}__{side}e": key})

    def _get_key(self, rows: Rows, last: Document) -> object:
        if self.comparison:
            return rows.filter(pk=last.pk).order_by().values_list(self.path, flat=True).first()
        return getattr(last, self.path)

    @property
    def path(self) -> str:
        return "sort_value" if self.comparison else COLUMNS[self.column]


def parse_order(text: str, comparisons: list[FieldCondition]) -> Order:
    """`name`, `-uploaded`; `value` is the first field that is filtered by. Raises Invalid."""
    column, is_descending = text.removeprefix("-"), text.startswith("-")
    if column == VALUE:
        comparison = next((each for each in comparisons if each.operator != "empty"), None)
        if comparison is None:
            raise Invalid("Documents are sorted by a value where a filter names its field, such as total > 0.")
        return Order(column, is_descending, comparison)
    if column not in COLUMNS:
        raise Invalid(f"There is no order “{column}”. Sort by {', '.join(COLUMNS)} or {VALUE}.")
    return Order(column, is_descending)


def _join_value(rows: Rows, organization: Organization, comparison: FieldCondition) -> Rows:
    """Each document once, whatever number of its values fulfil the condition."""
    prefix = "current_values"
    joined = rows.filter(
        comparison.compile(f"{prefix}__"),
        current_values__organization=organization,
        current_values__path=comparison.field,
    ).annotate(sort_key=F(f"{prefix}__pk"), sort_value=F(f"{prefix}__{comparison.column}"))
    twin = comparison.list_values().filter(document=OuterRef("pk"), pk__lt=OuterRef("sort_key"))
    return joined.filter(~Exists(twin))
