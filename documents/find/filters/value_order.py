"""Documents in the order of a field's values: those with a value as its index has them, then those without one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.models import Organization
from documents.find.field_kinds import ValueColumn, describe_fields
from documents.find.filters.orders import VALUE, Order, Rows
from documents.models import CurrentValue, Document
from kit.errors import Invalid

_OWN = "current_values__"


@dataclass(frozen=True)
class ValueOrder:
    """The first of several values of a document counts. Documents of equal values are in the order of their keys.

    `is_backwards`: read from its end, where documents without a value come first.
    """

    organization: Organization
    field: str
    value_column: ValueColumn
    is_descending: bool = False
    is_backwards: bool = False

    @property
    def column(self) -> str:
        return f"{VALUE}:{self.field}"

    @property
    def text(self) -> str:
        return f"{'-' * self.is_descending}{self.column}"

    def turn(self) -> ValueOrder:
        return replace(self, is_backwards=not self.is_backwards)

    def list_parts(self, rows: Rows, last: Document | None) -> list[Rows]:
        """One after the other they are the list, or what of it comes after `last`."""
        key = self._get_key(last) if last else None
        with_value, without = self._join_values(rows), rows.filter(~Exists(self._list_values(OuterRef("pk"))))
        age = Order(is_descending=not self.is_backwards)
        without = age.sort(without, self.organization)
        if last is None:
            return [without, with_value] if self.is_backwards else [with_value, without]
        if key is None:
            further = age.filter_after(without, last)
            return [further, with_value] if self.is_backwards else [further]
        beyond = self._list_beyond(with_value, key, last)
        return beyond if self.is_backwards else [*beyond, without]

    @property
    def _is_falling(self) -> bool:
        return self.is_descending != self.is_backwards

    @property
    def _has_value(self) -> dict[str, object]:
        return {"text__gt": ""} if self.value_column == "text" else {f"{self.value_column}__isnull": False}

    def _list_values(self, document: OuterRef | str) -> QuerySet[CurrentValue, CurrentValue]:
        """Without the organization, which the document has: SQLite would take the index that begins with it."""
        return CurrentValue.objects.filter(document=document, path=self.field, **self._has_value)

    def _join_values(self, rows: Rows) -> Rows:
        sign = "-" if self._is_falling else ""
        own = {f"{_OWN}{name}": value for name, value in self._has_value.items()}
        joined = rows.filter(**{f"{_OWN}organization": self.organization, f"{_OWN}path": self.field}, **own)
        joined = joined.annotate(
            sort_key=F(f"{_OWN}pk"),
            sort_value=F(f"{_OWN}{self.value_column}"),
            sort_document=F(f"{_OWN}document_id"),
        )
        first = joined.filter(~Exists(self._list_values(OuterRef("pk")).filter(pk__lt=OuterRef("sort_key"))))
        return first.order_by(f"{sign}sort_value", f"{sign}sort_document")

    def _list_beyond(self, rows: Rows, key: object, last: Document) -> list[Rows]:
        """In two parts, each of which the index has a place to begin for: half of all documents may be of one value."""
        side = "lt" if self._is_falling else "gt"
        equal = rows.filter(Q(sort_value=key), **{f"sort_document__{side}": last.pk})
        return [equal, rows.filter(**{f"sort_value__{side}": key})]

    def _get_key(self, last: Document) -> object:
        return self._list_values(last.pk).order_by("pk").values_list(self.value_column, flat=True).first()


def parse_value_order(organization: Organization, text: str) -> ValueOrder | None:
    """`value:total`, `-value:total`. None for the other orders. Raises Invalid."""
    word, colon, field = text.removeprefix("-").partition(":")
    if word != VALUE or not colon:
        return None
    if not 0 < len(field) <= CurrentValue.MAX_PATH:
        raise Invalid("Documents are sorted by a field where its name follows value:, such as value:total.")
    column = describe_fields(organization, [field])[field].column
    return ValueOrder(organization, field, column, text.startswith("-"))
