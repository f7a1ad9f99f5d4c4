"""The dialog in which columns of the documents list are chosen and ordered, and what is kept of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from accounts.actor import Actor
from accounts.views.pages import PageRequest, organization_page
from documents.find import saved_views
from documents.find.columns import DEFAULT, KNOWN, Column, choose_columns, parse_columns, read_columns
from documents.find.filters import DocumentFilter, parse_filter
from documents.find.known_fields import KnownField, list_fields_of_schemas, list_metadata_fields
from documents.models import SavedView
from documents.views.columns.table import LOOKS

_ICONS = {"number": "hash", "day": "calendar", "flag": "toggle-left"}
_TRAILING = tuple(column.name for column in DEFAULT[2:])
_WORDS = {"number": "number", "day": "date", "flag": "yes or no", "text": "text"}


@dataclass(frozen=True)
class ColumnOption:
    """`text` is how the address says it; `note` where it comes from. A value that is added comes before what `trails`,
    which a narrow window has to the right of its edge."""

    text: str
    title: str
    note: str
    icon: str
    is_fixed: bool = False
    trails: bool = False


@require_http_methods(["GET", "POST"])
@organization_page()
def columns(request: PageRequest) -> HttpResponse:
    """GET gives the dialog for the address of a list; POST keeps what it says, and leads to the list."""
    if request.method == "POST":
        chosen = () if "reset" in request.POST else parse_columns(request.POST.getlist("column"))
        asked = request.POST.get("query", "")
        place = _find_added(request.actor, asked, chosen)
        query = _keep(request.actor, asked, chosen)
        address = f"{reverse('documents', args=[request.actor.organization.pk])}?{query}".removesuffix("?")
        return redirect(f"{address}#column-{place}" if place else address)
    narrowing = parse_filter(request.actor, request.GET)
    shown = read_columns(request.actor, narrowing.columns)
    options = {option.text: option for option in _list_options(request.actor)}
    names = {column.name for column in shown}
    context = {
        "query": narrowing.format_query(),
        "shown": [_describe_shown(column, options) for column in shown],
        "others": [option for name, option in options.items() if name not in names],
        "view": _find_view(request.actor, narrowing),
        "is_of_address": bool(narrowing.columns),
        "is_default": tuple(shown) == DEFAULT,
    }
    return render(request, "documents/columns/chooser.html", context)


@require_POST
@organization_page()
def widen(request: PageRequest) -> HttpResponse:
    """`column` with its new width. The answer is the address of the list from then on."""
    query = request.POST.get("query", "")
    [wide] = parse_columns(request.POST.getlist("column")[:1])[-1:] or DEFAULT[:1]
    narrowing = parse_filter(request.actor, QueryDict(query))
    present = read_columns(request.actor, narrowing.columns)
    chosen = [wide if column.name == wide.name else column for column in present]
    return HttpResponse(_keep(request.actor, query, chosen), content_type="text/plain; charset=utf-8")


def _find_added(actor: Actor, query: str, chosen: Sequence[Column]) -> int:
    """The place of the first column that was not shown before, from 1; else 0. The page goes there."""
    narrowing = parse_filter(actor, QueryDict(query))
    present = {column.name for column in read_columns(actor, narrowing.columns)}
    return next((at for at, column in enumerate(chosen, 1) if column.name not in present), 0)


def _keep(actor: Actor, query: str, chosen: Sequence[Column]) -> str:
    """In the view that the list shows, in an address that names columns itself, else for the person. The address."""
    narrowing = parse_filter(actor, QueryDict(query))
    if not narrowing.columns:
        choose_columns(actor, chosen)
        return narrowing.format_query()
    changed = replace(narrowing, columns=chosen).format_query()
    if view := _find_view(actor, narrowing):
        saved_views.update(actor, view=view, query=changed)
    return changed


def _find_view(actor: Actor, narrowing: DocumentFilter) -> SavedView | None:
    """The one whose columns these are, where the actor may change it."""
    if not narrowing.columns:
        return None
    views = saved_views.list_views(actor).filter(query=narrowing.format_query())
    return next((view for view in views if saved_views.may_change(actor, view)), None)


def _list_options(actor: Actor) -> list[ColumnOption]:
    fields = [*list_fields_of_schemas(actor.organization), *list_metadata_fields(actor.organization)]
    built_in = [
        ColumnOption(name, LOOKS[name].title, "", "file-text", name == DEFAULT[0].name, name in _TRAILING)
        for name in KNOWN
    ]
    return [*built_in, *map(_describe_field, fields)]


def _describe_field(field: KnownField) -> ColumnOption:
    owners = ", ".join(field.schemas[:2]) + (f" and {len(field.schemas) - 2} more" if len(field.schemas) > 2 else "")
    note = f"{_WORDS.get(field.kind, field.kind)} · {owners or 'metadata'}"
    table = f"{field.path.rpartition('.')[0]} › " if "." in field.path and field.schemas else ""
    return ColumnOption(Column(field.path).text, f"{table}{field.title}", note, _ICONS.get(field.kind, "type"))


def _describe_shown(column: Column, options: dict[str, ColumnOption]) -> ColumnOption:
    """With its width. A field that no schema has any more is still shown."""
    known = options.get(Column(column.name).text)
    option = known or ColumnOption("", column.name, "in no schema any more", "type")
    return replace(option, text=column.text)
