"""Judging the results of many documents by the checks that their prompt's schema has now, without a model."""

from __future__ import annotations

from datetime import datetime

from accounts.access import fetch
from accounts.actor import Actor
from accounts.models import Role
from documents.bulk.kinds.base import ActionOver, BulkKind, Change, LeftOut, get_document, read_id
from documents.catalog.state import lock_document
from documents.extractions import rejudging
from documents.models import BulkAction, BulkItem, Document, Prompt, PromptRevision
from kit.errors import Invalid
from kit.json_types import JsonObject
from kit.timestamps import format_timestamp

CHANGED = "It was run or checked again since."


class JudgeAgain(BulkKind):
    """By the version in force when an item is done: of two actions at once, neither brings an older one back."""

    kind, inverse, role = BulkAction.Kind.JUDGE, BulkAction.Kind.UNJUDGE, Role.BUILDER
    title, progress_title = "Check the results of {name} again", "Checking the results of {name} again"

    def clean(self, actor: Actor, sent: JsonObject) -> JsonObject:
        prompt = fetch(actor, Prompt.objects.all(), read_id(sent, "prompt_id"), noun="Prompt")
        return {"prompt_id": prompt.pk, "name": prompt.name}

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        document = lock_document(get_document(item).pk)
        prompts = Prompt.objects.for_org(actor.organization).select_related("latest__schema_revision")
        prompt = prompts.filter(pk=arguments["prompt_id"]).first()
        if prompt is None or prompt.latest is None:
            raise ActionOver(f"{arguments['name']} was moved to the trash meanwhile.", code="prompt_deleted")
        results = rejudging.list_results_of(prompt.latest).exclude(prompt_revision=prompt.latest)
        result = results.filter(document=document).first()
        if result is None:
            raise LeftOut("It has no result that these checks can judge.", code="nothing_to_judge")
        was_verified = document.review == Document.Review.VERIFIED
        judged_at = result.judged_again_at and format_timestamp(result.judged_again_at)
        former: JsonObject = {"prompt_revision": result.prompt_revision_id, "judged_at": judged_at}
        rejudging.judge_again(actor, extraction=result, prompt_revision=prompt.latest)
        document.refresh_from_db(fields=["review"])
        result.refresh_from_db(fields=["failed_check_count"])
        return Change(
            undo={
                **former,
                "extraction": result.pk,
                "judged_by": prompt.latest.pk,
                "fails": result.failed_check_count > 0,
                "waits": was_verified and document.review != Document.Review.VERIFIED,
            }
        )

    def describe_outcome(self, action: BulkAction) -> str:
        """The number that fail a check now, and of those that were verified and wait for a person once more."""
        done = action.items.filter(status=BulkItem.Status.DONE)
        fail, wait = done.filter(undo__fails=True).count(), done.filter(undo__waits=True).count()
        waiting = f"; {wait:,} verified {'waits' if wait == 1 else 'wait'} to be verified again" if wait else ""
        return f"{fail:,} {'fails' if fail == 1 else 'fail'} a check{waiting}" if fail else "none fails a check"


class TakeJudgementBack(BulkKind):
    """Undoes it: a result has the checks of before again, unless it was run or judged once more since."""

    kind, role = BulkAction.Kind.UNJUDGE, Role.BUILDER
    title, progress_title = "Take the checks of {name} back", "Taking the checks of {name} back"

    def clean(self, actor: Actor, sent: JsonObject) -> JsonObject:
        raise Invalid("This bulk action is the undo of another one.")

    def apply(self, actor: Actor, item: BulkItem, arguments: JsonObject) -> Change:
        document, former = lock_document(get_document(item).pk), item.undo
        if not isinstance(former, dict):
            raise LeftOut(CHANGED, code="changed_since")
        result = document.extractions.filter(pk=former["extraction"], prompt_revision=former["judged_by"]).first()
        if result is None:
            raise LeftOut(CHANGED, code="changed_since")
        revision, judged_at = PromptRevision.objects.get(pk=former["prompt_revision"]), former["judged_at"]
        rejudging.take_judgement_back(
            actor,
            extraction=result,
            prompt_revision=revision,
            judged_at=datetime.fromisoformat(judged_at) if judged_at else None,
        )
        return Change()
