"""The operator's pages: every row can be found and read; what changes goes through the services of the product."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from django.contrib import admin, messages
from django.contrib.admin.utils import display_for_field
from django.db.models import JSONField, Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from accounts.actor import Actor
from accounts.admin.lists import (
    RowField,
    RowList,
    RowPaginator,
    choose_filters,
    choose_search_fields,
    make_column_title,
)
from accounts.administration.groups import find_group
from accounts.models import Organization, Role, User
from kit.errors import AppError
from kit.rows.models import fold_case

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = admin.ModelAdmin  # not subscriptable at run time

M = TypeVar("M", bound=Model)
Shown = Callable[[Any], SafeString | str]
# Letters of a text in a list, those that surely have room in a column, and rows that a message names.
MAX_LETTERS, MAX_PLAIN, MAX_NAMED = 60, 20, 5


class RowAdmin(_ModelAdmin):
    """For system admins only. Rows can be looked at; a subclass opens what may be changed by naming `editable`.

    `rows_of` names relations to many: each becomes a link to the list of those rows.
    `secret` names JSON fields that are not shown.
    """

    editable: Sequence[str] = ()
    rows_of: tuple[str, ...] = ()
    secret: Sequence[str] = ()
    show_full_result_count = False
    paginator = RowPaginator
    list_per_page = 50
    ordering: ClassVar[tuple[str, ...]] = ("-created_at",)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _is_system_admin(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _is_system_admin(request)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return bool(self.editable) and _is_system_admin(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """A column that is not shown must not be found letter by letter either."""
        return lookup.partition("__")[0] not in self.secret and super().lookup_allowed(lookup, value, request)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[RowList]:
        return RowList

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        words = self._describe(self.opts.verbose_name_plural)
        answer: HttpResponse = super().changelist_view(request, words | (extra_context or {}))
        return answer

    def _describe(self, title: object) -> dict[str, object]:
        """A title that names the records, and the group for the way back."""
        return {"title": capfirst(str(title)), "group": find_group(self.model)}

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        fields = {field.name: field for field in self.opts.fields}
        return [list_column(fields[name]) if name in fields else name for name in self.list_display]

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        return choose_filters(self.model, self.list_filter)

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        return choose_search_fields(request.GET.get("q", "").strip(), self.search_fields)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Model], search_term: str
    ) -> tuple[QuerySet[Model], bool]:
        return super().get_search_results(request, queryset, fold_case(search_term))

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        if obj is None:
            return list(self.editable)
        return [*self.editable, *self.get_readonly_fields(request, obj)]

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        if obj is None:
            return []
        render = [self._readable_name(field) for field in self.opts.fields if self._is_readable(field)]
        many = [field.name for field in self.opts.many_to_many if field.name not in self.editable]
        return [*render, *many, *([links_column(self.rows_of)] if self.rows_of else [])]

    def _is_readable(self, field: Any) -> bool:
        hidden = field.get_internal_type() == "BinaryField" or field.name.endswith("_folded")
        return not hidden and field.name not in (*self.editable, *self.secret, "password")

    def _readable_name(self, field: Any) -> object:
        return json_column(field.name, str(field.verbose_name)) if _holds_json(field) else field.name

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        name = self.opts.verbose_name
        words = self._describe(name if object_id else f"add {name}")
        try:
            answer: HttpResponse = super().changeform_view(request, object_id, form_url, words | (extra_context or {}))
        except AppError as error:
            self.message_user(request, error.sentence, messages.ERROR)
            return HttpResponseRedirect(request.path)
        return answer

    def each(self, request: HttpRequest, rows: Iterable[M], act: Callable[[M], object], done: str) -> None:
        """Runs a service on each row and names those that went through, and why the others did not."""
        names, refused = [], []
        for row in rows:
            name = str(row)
            try:
                act(row)
                names.append(name)
            except AppError as error:
                refused.append(f"{name}: {error.sentence}")
        if names:
            more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
            self.message_user(request, f"{done}: {', '.join(names[:MAX_NAMED])}{more}.")
        for sentence in refused:
            self.message_user(request, sentence, messages.WARNING)


def _is_system_admin(request: HttpRequest) -> bool:
    return request.user.is_active and bool(getattr(request.user, "is_superuser", False))


def as_operator(request: HttpRequest, organization: Organization) -> Actor:
    """The system admin, acting in the organization with an admin's rights."""
    assert isinstance(request.user, User)  # noqa: S101 - the admin let them in
    return Actor(user=request.user, organization=organization, role=Role.ADMIN)


def _holds_json(field: Any) -> bool:
    return isinstance(field, JSONField) or getattr(field, "holds_json", False)


def list_column(field: RowField) -> Shown:
    """A column of a list: long texts are cut, and long titles too."""
    make = cut_column if _may_be_long(field) else value_column
    return make(field, make_column_title(field))


def _may_be_long(field: Any) -> bool:
    is_text = field.get_internal_type() in ("CharField", "TextField") and not field.choices
    return is_text or field.many_to_one


@cache
def cut_column(field: RowField, title: str) -> Shown:
    """As much of a long text as its column has room for, on one line, with the whole in its title."""

    @admin.display(description=title, ordering=field.name)
    def render(row: Model) -> SafeString | str:
        value = getattr(row, field.name)
        text = "-" if value in (None, "") else str(value)
        if len(text) <= MAX_PLAIN:
            return text
        shown = text if len(text) <= MAX_LETTERS else f"{text[: MAX_LETTERS - 1].rstrip()}…"
        return format_html('<span class="cut" title="{}">{}</span>', text, shown)

    render.__name__ = field.name
    return render


@cache
def value_column(field: RowField, title: str) -> Shown:
    @admin.display(description=title, ordering=field.name)
    def render(row: Model) -> SafeString | str:
        value = getattr(row, field.name)
        if isinstance(value, datetime):
            return f"{timezone.localtime(value):%Y-%m-%d %H:%M}"
        return display_for_field(value, field, "-")

    render.__name__ = field.name
    return render


# One function a field: the admin asks twice and compares what it got.
@cache
def json_column(name: str, title: str) -> Shown:
    """A JSON field laid out in lines."""

    @admin.display(description=title)
    def render(row: Model) -> SafeString | str:
        value = getattr(row, name)
        if value is None:
            return "none"
        return format_html("<pre>{}</pre>", json.dumps(value, indent=2, ensure_ascii=False))

    render.__name__ = f"{name}_readable"
    return render


@cache
def links_column(relations: tuple[str, ...]) -> Shown:
    """Links to the lists of the rows that belong to this one."""

    @admin.display(description="Belongs to it")
    def links(row: Model) -> SafeString | str:
        return format_html_join(" · ", '<a href="{}">{}</a>', [_rows_link(row, name) for name in relations])

    return links


def _rows_link(row: Any, relation: str) -> tuple[str, str]:
    field = row._meta.get_field(relation)
    of = field.related_model._meta
    address = reverse(f"admin:{of.app_label}_{of.model_name}_changelist")
    return f"{address}?{field.field.name}__{row._meta.pk.name}__exact={row.pk}", str(of.verbose_name_plural)


@cache
def money_column(name: str, title: str) -> Shown:
    """Millionths of a dollar, as dollars."""

    @admin.display(description=title, ordering=name)
    def render(row: Model) -> str:
        return f"${getattr(row, name) / 1_000_000:.4f}"

    render.__name__ = f"{name}_dollars"
    return render
