"""What tagging documents, or running a prompt on them, would start and about cost. It starts nothing."""

from __future__ import annotations

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request

from accounts.access import fetch
from accounts.api.access import OrganizationView
from accounts.api.wire.described import describe
from accounts.api.wire.fields import ExactSerializer, StrictTextField
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents import bulk
from documents.api import extraction_answers as answers
from documents.api.definitions.prompts import fetch_revision
from documents.api.document_filters import BulkFilters, apply_filters
from documents.extractions.estimates import RunEstimate, estimate_runs, estimate_tagging
from documents.models import Document, Tag
from kit.errors import Invalid
from kit.json_types import JsonObject


class WantedEstimate(ExactSerializer):
    """`tag_id` or `prompt_revid`, one of them. With names and filters the documents are those named that are left."""

    tag_id = StrictTextField(required=False, allow_null=True)
    prompt_revid = StrictTextField(required=False, allow_null=True)
    document_ids = serializers.ListField(
        child=StrictTextField(), required=False, allow_null=True, default=None, max_length=bulk.MAX_NAMED
    )
    document_filters = BulkFilters(required=False, allow_null=True, default=None)


class CostEstimate(OrganizationView):
    """Which prompts a tag, or a run of one prompt, starts on these documents, and about for how much. Nothing runs.

    A tag starts its prompts on documents that do not carry it yet, where they have not run on what was read last.
    """

    # Of those who may start it: it says what models cost and what the budget has left.
    roles = {"POST": Role.REVIEWER}
    bodies = {"POST": WantedEstimate}

    @describe(
        "Estimate what a tag or prompt starts and costs",
        refusals={400: ["Send a tag_id or a prompt_revid, one of them."], 404: ["Tag not found", "Prompt not found"]},
    )
    def post(self, request: Request) -> Answer[answers.CostEstimate]:
        body = self.read_body()
        tag_id, revid = body.get("tag_id") or "", body.get("prompt_revid") or ""
        if bool(tag_id) == bool(revid):
            raise Invalid("Send a tag_id or a prompt_revid, one of them.")
        documents = self._list_documents(body)
        if tag_id:
            tag = fetch(self.actor, Tag.objects.all(), tag_id, noun="Tag")
            return Answer(serialize_estimate(estimate_tagging(self.actor, documents=documents, tag=tag)))
        revision = fetch_revision(self.actor, revid)
        return Answer(serialize_estimate(estimate_runs(self.actor, documents=documents, prompt_revisions=[revision])))

    def _list_documents(self, body: JsonObject) -> QuerySet[Document]:
        rows: QuerySet[Document] = Document.objects.for_org(self.actor.organization)
        if body["document_ids"] is not None:
            rows = rows.filter(pk__in=body["document_ids"])
        return apply_filters(rows, self.actor, body["document_filters"] or {})


def serialize_estimate(estimate: RunEstimate) -> answers.CostEstimate:
    return {
        "document_count": estimate.document_count,
        "unread_count": estimate.unread_count,
        "run_count": estimate.run_count,
        "tokens": estimate.tokens,
        "cost_usd": estimate.cost_micros / 1_000_000,
        "is_price_known": estimate.is_price_known,
        "is_over_budget": estimate.is_over_budget,
        "detail": estimate.describe(),
        "prompts": [
            {
                "prompt_revid": prompt.prompt_revision.pk,
                "name": prompt.prompt_revision.prompt.name,
                "model": prompt.model,
                "run_count": prompt.run_count,
                "prompt_tokens": prompt.prompt_tokens,
                "completion_tokens": prompt.completion_tokens,
                "cost_usd": prompt.cost_micros / 1_000_000,
                "problem": prompt.problem,
            }
            for prompt in estimate.prompts
        ],
    }
