"""The picker of filters: pick one, then one of its values. And the number of matches, fetched when there are many."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from accounts.actor import Actor
from accounts.views.pages import PageRequest, organization_page
from documents.find.filters import DocumentFilter, parse_filter
from documents.find.filters.choices import (
    Choice,
    list_choices,
    list_field_values,
    list_fields,
    narrow_without,
)
from documents.find.known_fields import list_fields_of_schemas
from documents.models import Document
from documents.views.find.counts import count_documents, format_matches
from documents.views.find.listed_filter import ListedFilter
from kit.events import organization_group

MAX_OFFERED = 200
# Each with its words and its icon. The words of a date, a value and the order are forms.
PICKS = {
    "state": ("State", "circle-dot-dashed"),
    "tag": ("Tag", "tags"),
    "value": ("Value of a field", "braces"),
    "type": ("Type", "layers"),
    "kind": ("Kind of file", "file-text"),
    "since": ("Uploaded", "calendar"),
    "person": ("Uploaded by", "user"),
    "schema": ("Schema", "braces"),
    "prompt": ("Prompt", "message-square-text"),
}
ORDER = "order"
SIGNS = (
    ("=", "is"),
    ("!=", "is not"),
    (">", "is more than"),
    ("<", "is less than"),
    (">=", "is at least"),
    ("<=", "is at most"),
    ("~", "contains"),
    ("is empty", "is empty"),
    ("is not empty", "is not empty"),
)


@dataclass(frozen=True)
class Offer:
    """`href` is where the choice leads: the list with it, or the values of a field."""

    words: str
    matches: int | None
    href: str
    is_chosen: bool = False
    is_step: bool = False


@dataclass(frozen=True)
class Picker:
    """One filter, as the menu shows it. `for_search` says which page it leads back to."""

    narrowing: DocumentFilter
    pick: str
    field: str
    find: str
    for_search: bool

    @property
    def address(self) -> str:
        return reverse("search" if self.for_search else "documents", args=[self.narrowing.actor.organization.pk])

    @property
    def title(self) -> str:
        return self.field or ("Sort by" if self.pick == ORDER else PICKS.get(self.pick, ("", ""))[0])

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The address beside a new value."""
        return narrow_without(self.narrowing, self.pick).list_pairs()

    @property
    def steps(self) -> list[tuple[str, str]]:
        """Its own forms send this, so that they come back to where it is."""
        return self._list_steps(self.pick, self.field)

    def lead_to(self, pick: str = "", field: str = "") -> str:
        menu = reverse("document-filters", args=[self.narrowing.actor.organization.pk])
        return f"{menu}?{urlencode(self._list_steps(pick, field))}"

    def _list_steps(self, pick: str, field: str) -> list[tuple[str, str]]:
        pairs = self.narrowing.list_pairs() + [("for", "search")] * self.for_search
        return pairs + [(name, value) for name, value in (("pick", pick), ("field", field)) if value]

    def list_offers(self) -> list[Offer]:
        if self.pick == ORDER:
            return self._list_orders()
        if self.pick == "value" and not self.field:
            fields = list_fields(self.narrowing, _list_fields(self.narrowing.actor), self.find)
            return [Offer(each.words, each.matches, self.lead_to("value", each.value), is_step=True) for each in fields]
        if self.pick == "value":
            return [self._offer(each, "value") for each in list_field_values(self.narrowing, self.field, self.find)]
        # The column called State says both how far a document is and whether it waits.
        names = ("is", "state") if self.pick == "state" else (self.pick,)
        choices = [(name, each) for name in names for each in list_choices(self.narrowing, name, self.find)]
        return [self._offer(choice, name) for name, choice in choices]

    def _offer(self, choice: Choice, name: str) -> Offer:
        chosen = (name, choice.value) in self.narrowing.list_pairs()
        pairs = narrow_without(self.narrowing, name).list_pairs()
        query = urlencode([*pairs, (name, choice.value)])
        return Offer(choice.words, choice.matches, f"{self.address}?{query}", chosen)

    def _list_orders(self) -> list[Offer]:
        orders = ListedFilter(self.narrowing).orders
        return [
            Offer(words, None, f"{self.address}?{self.narrowing.format_query(order=value)}", value == self.order)
            for value, words in orders
            if self.find.lower() in words.lower()
        ]

    @property
    def order(self) -> str:
        return self.narrowing.order.text

    @property
    def since(self) -> str:
        return self.narrowing.get_value("since")

    @property
    def until(self) -> str:
        return self.narrowing.get_value("until")


@require_GET
@organization_page()
def filter_menu(request: PageRequest) -> HttpResponse:
    """Of the documents list, or with `for=search` of the search page: `pick` is a filter, `field` one whose values are
    asked for. With a `sign` it leads to the list that says it. Without htmx it is a page."""
    asked, pick = request.GET, request.GET.get("pick", "")
    picker = Picker(
        parse_filter(request.actor, asked),
        pick if pick in PICKS or pick == ORDER else "",
        asked.get("field", "")[:MAX_OFFERED],
        asked.get("find", "")[:MAX_OFFERED],
        asked.get("for") == "search",
    )
    if picker.field and "sign" in asked:
        return redirect(f"{picker.address}?{urlencode([*picker.pairs, ('value', _write_condition(request))])}")
    picks = [(words, icon, picker.lead_to(name)) for name, (words, icon) in PICKS.items()]
    context = {
        "picker": picker,
        "picks": picks + [("Sort by", "list", picker.lead_to(ORDER))] * (not picker.for_search),
        "back": picker.lead_to("value" if picker.field else ""),
        "here": picker.lead_to(picker.pick, picker.field),
        "offers": picker.list_offers() if picker.pick else (),
        "signs": SIGNS,
        "menu": request.path,
    }
    part = request.htmx and not request.htmx.history_restore_request
    return render(request, f"documents/find/{'menu' if part else 'menu_page'}.html", context)


def _write_condition(request: PageRequest) -> str:
    field, sign = request.GET["field"], request.GET["sign"]
    return f"{field} {sign}" if sign.endswith("empty") else f"{field} {sign} {request.GET.get('text', '').strip()}"


@require_GET
@organization_page()
def document_count(request: PageRequest) -> HttpResponse:
    """The number in the head, for a list of which there are more than it shows."""
    group = organization_group(request.actor.organization.pk)
    rows = Document.objects.for_org(request.actor.organization)
    matches = count_documents(parse_filter(request.actor, request.GET).apply(rows), group)
    count = format_matches(matches, count_documents(rows, group))
    return render(request, "documents/count.html", {"count": count})


def _list_fields(actor: Actor) -> list[str]:
    """Names, of the newest schemas."""
    return sorted(field.path for field in list_fields_of_schemas(actor.organization))[:MAX_OFFERED]
