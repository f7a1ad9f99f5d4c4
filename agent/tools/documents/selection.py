"""The documents of one call, by ids, names, a tag or a saved filter, and the bulk action that it starts for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.http import QueryDict

from agent.toolkit.effects import Inverse, Preconditions
from agent.toolkit.previews import ArgumentRow, format_count
from agent.toolkit.registry import Reach, Result, ToolContext
from agent.toolkit.signatures import Arguments
from agent.tools import lookup
from documents import bulk
from documents.bulk.kinds import get_kind
from documents.find import scopes
from documents.find.filters import require_filter
from documents.find.saved_views import list_views
from documents.models import Document
from documents.retention import trash
from kit.errors import Invalid, NotFound
from kit.ids import is_id
from kit.rows.models import fold_case

# The documents that the person has chosen for the message.
SCOPE = "scope"
# What a person looks through on one card.
MAX_DOCUMENTS = 200
TOO_MANY = f"These are more than {MAX_DOCUMENTS} documents, the most of one card. Name fewer, or a narrower filter."
STARTED = "It runs as a job; the page shows how far it is, and can stop it."
GOES_ON = "It has been started and goes on. The outcome of each document will be here once it has ended."
Hook = Callable[..., Any]


def choose_hook(many: Hook, one: Hook) -> Hook:
    """The hook for a call about several documents, and that for one. A hook's second argument are the arguments."""
    return lambda context, arguments, *more: (many if "documents" in arguments else one)(context, arguments, *more)


def pin_documents(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the ids of all that are meant, each once."""
    return {**arguments, "documents": find_ids(context, arguments["documents"])}


def pin_trashed(context: ToolContext, arguments: Arguments) -> Arguments:
    return {**arguments, "documents": find_ids(context, arguments["documents"], in_trash=True)}


def select_documents(context: ToolContext, named: Sequence[str]) -> QuerySet[Document]:
    """Select these without a limit. Raises NotFound."""
    rows = Document.objects.for_org(context.actor.organization)
    chosen = Q(pk__in=[name for name in named if is_id(name)])
    for name in named:
        kind, _, rest = name.partition(":")
        if name == SCOPE and context.turn.scope:
            chosen |= Q(pk__in=scopes.select_documents(context.actor, context.turn.scope).values("pk"))
        elif kind in _SELECTIONS and rest:
            chosen |= Q(pk__in=_SELECTIONS[kind](context, rest.strip()).values("pk"))
        elif not is_id(name):
            chosen |= Q(pk=lookup.find_document(context, name).pk)
    return rows.filter(chosen)


def find_ids(context: ToolContext, named: Sequence[str], *, in_trash: bool = False) -> list[str]:
    """By ids, names, `tag:`, `filter:` and `scope`. What was moved to or from the trash since it was named stays: the
    job leaves it out. Raises Invalid for too many or none, NotFound."""
    all_ids = Document.objects.filter(organization=context.actor.organization)
    known = set(all_ids.filter(pk__in=filter(is_id, named)).values_list("pk", flat=True))
    ids: dict[str, None] = {}
    for name in named:
        ids |= dict.fromkeys([name] if name in known else _find_named(context, name, in_trash=in_trash))
        if len(ids) > MAX_DOCUMENTS:
            raise Invalid(TOO_MANY)
    if not ids:
        raise Invalid("No document is meant by that.")
    return list(ids)


def _find_named(context: ToolContext, name: str, *, in_trash: bool) -> Iterable[str]:
    kind, _, rest = name.partition(":")
    if in_trash:
        return [find_trashed(context, name).pk]
    if name == SCOPE and context.turn.scope:
        rows = scopes.select_documents(context.actor, context.turn.scope).order_by("-created_at", "-pk")
        return list(rows.values_list("pk", flat=True)[: MAX_DOCUMENTS + 1])
    if kind in _SELECTIONS and rest:
        rows = _SELECTIONS[kind](context, rest.strip()).order_by("-created_at", "-pk")
        return list(rows.values_list("pk", flat=True)[: MAX_DOCUMENTS + 1])
    return [lookup.find_document(context, name).pk]


def _select_tagged(context: ToolContext, name: str) -> QuerySet[Document]:
    return Document.objects.for_org(context.actor.organization).filter(tags=lookup.find_tag(context, name))


def _select_filtered(context: ToolContext, name: str) -> QuerySet[Document]:
    views = list(list_views(context.actor))
    view = next((view for view in views if fold_case(view.name) == fold_case(name) or view.pk == name), None)
    if view is None:
        there = ", ".join(f"“{each.name}”" for each in views[:5]) or "none"
        raise NotFound(f"There is no saved filter {name[:60]!r}. There are: {there}.")
    rows = Document.objects.for_org(context.actor.organization)
    chosen = require_filter(context.actor, QueryDict(view.query)).apply(rows)
    return Document.objects.filter(pk__in=chosen.values("pk"))


_SELECTIONS = {"tag": _select_tagged, "filter": _select_filtered}


def find_trashed(context: ToolContext, name: str) -> Document:
    """Of the trash, by id or name. Raises NotFound with those that were moved there last, or all of the name."""
    rows = trash.list_trash(context.actor)
    same = list(rows.filter(pk=name) if is_id(name) else rows.filter(name_folded=fold_case(" ".join(name.split())))[:4])
    if len(same) == 1:
        return same[0]
    if same:
        raise NotFound(
            f"Several are called {name[:60]!r}. Give the id of one: {', '.join(row.pk for row in same[:3])}."
        )
    there = ", ".join(f"“{row.name}” ({row.pk})" for row in rows[:5])
    raise NotFound(
        f"Document not found in the trash: {name[:60]!r}. " + (f"The newest are: {there}." if there else "It is empty.")
    )


def fetch_rows(context: ToolContext, arguments: Arguments) -> list[Document]:
    """In the order in which they were named."""
    rows = Document.objects.filter(organization=context.actor.organization, pk__in=arguments["documents"])
    by_id = {row.pk: row for row in rows.prefetch_related("tags")}
    return [by_id[row_id] for row_id in arguments["documents"] if row_id in by_id]


def list_rows(documents: Iterable[Document]) -> list[ArgumentRow]:
    return [{"name": row.name, "value": f"uploaded {row.created_at:%Y-%m-%d}"} for row in documents]


def count_documents(documents: Sequence[Document]) -> str:
    return format_count(len(documents), "document")


def reach_many(context: ToolContext, arguments: Arguments) -> Reach:
    return Reach.ORGANIZATION


def rest_on_documents(context: ToolContext, arguments: Arguments) -> Preconditions:
    """The calls of a round on the same documents go one after the other."""
    return {f"document:{row_id}": 0 for row_id in arguments["documents"]}


def start_job(context: ToolContext, kind: str, ids: Sequence[str], arguments: Arguments | None = None) -> Result:
    """One bulk action for all: what comes of each document is in its rows."""
    documents = Document.objects.filter(organization=context.actor.organization, pk__in=ids)
    action = bulk.create(context.actor, kind=kind, documents=documents, arguments=arguments or {})
    return {"job_id": action.pk, "documents": action.total_count, "note": GOES_ON}


def undo_job(kind: str) -> Callable[[ToolContext, Arguments, Result], Inverse | None]:
    if not get_kind(kind).inverse:
        return lambda context, arguments, result: None
    return lambda context, arguments, result: {"service": "bulk.undo", "job_id": result["job_id"]}
