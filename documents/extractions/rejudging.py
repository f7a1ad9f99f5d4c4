"""Results judged by other value checks: what a model was asked stays the same, so its values stay and none is asked."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import audit
from documents.catalog.state import lock_document, lock_run
from documents.checks.duplicate_keys import save_keys
from documents.checks.results import COLUMNS, refresh_results, set_results
from documents.extractions.edits.writing import touch
from documents.models import Extraction, PromptRevision, Revision, SchemaRevision
from documents.values import is_same
from kit.errors import Conflict

OTHER_REQUEST = "This version of the prompt asks for something else, so it has to run on the document."


def asks_the_same(one: PromptRevision, other: PromptRevision) -> bool:
    """Whether a model is asked the same by both: their value checks may differ, and their tags."""
    asked = [(each.content, each.model, each.include, each.peer_match_keys) for each in (one, other)]
    return one.prompt_id == other.prompt_id and asked[0] == asked[1] and has_same_fields(one, other.schema_revision)


def has_same_fields(revision: PromptRevision, schema_revision: SchemaRevision | None) -> bool:
    used = revision.schema_revision
    if used is None or schema_revision is None:
        return used is schema_revision
    return used.schema_id == schema_revision.schema_id and is_same(
        used.response_format, schema_revision.response_format
    )


def list_results_of(revision: PromptRevision) -> QuerySet[Extraction]:
    """The newest result of each document that this version, or an accepted one that asks the same, has given."""
    others = revision.prompt.revisions.filter(status=Revision.Status.ACCEPTED).select_related("schema_revision")
    alike = [each.pk for each in others if asks_the_same(each, revision)]
    completed = Extraction.objects.filter(
        status=Extraction.Status.COMPLETED, prompt_revision__prompt=revision.prompt_id
    )
    newest = completed.filter(document=OuterRef("document")).order_by("-number").values("pk")[:1]
    return completed.filter(prompt_revision__in=alike, pk=Subquery(newest), document__trashed_at=None)


@transaction.atomic
def judge_again(actor: Actor, *, extraction: Extraction, prompt_revision: PromptRevision) -> bool:
    """The result becomes one of this version of its prompt; False where it is one already.

    Values, edits and verifications stay as they are. Raises Conflict where a model would be asked something else, or
    when the run has been withdrawn.
    """
    actor.require(Role.BUILDER)
    lock_document(extraction.document_id)  # before the run, as everywhere
    row = lock_run(extraction)
    former = row.prompt_revision
    if former is None or row.status != Extraction.Status.COMPLETED or not asks_the_same(former, prompt_revision):
        raise Conflict(OTHER_REQUEST, code="other_request")
    if former.pk == prompt_revision.pk:
        return False
    _judge(row, prompt_revision, timezone.now())
    audit.record(actor, "judged again", row, was=former.pk, now=prompt_revision.pk, failed=row.failed_check_count)
    return True


@transaction.atomic
def take_judgement_back(
    actor: Actor, *, extraction: Extraction, prompt_revision: PromptRevision, judged_at: datetime | None
) -> None:
    """The result has the version and the checks of before again; `judged_at` is when those had judged it, if they had.

    What a person verified before counts again as it did. Raises Conflict as judging it did.
    """
    actor.require(Role.BUILDER)
    lock_document(extraction.document_id)
    row = lock_run(extraction)
    latter = row.prompt_revision
    if latter is None or row.status != Extraction.Status.COMPLETED or not asks_the_same(latter, prompt_revision):
        raise Conflict(OTHER_REQUEST, code="other_request")
    _judge(row, prompt_revision, judged_at)
    audit.record(actor, "took checks back", row, was=latter.pk, now=prompt_revision.pk, failed=row.failed_check_count)


def _judge(row: Extraction, prompt_revision: PromptRevision, judged_at: datetime | None) -> None:
    row.prompt_revision, row.schema_revision = prompt_revision, prompt_revision.schema_revision
    row.judged_again_at = judged_at
    _refresh(row)
    touch(row, "prompt_revision", "schema_revision", "judged_again_at", *COLUMNS)


def _refresh(row: Extraction) -> None:
    if not refresh_results(row):  # The version has no checks, while the former one may have had some.
        set_results(row, [])
        save_keys(row, ())
