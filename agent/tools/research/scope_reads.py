"""All documents of a scope asked one question: estimated and approved first, each visited once, none passed over."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from django.db.models import F

from agent import feed
from agent.models import ToolCall, Turn
from agent.policy import agent_settings
from agent.policy.turn_limits import turn_limit
from agent.toolkit.chosen_documents import keep_within_scope
from agent.toolkit.effects import Preconditions
from agent.toolkit.previews import ArgumentRow, Preview, format_count
from agent.toolkit.registry import Draft, Reach, Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.tools.lookup import find_document
from agent.tools.research.reads import describe_all_condensed, make_reader
from documents import bulk
from documents.bulk import answering, surveys, working
from documents.bulk.progress import count_items
from documents.find import scopes
from documents.find.research.condensing import Condensed
from documents.find.research.surveying import count_asked, count_long, estimate_micros
from documents.models import BulkAction, Document
from kit import stopping
from kit.errors import Conflict, Invalid
from llm.client import Cancelled
from llm.money.budgets import format_dollars

MAX_DOCUMENTS = 2_000
MAX_NAMED = 20
TOO_MANY = f"These are more than {MAX_DOCUMENTS:,} documents, the most of one call. Narrow the scope."
READ_IN_PART = "about {count}: of each the first page and those that speak of the question. The answer names them"
NOTHING = "nothing"
LOOK_SECONDS, REPORT_SECONDS = 0.25, 1.0


def _pin(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the ids of all that are meant now: what is approved is what is read."""
    if not arguments["question"].strip():
        raise Invalid("The question is empty.")
    if named := arguments.get("documents"):
        pinned = _list_pinned(context) | _list_known(context, named)
        ids = list(dict.fromkeys(name if name in pinned else find_document(context, name).pk for name in named))
    else:
        all_rows = Document.objects.for_org(context.actor.organization)
        scope = context.turn.scope
        rows = scopes.select_documents(context.actor, scope) if scope else all_rows
        rows = keep_within_scope(context, rows)
        ids = list(rows.order_by("-created_at", "-pk").values_list("pk", flat=True)[: MAX_DOCUMENTS + 1])
    if not ids:
        raise Invalid("There is no document to read.")
    if len(ids) > MAX_DOCUMENTS:
        raise Invalid(TOO_MANY)
    return {**arguments, "documents": ids}


def _list_pinned(context: ToolContext) -> set[str]:
    """Those that the call was shown with: one that was deleted since is named in the answer, and stops nothing."""
    shown = ToolCall.objects.filter(pk=context.call_id).values_list("effective", flat=True).first() or {}
    return set(shown.get("documents") or ())


def _list_known(context: ToolContext, named: Sequence[str]) -> set[str]:
    """Those that are ids of documents, in one query for any number."""
    rows = Document.objects.for_org(context.actor.organization).filter(pk__in=named[: MAX_DOCUMENTS + 1])
    return set(rows.values_list("pk", flat=True))


def _reach(context: ToolContext, arguments: Arguments) -> Reach:
    return Reach.ORGANIZATION


def _rest(context: ToolContext, arguments: Arguments) -> Preconditions:
    return {}


def _preview(context: ToolContext, arguments: Arguments) -> Preview:
    ids, model = arguments["documents"], make_reader(context).model
    micros = estimate_micros(context.actor, ids, arguments["question"], model)
    count = format_count(len(ids), "document")
    asked = count_asked(context.actor, ids, arguments["question"], model)
    before: list[ArgumentRow] = []
    if asked:
        before.append({"name": "Read before", "value": f"{format_count(asked, 'document')}, which cost nothing"})
    long: list[ArgumentRow] = []
    if count_of_long := count_long(context.actor, ids):
        long.append(
            {"name": "Read in part", "value": READ_IN_PART.format(count=format_count(count_of_long, "long document"))}
        )
    return {
        "title": f"Ask all {count} one question",
        "done": f"Asked all {count} one question",
        "rows": [
            {"name": "Question", "value": arguments["question"]},
            {"name": "Documents", "value": count},
            *before,
            *long,
            {"name": "Model", "value": model},
            {"name": "Estimated cost", "value": f"at most about {format_dollars(micros)}"},
        ],
        "effect": "Each document is asked once and nothing is changed. It can be stopped; what was read until then is "
        "kept, and asking the same again goes on from there.",
        "warnings": [],
        "is_free": not micros,
    }


def _summarize(arguments: Arguments, result: Result) -> str:
    coverage = result.get("coverage", {})
    in_part = coverage.get("in_part", 0)
    part = f", {in_part:,} in part" if in_part else ""
    return f"{coverage.get('read', 0) + in_part:,} of {coverage.get('documents', 0):,} documents read{part}"


def _store(context: ToolContext, draft: Draft) -> Result:
    """What it has cost of what was approved is not taken from the rest of the turn, which gets no more by it."""
    rows = Turn.objects.filter(pk=context.turn.pk)
    rows.update(limit_micros=F("limit_micros") + draft["spent_micros"])
    return {name: value for name, value in draft.items() if name != "spent_micros"}


@tool(
    category="search",
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
    cost="a model call for each document",
    timeout=600,
)
def read_all_documents(context: ToolContext, question: str, documents: list[str] | None = None) -> Draft:
    """Asks each document of the scope the same question, where an answer has to be complete: lists, counts, "which of
    them". A person approves its cost first. not_read names those that could not be read and why; asked again, only
    these are read and paid. in_part names long ones of which only some pages were read: what those say is no answer for
    the others. How many were read, and which not or in part, is put under your answer: do not repeat it.

    question: what each document is asked by itself
    documents: ids or names; without them the whole scope of the message
    """
    ids: Sequence[str] = documents or []
    action = surveys.begin(context.actor, ids=ids, terms=_make_terms(context, ids, question), key=context.call_id)
    _wait_for(context, action)
    result = surveys.read_survey(action, ids)
    names = dict(Document.objects.filter(pk__in=result.unread).values_list("pk", "name"))
    telling = [each for each in result.answers if not _says_nothing(each)]
    silent = [each.reading.document for each in result.answers if _says_nothing(each)]
    silent_whole = [document.name for document in silent if document.pk not in result.parts]
    return {
        "coverage": {
            "documents": result.total,
            "read": len(result.answers) - len(result.parts),
            "in_part": len(result.parts),
            "not_read": len(result.unread),
        },
        "not_read": [
            {"document_id": row_id, "document_name": names.get(row_id, ""), "why": why}
            for row_id, why in result.unread.items()
        ],
        "documents": describe_all_condensed(context.thread, telling),
        "in_part": [_describe_part(each, result.parts) for each in result.answers if _get_id(each) in result.parts],
        "say_nothing": {"documents": len(silent_whole), "names": silent_whole[:MAX_NAMED]},
        "spent_micros": surveys.sum_approved(action),
    }


def _make_terms(context: ToolContext, ids: Sequence[str], question: str) -> surveys.SurveyTerms:
    """What was approved for it comes on top of what the turn may cost."""
    reader, limit = make_reader(context), turn_limit(context.turn)
    approved = estimate_micros(context.actor, ids, question, reader.model)
    return surveys.SurveyTerms(
        question=question,
        model=reader.model,
        purpose=reader.account.purpose,
        subject_id=context.turn.pk,
        tool=context.tool,
        limit=replace(limit, micros=limit.micros + approved),
        approved_micros=approved,
        seconds=agent_settings.effective_settings(context.actor.organization).tool_seconds,
    )


def _wait_for(context: ToolContext, action: BulkAction) -> None:
    """Works on its documents beside other workers until it has ended. Raises Cancelled.

    With a turn that was stopped it is stopped too; where only this worker ends, the others go on.
    """
    reported_at = 0.0
    while action.status in BulkAction.UNDER_WAY:
        if context.cancelled():
            if not stopping.is_set():
                with suppress(Conflict):
                    bulk.stop(context.actor, action=action)
            raise Cancelled
        if not answering.answer_next(action=action, cancelled=context.cancelled):
            working.look_at(action.pk)
            stopping.wait(LOOK_SECONDS)
        if time.monotonic() - reported_at > REPORT_SECONDS:
            reported_at = time.monotonic()
            _report(context, action)
        action.refresh_from_db(fields=["status"])
    if action.status == BulkAction.Status.STOPPED and context.cancelled():
        raise Cancelled
    _report(context, action)


def _report(context: ToolContext, action: BulkAction) -> None:
    """For open pages and streams; rows have what was read."""
    counts = count_items(action)
    progress = {"visited": counts.total - counts.remaining, "documents": counts.total}
    rows = ToolCall.objects.filter(pk=context.call_id, status=ToolCall.Status.EXECUTING)
    known = rows.values_list("result", flat=True).first()
    if known != {"progress": progress} and rows.update(result={"progress": progress}):
        feed.append(context.thread.pk, "call.progress", call_id=context.call_id, **progress)


def _describe_part(condensed: Condensed, parts: Mapping[str, str]) -> Result:
    """Of a document of which not all pages were read: one that says nothing there may do so on its other pages."""
    document, reading = condensed.reading.document, condensed.reading
    return {
        "document_id": document.pk,
        "document_name": document.name,
        "read": parts[document.pk],
        "page_count": reading.page_count,
        "says_nothing_there": _says_nothing(condensed),
    }


def _get_id(condensed: Condensed) -> str:
    return condensed.reading.document_id


def _says_nothing(condensed: Condensed) -> bool:
    return condensed.text.strip().rstrip(".").lower() == NOTHING
