"""Running a prompt on many documents: each item begins a run, and ends when that ends. And withdrawing these runs."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from accounts.access import fetch
from accounts.actor import Actor
from accounts.models import Role
from documents import extractions
from documents.bulk.kinds.base import ActionOver, BulkKind, Change, LeftOut, get_document
from documents.bulk.own_runs import list_own_runs
from documents.catalog.state import lock_document, lock_run
from documents.extractions.estimates import estimate_runs
from documents.holding import ANOTHER_TYPE
from documents.models import BulkAction, BulkItem, Document, Extraction, Prompt, PromptRevision
from documents.reading import reading
from kit.errors import Conflict, Invalid, NotFound
from kit.json_types import JsonObject

NEEDS = (
    "This bulk action needs prompt_revid. It takes again: true to run once more where there is a result, and "
    "anyway: true to run on any type of document."
)
TAKEN_BACK = "The bulk action that began it was undone."


class RunPrompt(BulkKind):
    """`again`: also where this revision has a result already, which stays as history. `anyway`: also on documents that
    are surely of another type than the prompt is for."""

    kind, inverse, role, runs = BulkAction.Kind.RUN, BulkAction.Kind.WITHDRAW, Role.REVIEWER, True
    undoes_failed = False
    title, progress_title = "Run {name}", "Running {name}"

    def clean(self, actor: Actor, sent: JsonObject) -> JsonObject:
        revid, again, anyway = sent.get("prompt_revid"), sent.get("again", False), sent.get("anyway", False)
        is_known = not set(sent) - {"prompt_revid", "again", "anyway"}
        if not (is_known and isinstance(revid, str) and isinstance(again, bool) and isinstance(anyway, bool)):
            raise Invalid(NEEDS)
        revision = fetch(actor, PromptRevision.objects.select_related("prompt"), revid, noun="Prompt")
        if revision.prompt.trashed_at is not None:
            raise NotFound("Prompt not found")
        name = f"{revision.prompt.name} v{revision.number}"
        return {"prompt_revid": revision.pk, "again": again, "name": name} | ({"anyway": True} if anyway else {})

    def estimate_micros(self, actor: Actor, documents: QuerySet[Document], arguments: JsonObject) -> int | None:
        revisions, again = [_fetch_revision(actor, arguments)], bool(arguments["again"])
        estimate = estimate_runs(actor, documents=documents, prompt_revisions=revisions, repeat=again)
        return estimate.cost_micros

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        document, revision = get_document(item), _fetch_revision(actor, arguments)
        if reading.get_newest(document) is None:
            raise LeftOut("It has not been read.", code="not_read")
        if not arguments["again"] and extractions.get_newest_of(document, revision):
            raise LeftOut("This version of the prompt has a result on it already.", code="has_result")
        try:
            run = extractions.start_by_hand(
                actor, document=document, prompt_revision=revision, anyway=arguments.get("anyway", False)
            )
        except Conflict as error:
            if error.code != ANOTHER_TYPE:
                raise
            raise LeftOut(error.sentence, code=error.code) from None
        return Change(runs=[run])

    def list_undoable(self, action: BulkAction) -> QuerySet[BulkItem, BulkItem]:
        """Not those that took a run of somebody else for theirs."""
        own = list_own_runs(action).filter(bulk_items=OuterRef("pk"))
        return BulkItem.objects.filter(Exists(own), action=action, status=BulkItem.Status.DONE)


class WithdrawRuns(BulkKind):
    """Only those that the action began and nobody has worked on since. What they cost stays paid."""

    kind, role = BulkAction.Kind.WITHDRAW, Role.REVIEWER
    title, progress_title = "Withdraw the runs of {name}", "Withdrawing the runs of {name}"

    def clean(self, actor: Actor, sent: JsonObject) -> JsonObject:
        raise Invalid("This bulk action is the undo of another one.")

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        lock_document(get_document(item).pk)
        run = lock_run(_find_own_run(item))
        if run.status in (Extraction.Status.QUEUED, Extraction.Status.RUNNING):
            extractions.cancel_run(run, reason=TAKEN_BACK)
        else:
            extractions.require_untouched(run)
            extractions.withdraw(actor, extraction=run)
        return Change(undo={})


def _find_own_run(item: BulkItem) -> Extraction:
    if item.action.undo_of is None:
        raise ActionOver("The bulk action that this undoes is no longer kept.", code="not_kept")
    run = list_own_runs(item.action.undo_of).filter(document=item.document_id).first()
    if run is None:
        raise LeftOut("Its run was deleted.", code="run_deleted")
    others = run.bulk_items.exclude(action__requested_by=run.requested_by_id)
    if others.filter(status__in=[BulkItem.Status.STARTED, BulkItem.Status.DONE]).exists():
        raise LeftOut("Somebody else has asked for the same run, and uses it.", code="shared")
    return run


def _fetch_revision(actor: Actor, arguments: JsonObject) -> PromptRevision:
    usable = Prompt.objects.for_org(actor.organization).values("pk")
    rows = PromptRevision.objects.select_related("schema_revision", "prompt")
    revision = rows.filter(pk=arguments["prompt_revid"], prompt__in=usable).first()
    if revision is None:
        raise ActionOver(f"{arguments['name']} was moved to the trash meanwhile.", code="prompt_deleted")
    return revision
