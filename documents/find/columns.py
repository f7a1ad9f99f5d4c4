"""Columns of the documents list, as an address says them: `total`, `@state`, `metadata.department:12`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.http import QueryDict

from accounts.actor import Actor
from documents.find.fields.columns import KIND, NAME, PERSON, STATE, TAG, TYPE, UPLOADED
from documents.models import ColumnChoice, CurrentValue
from kit.errors import Invalid

COLUMN = "column"
VERIFIED, VERIFIED_BY, CHECKS = "@verified", "@verified_by", "@checks"
KNOWN = (NAME, TYPE, STATE, VERIFIED, TAG, UPLOADED, KIND, PERSON, VERIFIED_BY, CHECKS)
MAX_COLUMNS = 16
# In the width of the letter size: a page is scaled by it.
MIN_WIDTH, MAX_WIDTH = 4, 60
_WRITTEN = re.compile(r"(?P<name>.+?)(?::(?P<width>\d{1,2}))?", re.DOTALL)


@dataclass(frozen=True)
class Column:
    """A field of values, or with an @ what a document has beside them. Without a width it is as wide as its kind."""

    name: str
    width: int = 0

    @property
    def is_field(self) -> bool:
        return not self.name.startswith("@")

    @property
    def text(self) -> str:
        looks_wide = self.width or Column.parse(self.name).name != self.name
        return f"{self.name}:{self.width}" if looks_wide else self.name

    @classmethod
    def parse(cls, text: str) -> Column:
        match = _WRITTEN.fullmatch(text.replace("\0", "").strip())
        return cls(match["name"], int(match["width"] or 0)) if match else cls("")


DEFAULT = tuple(map(Column, (NAME, STATE, VERIFIED, TAG, UPLOADED)))


def parse_columns(texts: Iterable[str]) -> tuple[Column, ...]:
    """Each once, the name first. Empty where none is named. Raises Invalid."""
    columns = {column.name: column for column in map(Column.parse, texts)}
    for column in columns.values():
        _check(column)
    name = columns.pop(NAME, Column(NAME))
    if len(columns) > MAX_COLUMNS:
        raise Invalid(f"There are {len(columns)} columns after the name; {MAX_COLUMNS} are the most. Hide one first.")
    return (name, *columns.values()) if columns or name.width or texts else ()


def find_columns(list_query: str) -> tuple[Column, ...]:
    """Reads the columns that a list's address names; none where one of them is no column."""
    return _parse_known(QueryDict(list_query).getlist(COLUMN))


def read_columns(actor: Actor, named: Sequence[Column] = ()) -> Sequence[Column]:
    """Columns that an address names, else those of the person, else those that everybody begins with."""
    if named:
        return named
    choice = ColumnChoice.objects.for_org(actor.organization).filter(user=actor.user).first()
    return (choice and _parse_known(choice.columns)) or DEFAULT


@transaction.atomic
def choose_columns(actor: Actor, columns: Sequence[Column]) -> None:
    """For the person's own list; none, or those that everybody begins with, is the list as it was at first."""
    own = ColumnChoice.objects.for_org(actor.organization).filter(user=actor.user)
    if not columns or tuple(columns) == DEFAULT:
        own.delete()
        return
    ColumnChoice.objects.update_or_create(
        organization=actor.organization, user=actor.user, defaults={"columns": [column.text for column in columns]}
    )


def _parse_known(texts: Sequence[str]) -> tuple[Column, ...]:
    try:
        return parse_columns(texts)
    except Invalid:
        return ()


def _check(column: Column) -> None:
    if not column.name or len(column.name) > CurrentValue.MAX_PATH:
        raise Invalid(f"A column is a field such as total, or one of {', '.join(KNOWN)}.")
    if not column.is_field and column.name not in KNOWN:
        raise Invalid(f"There is no column “{column.name[:60]}” of documents. There are {', '.join(KNOWN)}.")
    if column.width and not MIN_WIDTH <= column.width <= MAX_WIDTH:
        raise Invalid(f"A column is {MIN_WIDTH} to {MAX_WIDTH} wide; {column.width} is not.")
