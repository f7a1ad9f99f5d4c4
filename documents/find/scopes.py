"""Which documents somebody means: those that a person has chosen, or what a filter of the list leaves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from django.db.models import QuerySet
from django.http import QueryDict

from accounts.actor import Actor
from documents.find import saved_views
from documents.find.filters import require_filter
from documents.models import Document
from kit.errors import Invalid

MAX_CHOSEN = 200
MAX_ID = 64
MAX_NAMED = 30
SHAPE = 'scope is an object such as {"document_ids": ["…"]} or {"query": "state=extracted"}.'


class Scope(TypedDict, total=False):
    """One of both; nothing where no documents were chosen. `query` is that of the list's address."""

    document_ids: list[str]
    query: str


@dataclass(frozen=True)
class ScopeView:
    """The scope as it is now. `terms` are the filters in words, `missing` counts what is not there any more."""

    scope: Scope
    total: int
    documents: Sequence[Document]
    terms: Sequence[str] = field(default_factory=list)
    missing: int = 0
    problem: str = ""

    @property
    def text(self) -> str:
        """As a page sends it back."""
        return json.dumps(self.scope)

    @property
    def more(self) -> int:
        return self.total - len(self.documents)


def check_scope(actor: Actor, raw: object) -> Scope:
    """The scope with each id once. Raises Invalid. An id that names nothing is counted as missing later on."""
    if not isinstance(raw, Mapping) or set(raw) - {"document_ids", "query"}:
        raise Invalid(SHAPE)
    ids, query = raw.get("document_ids") or [], raw.get("query") or ""
    if not isinstance(ids, list) or not isinstance(query, str) or (ids and query):
        raise Invalid(SHAPE)
    if not all(isinstance(each, str) and 0 < len(each) <= MAX_ID for each in ids):
        raise Invalid("scope.document_ids are ids of documents, as text.")
    if len(ids) > MAX_CHOSEN:
        raise Invalid(f"{len(ids):,} documents are chosen; {MAX_CHOSEN} are the most. Use a filter for more.")
    if query:
        return {"query": saved_views.clean_query(actor, query)}
    return {"document_ids": list(dict.fromkeys(ids))} if ids else {}


def select_documents(actor: Actor, scope: Scope) -> QuerySet[Document]:
    """All of it, in no order. Raises Invalid where nothing was chosen, or where the filter makes no sense any more."""
    if not scope:
        raise Invalid("The person has chosen no documents for this message.")
    rows = Document.objects.for_org(actor.organization)
    if "query" not in scope:
        return rows.filter(pk__in=scope["document_ids"])
    narrowing = require_filter(actor, QueryDict(scope["query"]))
    return rows.filter(pk__in=narrowing.apply(rows).values("pk"))


def build_view(actor: Actor, scope: Scope, *, maximum: int = MAX_NAMED) -> ScopeView:
    """With the newest documents of it, at most so many."""
    rows = Document.objects.for_org(actor.organization).order_by("-created_at", "-pk")
    if "query" not in scope:
        ids = scope.get("document_ids", [])
        chosen = list(rows.filter(pk__in=ids))
        return ScopeView(scope, len(chosen), chosen[:maximum], missing=len(ids) - len(chosen))
    narrowing = saved_views.parse_query(actor, scope["query"])
    terms = [*([f"“{narrowing.words}”"] if narrowing.words else []), *(term.words for term in narrowing.terms)]
    if narrowing.refusals:
        # Without what it named, such as a tag that was deleted, it would let more documents in.
        return ScopeView(scope, 0, [], terms, problem=narrowing.refusals[0].sentence)
    matching = narrowing.apply(rows)
    return ScopeView(scope, matching.count(), list(matching[:maximum]), terms)
