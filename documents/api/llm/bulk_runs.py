"""What a bulk run over a tag would do: which prompts on which documents. It starts nothing."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet
from rest_framework import serializers
from rest_framework.request import Request

from accounts.access import fetch
from accounts.api.access import OrganizationView
from accounts.api.wire.described import describe
from accounts.api.wire.fields import RequestBody, StrictTextField
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents.api import extraction_answers as answers
from documents.api.document_filters import DocumentFilters, apply_filters
from documents.definitions.prompts import list_prompts_of_tag
from documents.models import Document, Extraction, PromptRevision, Tag

COMPLETED = Extraction.Status.COMPLETED


class WantedBulk(RequestBody):
    """`missing`: this version has no result. `outdated`: only an earlier version of the prompt has one."""

    tag_id = StrictTextField()
    mode = serializers.ChoiceField(choices=["all", "missing", "outdated"], default="all")
    document_filters = DocumentFilters(required=False, allow_null=True, default=None)


class BulkAnalysis(OrganizationView):
    """Which runs are wanted: the latest version of each prompt with the tag, on each document with the tag."""

    roles = {"POST": Role.VIEWER}
    bodies = {"POST": WantedBulk}

    @describe("Tell which runs a tag wants", refusals={400: ["Invalid filters JSON"], 404: ["Tag not found"]})
    def post(self, request: Request) -> Answer[answers.WantedRuns]:
        body = self.read_body()
        tag = fetch(self.actor, Tag.objects.all(), body["tag_id"], noun="Tag")
        tagged = Document.objects.for_org(self.actor.organization).filter(tags=tag)
        filters = body["document_filters"] or {}
        documents = apply_filters(tagged, self.actor, filters).order_by("-created_at", "-pk")
        groups = [
            _describe_group(revision, _filter_by_mode(documents, revision, body["mode"]))
            for revision in list_prompts_of_tag(tag)
        ]
        groups = [group for group in groups if group["executions"]]
        return Answer({"total_executions": sum(len(group["executions"]) for group in groups), "groups": groups})


def _filter_by_mode(documents: QuerySet[Document], revision: PromptRevision, mode: str) -> QuerySet[Document]:
    runs = Extraction.objects.filter(document=OuterRef("pk"), status=COMPLETED)
    if mode != "all":
        documents = documents.exclude(Exists(runs.filter(prompt_revision=revision)))
    if mode == "outdated":
        documents = documents.filter(Exists(runs.filter(prompt_revision__prompt=revision.prompt_id)))
    return documents


def _describe_group(revision: PromptRevision, documents: QuerySet[Document]) -> answers.RunGroup:
    return {
        "prompt_revid": revision.pk,
        "prompt_id": revision.prompt_id,
        "prompt_version": revision.number,
        "name": revision.prompt.name,
        "executions": [{"document_id": pk, "document_name": name} for pk, name in documents.values_list("pk", "name")],
    }
