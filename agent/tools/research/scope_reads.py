"""All documents of a scope asked one question: estimated and approved first, each visited once, none passed over."""

from __future__ import annotations

import time
from collections.abc import Sequence

from django.db.models import F

from agent import feed
from agent.models import ToolCall, Turn
from agent.policy.turn_limits import turn_limit
from agent.toolkit.effects import Preconditions
from agent.toolkit.previews import Preview, format_count
from agent.toolkit.registry import Draft, Reach, Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools.lookup import find_document
from agent.tools.research.reads import describe_condensed, make_reader
from documents.catalog import scopes
from documents.model_access.budgets import format_dollars
from documents.model_access.spending import BudgetAccount, Limit
from documents.models import Document
from documents.research.asking import MAX_AT_ONCE, Reader
from documents.research.condensing import Condensed
from documents.research.surveying import BATCH, estimate_micros, survey
from kit.errors import Invalid

MAX_DOCUMENTS = 1000
MAX_NAMED = 20
TOO_MANY = f"These are more than {MAX_DOCUMENTS} documents, the most of one call. Narrow the scope."
NOTHING = "nothing"


def _pin(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the ids of all that are meant now: what is approved is what is read."""
    if not arguments["question"].strip():
        raise Invalid("The question is empty.")
    if named := arguments.get("documents"):
        ids = list(dict.fromkeys(find_document(context, name).pk for name in named))
    else:
        all_rows = Document.objects.for_org(context.actor.organization)
        scope = context.turn.scope
        rows = scopes.select_documents(context.actor, scope) if scope else all_rows
        ids = list(rows.order_by("-created_at", "-pk").values_list("pk", flat=True)[: MAX_DOCUMENTS + 1])
    if not ids:
        raise Invalid("The scope holds no document.")
    if len(ids) > MAX_DOCUMENTS:
        raise Invalid(TOO_MANY)
    return {**arguments, "documents": ids}


def _reach(context: ToolContext, arguments: Arguments) -> Reach:
    return Reach.ORGANIZATION


def _rest(context: ToolContext, arguments: Arguments) -> Preconditions:
    return {}


def _preview(context: ToolContext, arguments: Arguments) -> Preview:
    ids, model = arguments["documents"], make_reader(context).model
    micros = estimate_micros(context.actor, ids, arguments["question"], model)
    count = format_count(len(ids), "document")
    return {
        "title": f"Ask all {count} one question",
        "done": f"Asked all {count} one question",
        "rows": [
            {"name": "Question", "value": arguments["question"]},
            {"name": "Documents", "value": count},
            {"name": "Model", "value": model},
            {"name": "Estimated cost", "value": f"at most about {format_dollars(micros)}"},
        ],
        "effect": "Each document is read once and nothing is changed. It can be stopped; what was read until then is "
        "kept, and asking the same again goes on from there.",
        "warnings": [],
        "is_free": not micros,
    }


def _summarize(arguments: Arguments, result: Result) -> str:
    coverage = result.get("coverage", {})
    return f"{coverage.get('read', 0)} of {coverage.get('documents', 0)} documents read"


def _store(context: ToolContext, draft: Draft) -> Result:
    """What was approved for it is not taken from the rest of the turn."""
    rows = Turn.objects.filter(pk=context.turn.pk)
    rows.update(limit_micros=F("limit_micros") + draft["approved_micros"])
    return {name: value for name, value in draft.items() if name != "approved_micros"}


@tool(
    group="document",
    access="costly",
    effect="prepared",
    title="Ask every document",
    icon="i-file-text",
    shows_any=True,
    is_rare=True,
    resolve=_pin,
    reach=_reach,
    preconditions=_rest,
    preview=_preview,
    apply=_store,
    summary=_summarize,
)
def read_all_documents(context: ToolContext, question: str, documents: list[str] | None = None) -> Draft:
    """Asks each document of the scope the same question, where an answer has to be complete: lists, counts, "which of
    them". A person approves its cost first. coverage says how many were read, not_read names the others and why: an
    answer must say both.

    question: what each document is asked by itself
    documents: ids or names; without them the whole scope of the message
    """
    ids: Sequence[str] = documents or []
    approved = estimate_micros(context.actor, ids, question, make_reader(context).model)
    limit = turn_limit(context.turn)
    limit = Limit(limit.micros + approved, limit.name, limit.remedy)

    def make_batch_reader() -> Reader:
        reader = make_reader(context)
        account = BudgetAccount(
            context.actor.organization, reader.account.purpose, context.turn.pk, context.actor.user, limit
        )
        seconds = (reader.until - time.monotonic()) * BATCH / MAX_AT_ONCE
        return Reader(reader.model, account, time.monotonic() + seconds, context.cancelled)

    result = survey(
        context.actor,
        ids,
        question,
        make_reader=make_batch_reader,
        report=lambda count: _report(context, count, len(ids)),
    )
    names = dict(Document.objects.filter(pk__in=result.unread).values_list("pk", "name"))
    telling = [each for each in result.answers if not _says_nothing(each)]
    silent = [each.reading.document.name for each in result.answers if _says_nothing(each)]
    draft: Draft = {
        "coverage": {"documents": result.total, "read": len(result.answers), "not_read": len(result.unread)},
        "not_read": [
            {"document_id": row_id, "document_name": names.get(row_id, ""), "why": why}
            for row_id, why in result.unread.items()
        ],
        "documents": [describe_condensed(context.thread, each) for each in telling],
        "say_nothing": {"documents": len(silent), "names": silent[:MAX_NAMED]},
        "approved_micros": approved,
    }
    return draft


def _report(context: ToolContext, visited: int, total: int) -> None:
    """For open pages and streams; what was read stands in rows."""
    rows = ToolCall.objects.filter(pk=context.call_id, status=ToolCall.Status.EXECUTING)
    if rows.update(result={"progress": {"visited": visited, "documents": total}}):
        feed.append(context.thread.pk, "call.progress", call_id=context.call_id, visited=visited, documents=total)


def _says_nothing(condensed: Condensed) -> bool:
    return condensed.text.strip().rstrip(".").lower() == NOTHING
