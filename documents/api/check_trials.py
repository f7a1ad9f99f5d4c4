"""Value checks tried on documents before they are saved."""

from __future__ import annotations

from rest_framework.request import Request
from typing_extensions import TypedDict

from accounts.api.access import OrganizationView
from accounts.api.wire.answers import Id
from accounts.api.wire.described import describe
from accounts.api.wire.fields import ExactSerializer
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents.api import extraction_answers as answers
from documents.api.definitions.schema_bodies import ValueChecksField
from documents.api.definitions.schemas import fetch_revision_or_latest, require_valid_checks
from documents.api.llm.prompt_results import serialize_check
from documents.checks.trials import Trial, try_on_documents
from kit.http.bodies import Body


class NewChecks(ExactSerializer):
    value_checks = ValueChecksField(help_text="As the schema would have them.")


class CheckTrial(TypedDict):
    """What the checks say of a document's values."""

    document_id: Id
    document_name: str
    extraction_id: Id
    check_results: list[answers.CheckResult]


class CheckTrials(TypedDict):
    """What the checks say of the newest documents with values of the schema."""

    trials: list[CheckTrial]


class ValueCheckTrial(OrganizationView):
    """What value checks would say of documents that are there, before a schema has them. Nothing is stored.

    Takes a revision's id, or the schema's for its latest. At most ten documents come, the newest; of each its newest
    run with this schema, whichever of its revisions.
    """

    body_kind = Body.TEXT
    roles = {"POST": Role.BUILDER}
    bodies = {"POST": NewChecks}

    @describe("Try value checks on documents")
    def post(self, request: Request, schema_id: str) -> Answer[CheckTrials]:
        revision, checks = fetch_revision_or_latest(self.actor, schema_id), self.read_body()["value_checks"]
        require_valid_checks(checks, revision.response_format)
        return Answer({"trials": [_serialize(trial) for trial in try_on_documents(revision, checks)]})


def _serialize(trial: Trial) -> CheckTrial:
    return {
        "document_id": trial.document.pk,
        "document_name": trial.document.name,
        "extraction_id": trial.extraction.pk,
        "check_results": [serialize_check(trial.extraction, result) for result in trial.results],
    }
