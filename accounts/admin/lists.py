"""Lists of the admin over tables of any size: nothing here reads a whole table, but for its number once a minute."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin import ListFilter
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Page, Paginator
from django.db.models import CharField, Field, Model
from django.http import HttpRequest
from django.utils.functional import cached_property

from kit.group_cache import get_or_compute, query_key

# As far as rows are counted anew each time; the number of more than these may be a minute old.
MAX_EXACT_COUNT = 1000
# A longer title of a column leaves no room for the others.
MAX_TITLE_WORDS = 3
# Newest rows whose values a filter offers.
NEWEST_ROWS = 1000
_KEY = re.compile(r"[0-9a-f]{24,64}")


if TYPE_CHECKING:
    _Paginator = Paginator[Any]
    RowField = Field[object, object]
else:
    _Paginator = Paginator  # not subscriptable at run time
    RowField = Field


class RowPaginator(_Paginator):
    @cached_property
    def count(self) -> int:
        listed: Any = self.object_list
        rows = listed.order_by()
        some: int = rows[: MAX_EXACT_COUNT + 1].count()
        return some if some <= MAX_EXACT_COUNT else get_or_compute("admin", query_key(rows, "total"), rows.count)

    def page(self, number: int | str) -> Page[object]:
        """Its keys come out of an index; the rows and what belongs to them are fetched by these."""
        number = self.validate_number(number)
        rows: Any = self.object_list
        first = (number - 1) * self.per_page
        keys = list(rows.select_related(None).values_list("pk", flat=True)[first : first + self.per_page])
        return Page(rows.filter(pk__in=keys), number, self)


class RowList(ChangeList):
    def get_filters(self, request: HttpRequest) -> tuple[list[ListFilter], bool, dict[str, bool | str], bool, bool]:
        answer = super().get_filters(request)
        for each in answer[0]:
            if isinstance(each, admin.FieldListFilter):
                each.title = make_column_title(each.field)
        return answer

    def get_results(self, request: HttpRequest) -> None:
        """A single page too: sorted, the few rows of a search are looked for through all the others."""
        try:
            super().get_results(request)
        except (ValueError, OverflowError) as error:  # The address asks for a year that no calendar has.
            raise IncorrectLookupParameters from error
        if not self.multi_page:
            keys = self.queryset.order_by().select_related(None).values_list("pk", flat=True)
            self.result_list = self.queryset.filter(pk__in=list(keys[: self.list_per_page]))


class NewestValuesFilter(admin.AllValuesFieldListFilter):
    """The values of the newest rows: to offer every one that there is would be a walk over the table."""

    def __init__(
        self, field: Any, request: HttpRequest, params: Any, model: type[Model], model_admin: Any, field_path: str
    ) -> None:
        super().__init__(field, request, params, model, model_admin, field_path)
        newest = model._default_manager.order_by("-pk")[:NEWEST_ROWS]
        chosen = self.lookup_val or ()
        self.lookup_choices: Any = sorted({*newest.values_list(field_path, flat=True), *chosen} - {None})


def make_column_title(field: RowField) -> str:
    """The title of the field, or its name where that is a whole sentence."""
    title = str(field.verbose_name)
    return title if len(title.split()) <= MAX_TITLE_WORDS else str(field.name).replace("_", " ")


def choose_filters(model: type[Model], filters: Sequence[object]) -> list[object]:
    """Texts that can be anything get the filter that offers the values of lately."""
    return [(each, NewestValuesFilter) if _is_open_text(model, each) else each for each in filters]


def choose_search_fields(term: str, fields: Sequence[str]) -> list[str]:
    """A key or a digest is looked up in the fields that are marked `=`, and anything else in the others."""
    keys = [f"{name[1:]}__exact" for name in fields if name.startswith("=")]
    texts = [name for name in fields if not name.startswith("=")]
    return keys if _KEY.fullmatch(term) or not texts else texts


def _is_open_text(model: type[Model], name: object) -> bool:
    if not isinstance(name, str) or "__" in name:
        return False
    field = model._meta.get_field(name)
    return isinstance(field, CharField) and not field.choices and not field.is_relation
