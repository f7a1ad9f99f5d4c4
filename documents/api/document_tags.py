"""Tags of one document, set and removed beside those it has, and the runs that this starts."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.access import OrganizationView
from accounts.api.wire.described import describe
from accounts.api.wire.fields import ExactSerializer, StrictTextField, TrueOrFalse
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents import document_changes
from documents.api.documents import fetch_document
from documents.api.llm import held_answers as answers
from documents.api.llm.held_runs import serialize_held
from documents.document_changes import NO_TAG


class TagChanges(ExactSerializer):
    """`add` and `remove` are ids of tags. With `run` the prompts of the tags it gets start on it."""

    add = serializers.ListField(child=StrictTextField(), required=False, default=list)
    remove = serializers.ListField(child=StrictTextField(), required=False, default=list)
    run = TrueOrFalse(required=False, default=True)


class DocumentTags(OrganizationView):
    """Sets and removes tags and leaves the others as they are. The same again changes nothing.

    The prompts of the tags it gets start where they have not run on what was read last; on a document that is not read
    yet they run once it is. `llm/estimate` says what that costs. Where the document is surely of another type than a
    prompt is for, that run is held until somebody decides it (`held_runs`).
    """

    roles = {"POST": Role.REVIEWER}
    bodies = {"POST": TagChanges}

    @describe("Tag a document", refusals={404: [NO_TAG]})
    def post(self, request: Request, document_id: str) -> Answer[answers.ChangedTags]:
        document = fetch_document(self.actor, document_id)
        change = document_changes.change_tags(self.actor, document=document, **self.read_body())
        return Answer(
            {
                "tag_ids": sorted(document.tags.values_list("pk", flat=True)),
                "added": [tag.pk for tag in change.added],
                "removed": [tag.pk for tag in change.removed],
                "run_ids": [run.pk for run in change.runs],
                "held_runs": [serialize_held(held_run) for held_run in change.held_runs],
            }
        )
