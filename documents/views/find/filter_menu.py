"""The menu of filters, fetched when it is opened, and the number of matches, fetched when there are many."""

from __future__ import annotations

from django.db.models import Model, QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from accounts.actor import Actor
from accounts.views.pages import PageRequest, organization_page
from documents.find.filters import parse_filter
from documents.find.filters.terms import STATES, STATUSES
from documents.find.known_fields import list_fields_of_schemas
from documents.models import Document, Prompt, Schema, Tag
from documents.views.find.counts import count_documents, format_matches
from documents.views.find.listed_filter import ListedFilter
from kit.events import organization_group

MAX_OFFERED = 200
KINDS = (("pdf", "PDF"), ("image", "Image"), ("text", "Text"), ("docx", "Word"), ("xlsx", "Excel"), ("eml", "Mail"))


@require_GET
@organization_page()
def filter_menu(request: PageRequest) -> HttpResponse:
    """Of the documents list, or with `for=search` of the search page."""
    actor = request.actor
    narrowing = parse_filter(actor, request.GET)
    is_search = request.GET.get("for") == "search"
    context = {
        "address": reverse("search" if is_search else "documents", args=[actor.organization.pk]),
        "sorts": not is_search,
        "filter": ListedFilter(narrowing),
        "order": narrowing.order.text,
        "statuses": STATUSES.items(),
        "kinds": KINDS,
        "states": [(key, words) for key, (words, _) in STATES.items()],
        "tags": _list_names(Tag.objects.for_org(actor.organization)),
        "schemas": _list_names(Schema.objects.for_org(actor.organization)),
        "prompts": _list_names(Prompt.objects.for_org(actor.organization)),
        "fields": _list_fields(actor),
    }
    return render(request, "documents/find/menu.html", context)


@require_GET
@organization_page()
def document_count(request: PageRequest) -> HttpResponse:
    """The number in the head, for a list of which there are more than it shows."""
    group = organization_group(request.actor.organization.pk)
    rows = Document.objects.for_org(request.actor.organization)
    matches = count_documents(parse_filter(request.actor, request.GET).apply(rows), group)
    count = format_matches(matches, count_documents(rows, group))
    return render(request, "documents/count.html", {"count": count})


def _list_names(rows: QuerySet[Model]) -> list[str]:
    return list(rows.order_by("name_folded").values_list("name", flat=True)[:MAX_OFFERED])


def _list_fields(actor: Actor) -> list[str]:
    """Names, of the newest schemas."""
    return sorted(field.path for field in list_fields_of_schemas(actor.organization))[:MAX_OFFERED]
