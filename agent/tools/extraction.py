"""Extractions of a document: run one, and read it."""

from __future__ import annotations

from agent.models import ToolCall
from agent.policy.turn_limits import turn_limit
from agent.toolkit.effects import Inverse, Preconditions
from agent.toolkit.registry import Draft, Result, ToolContext, tool
from agent.toolkit.signatures import Arguments
from agent.toolkit.tool_kinds import VALUE_CHANGES
from agent.tools import reach
from agent.tools.documents import selection
from agent.tools.documents.run_previews import parse_pages, preview_run, preview_runs
from agent.tools.documents.selection import choose_hook
from agent.tools.listing import reads_full
from agent.tools.lookup import choose_document, enter_document, find_prompt_revision, name_other, pin_document
from agent.tools.values.described_extractions import describe_extraction
from documents import extractions
from documents.autosetup import refining, trials
from documents.autosetup.trials import Trial
from documents.definitions import prompts
from documents.extractions import ExtractionDraft
from documents.extractions.continuing import choose_pages
from documents.models import Document, Extraction, PromptRevision
from kit.errors import Conflict, Invalid, NotFound
from llm.money.spending import BudgetAccount

BEGUN = (
    "{prompt} has begun with its tag, and is not run twice. get_extraction_result gives its values once it has ended."
)


def _pin_revision(context: ToolContext, arguments: Arguments) -> Arguments:
    """With the prompt revision written out: the one asked for, the thread's last, or the newest that matches."""
    pinned = pin_document(context, arguments)
    about = enter_document(context, pinned)
    chosen_id = arguments.get("prompt_revid") or context.recall("prompt_revid")
    if not chosen_id:
        matching = prompts.list_matching_prompts(about.require_document())
        if not matching:
            raise NotFound("No prompt is chosen and none matches this document. Create one, or give its prompt_revid.")
        chosen_id = matching[0].pk
    revision = find_prompt_revision(about, chosen_id)
    pages = parse_pages(about, arguments.get("pages"))  # What cannot be run is said before anybody is asked.
    if arguments.get("go_on"):
        choose_pages(choose_extraction(about, revision.pk, about.require_document()), pages)
    return {**pinned, "prompt_revid": revision.pk}


def _pin_many(context: ToolContext, arguments: Arguments) -> Arguments:
    chosen_id = arguments.get("prompt_revid") or context.recall("prompt_revid")
    if not chosen_id or {"document", "go_on", "pages"} & set(arguments):
        raise Invalid("For several documents give documents and a prompt_revid, and neither document, go_on nor pages.")
    pinned = selection.pin_documents(context, arguments)
    return {**pinned, "prompt_revid": find_prompt_revision(context, chosen_id).pk}


def _read_preconditions(context: ToolContext, arguments: Arguments) -> Preconditions:
    """Two runs of a round on one document go one after the other; a run is not undone by an earlier one."""
    return {f"extractions:{enter_document(context, arguments).require_document().pk}": 0}


def choose_extraction(
    context: ToolContext, prompt_revid: str | None = None, document: Document | None = None
) -> Extraction:
    """The newest run of a prompt revision; without one the newest of the thread's last prompt, else of any.

    Of another document it is the one that its page shows.
    """
    document = document or context.require_document()
    last = context.recall("prompt_revid") if document.pk == context.thread.document_id else ""
    named = find_prompt_revision(context, prompt_revid) if prompt_revid else None
    own = PromptRevision.objects.filter(pk=last).first() if last and named is None else None
    newest = extractions.get_newest(document, named or own) or (None if named else extractions.get_newest(document))
    if newest is None:
        raise NotFound("There is no extraction of this document yet. Run one first.")
    return newest


def _summarize(arguments: Arguments, result: Result) -> str:
    unsure = len(result.get("unsure", {}))
    whose = f"{result['document_name']}, " if "document_name" in result else ""
    return f"{whose}{len(result.get('result') or {})} fields, {unsure or 'none'} uncertain"


@tool(
    category="extraction",
    access="read",
    title="Read the extraction",
    follows=VALUE_CHANGES,
    unlisted=("prompt_revid",),
    resolve=pin_document,
    summary=_summarize,
)
def get_extraction_result(
    context: ToolContext, prompt_revid: str | None = None, document: str | None = None, detail: str | None = None
) -> Result:
    """The values extracted from a document, with corrections, which of them are unsure, and why fields have none.

    prompt_revid: of which prompt revision; without it the thread's last, else the newest
    document: name or id of another document; without it this one
    detail: concise or full: of a long list its ends and the unsure rows, or all
    """
    about, is_full = choose_document(context, document), reads_full(context, detail)
    extraction = choose_extraction(context, prompt_revid, about)
    return {
        **describe_extraction(context.thread, extraction, is_concise=not is_full),
        **name_other(context, about),
    }


def _store(context: ToolContext, draft: Draft) -> Result:
    if "documents" in draft:
        again = not _list_taggings(context)  # Their tags may have begun it: what has a result then is left out.
        ids, started = draft["documents"], {"prompt_revid": draft["prompt_revid"], "again": again}
        return selection.start_job(context, "run", ids, started)
    tried: list[Trial] = draft.get("trials", [])
    extraction_draft = ExtractionDraft.from_json({name: part for name, part in draft.items() if name != "trials"})
    extraction = extractions.store(context.actor, draft=extraction_draft, call_id=context.call_id)
    refining.set_current_run(extraction)
    about = context.enter_document(extraction.document)
    about.remember(extraction_id=extraction.pk, **_definitions(extraction))
    result = {**describe_extraction(context.thread, extraction), **name_other(context, extraction.document)}
    siblings = trials.store_trials(tried, prompt_revision=extraction.prompt_revision)
    return {**result, "siblings": siblings} if siblings else result


def _build_inverse(context: ToolContext, arguments: Arguments, result: Result) -> Inverse:
    return {"service": "extractions.withdraw", "extraction_id": result["extraction_id"]}


def _definitions(extraction: Extraction) -> dict[str, str]:
    ids = {"prompt_revid": extraction.prompt_revision_id, "schema_revid": extraction.schema_revision_id}
    return {name: row_id for name, row_id in ids.items() if row_id}


@tool(
    category="extraction",
    access="costly",
    effect="prepared",
    title="Run the extraction",
    icon="i-arrow-right",
    resolve=choose_hook(_pin_many, _pin_revision),
    reach=choose_hook(selection.reach_many, reach.of_named_document),
    preconditions=choose_hook(selection.rest_on_documents, _read_preconditions),
    preview=choose_hook(preview_runs, preview_run),
    apply=_store,
    follows=("update_document",),
    instead_of={"documents": ["document"]},
    inverse=choose_hook(selection.undo_job("run"), _build_inverse),
    cost="model calls for each document, by its pages",
)
def run_extraction(
    context: ToolContext,
    prompt_revid: str | None = None,
    document: str | None = None,
    documents: list[str] | None = None,
    go_on: bool = False,
    pages: str | None = None,
) -> Draft:
    """Runs a prompt on a document and keeps the values; or on several, as a job. It may cost money.

    prompt_revid: a prompt or its revision; without it the thread's last, else the newest that fits
    document: name or id of another document; without it this one
    documents: several instead, by names or ids, tag:NAME for all with a tag, filter:NAME for a saved filter
    go_on: ask only for the pages that its last run did not see, and keep what that has
    pages: only these, such as 41-70; with go_on these instead, which may lack rows
    """
    if documents is not None:
        return {"documents": documents, "prompt_revid": prompt_revid}
    about, turn = enter_document(context, {"document": document}), context.turn
    account = BudgetAccount(
        context.actor.organization,
        "extraction",
        turn.pk,
        context.actor.user,
        limit=turn_limit(turn),
        tool=context.tool,
    )
    revision, chosen = find_prompt_revision(about, prompt_revid or ""), parse_pages(about, pages)
    if not go_on and not pages:
        _refuse_if_tags_began_it(about, revision)
    if go_on:
        earlier = choose_extraction(about, revision.pk, about.require_document())
        return extractions.prepare_continuation(
            context.actor, extraction=earlier, account=account, pages=chosen, cancelled=context.cancelled
        ).as_json()
    draft = extractions.prepare(
        context.actor,
        document=about.require_document(),
        prompt_revision=revision,
        cancelled=context.cancelled,
        account=account,
        pages=chosen,
    )
    return {**draft.as_json(), **_try_on_siblings(context, revision, account)}


def _refuse_if_tags_began_it(context: ToolContext, revision: PromptRevision) -> None:
    """Raise Conflict where tags of the same answer have begun this on the document: it would be paid twice."""
    begun = [each for each in _list_taggings(context) if str(revision) in (each.result or {}).get("started", ())]
    runs = context.require_document().extractions.exclude(status__in=("failed", "withdrawn"))
    if begun and runs.filter(prompt_revision=revision, created_at__gte=begun[0].created_at).exists():
        raise Conflict(BEGUN.format(prompt=revision))


def _list_taggings(context: ToolContext) -> list[ToolCall]:
    """Calls of the same answer that have set tags."""
    rows = ToolCall.objects.filter(turn=context.turn, round=context.turn.round, tool="update_document")
    ended = rows.filter(status=ToolCall.Status.SUCCEEDED)
    return [each for each in ended if {"add_tags", "tag_ids"} & set(each.effective or {})]


def _try_on_siblings(context: ToolContext, revision: PromptRevision, account: BudgetAccount) -> Draft:
    """What automatic setup designs for one document is tried on those like it, by the same call."""
    if not context.is_headless:
        return {}
    tried = trials.run_trials(
        context.actor,
        thread_id=context.thread.pk,
        prompt_revision=revision,
        account=account,
        cancelled=context.cancelled,
    )
    return {"trials": tried}
