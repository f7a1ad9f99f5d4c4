"""The last searches of a person, to go on with where nothing is typed."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from accounts.actor import Actor
from accounts.services import member_memory
from accounts.views.pages import PageRequest, organization_page
from documents.find.filters import parse_filter


@dataclass(frozen=True)
class RecentSearch:
    query: str
    words: str

    @property
    def sent(self) -> str:
        return json.dumps({"query": self.query})


def list_recent(actor: Actor) -> list[RecentSearch]:
    return [RecentSearch(query, _describe(actor, query)) for query in member_memory.list_searches(actor)]


def _describe(actor: Actor, query: str) -> str:
    narrowing = parse_filter(actor, QueryDict(query))
    return " · ".join([narrowing.words, *(term.words for term in narrowing.terms)])


@require_POST
@organization_page()
def forget(request: PageRequest) -> HttpResponse:
    """One of them, by its `query`, or all."""
    member_memory.forget_searches(request.actor, text=request.POST.get("query", ""))
    if not request.htmx:
        return redirect("search", request.actor.organization.pk)
    return render(request, "documents/search/recent.html", {"results": {"recent": list_recent(request.actor)}})
