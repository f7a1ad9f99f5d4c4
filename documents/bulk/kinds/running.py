"""Running a prompt on many documents: each item begins a run, and ends when that ends."""

from __future__ import annotations

from django.db.models import QuerySet

from accounts.access import fetch
from accounts.actor import Actor
from accounts.models import Role
from documents import extractions
from documents.bulk.kinds.base import ActionOver, BulkKind, Change, LeftOut, get_document
from documents.extractions.estimates import estimate_runs
from documents.models import BulkAction, BulkItem, Document, Prompt, PromptRevision
from documents.reading import reading
from kit.errors import Invalid, NotFound
from kit.json_types import JsonObject

NEEDS = "This bulk action needs prompt_revid, and takes again: true to run once more where there is a result."


class RunPrompt(BulkKind):
    """`again`: also where this revision has a result already, which stays as history."""

    kind, role, runs = BulkAction.Kind.RUN, Role.REVIEWER, True
    title, progress_title = "Run {name}", "Running {name}"

    def clean(self, actor: Actor, sent: JsonObject) -> JsonObject:
        revid, again = sent.get("prompt_revid"), sent.get("again", False)
        if set(sent) - {"prompt_revid", "again"} or not isinstance(revid, str) or not isinstance(again, bool):
            raise Invalid(NEEDS)
        revision = fetch(actor, PromptRevision.objects.select_related("prompt"), revid, noun="Prompt")
        if revision.prompt.trashed_at is not None:
            raise NotFound("Prompt not found")
        return {"prompt_revid": revision.pk, "again": again, "name": f"{revision.prompt.name} v{revision.number}"}

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
        return Change(runs=[extractions.start(actor, document=document, prompt_revision=revision)])


def _fetch_revision(actor: Actor, arguments: JsonObject) -> PromptRevision:
    usable = Prompt.objects.for_org(actor.organization).values("pk")
    rows = PromptRevision.objects.select_related("schema_revision")
    revision = rows.filter(pk=arguments["prompt_revid"], prompt__in=usable).first()
    if revision is None:
        raise ActionOver(f"{arguments['name']} was moved to the trash meanwhile.", code="prompt_deleted")
    return revision
