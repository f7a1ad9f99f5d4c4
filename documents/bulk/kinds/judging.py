"""Judging the results of many documents by the checks that their prompt's schema has now, without a model."""

from __future__ import annotations

from accounts.access import fetch
from accounts.actor import Actor
from accounts.models import Role
from documents.bulk.kinds.base import ActionOver, BulkKind, Change, LeftOut, get_document, read_id
from documents.catalog.state import lock_document
from documents.extractions import rejudging
from documents.models import BulkAction, BulkItem, Prompt
from kit.json_types import JsonObject


class JudgeAgain(BulkKind):
    """By the version in force when an item is done: of two actions at once, neither brings an older one back."""

    kind, role = BulkAction.Kind.JUDGE, Role.BUILDER
    title, progress_title = "Judge the results of {name} again", "Judging the results of {name} again"

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
        rejudging.judge_again(actor, extraction=result, prompt_revision=prompt.latest)
        return Change()
