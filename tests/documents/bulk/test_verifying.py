"""Verifying many documents: only those of which a person has seen each value."""

from __future__ import annotations

import pytest

from accounts.actor import Actor
from documents import bulk
from documents.definitions import prompts
from documents.extractions import edits
from documents.models import Extraction, PromptRevision, Verification
from tests.documents.bulk.bulk_rows import ask, list_reasons, make_documents, work
from tests.documents.extraction_rows import PAGE
from tests.documents.reading_rows import document_with

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def make_result(actor: Actor, **columns: object) -> Extraction:
    document = document_with(actor.organization, PAGE, user=actor.user)
    values = {"number": "INV-7", "total": 30.5, "note": None}
    revision = columns.pop("prompt_revision")
    return Extraction.objects.create(
        document=document,
        number=1,
        reading=document.readings.get(),
        prompt_revision=revision,
        status="completed",
        result=values,
        current=values,
        **columns,
    )


@pytest.fixture
def runs(actor: Actor) -> list[Extraction]:
    from_prompt = _make_prompt(actor)
    return [make_result(actor, prompt_revision=from_prompt) for _ in range(3)]


def _make_prompt(actor: Actor) -> PromptRevision:
    return prompts.create(actor, name="Read", content="Read it.")


def test_it_verifies_only_where_each_value_has_been_verified(actor: Actor, runs: list[Extraction]) -> None:
    for where in ("number", "total"):
        edits.verify(actor, extraction=runs[0], where=where)
    edits.verify(actor, extraction=runs[1], where="total")
    edits.verify(actor, extraction=runs[2])
    documents = [*(run.document for run in runs), *make_documents(actor, 1)]
    action = work(ask(actor, "verify", documents))
    codes = {item.document_id: (item.code, item.reason) for item in action.items.all()}
    assert codes[runs[0].document_id] == ("", "")
    assert codes[runs[1].document_id] == ("unseen", "1 of 2 values is verified. Look at the others on its page.")
    assert codes[runs[2].document_id][0] == "verified" and codes[documents[3].pk][0] == "no_values"
    assert Verification.objects.filter(extraction=runs[0], where="", cleared_at=None).exists()


def test_failed_checks_need_a_reason_of_their_own_where_the_organization_says_so(
    actor: Actor, runs: list[Extraction]
) -> None:
    actor.organization.failed_checks_need_reason = True
    actor.organization.save()
    Extraction.objects.filter(pk=runs[0].pk).update(failed_check_count=2)
    for where in ("number", "total"):
        edits.verify(actor, extraction=runs[0], where=where)
    action = work(ask(actor, "verify", [runs[0].document]))
    assert list_reasons(action) == [("left_out", "reason")]


def test_undo_takes_back_the_marks_that_it_made(actor: Actor, runs: list[Extraction]) -> None:
    for run in runs[:2]:
        for where in ("number", "total"):
            edits.verify(actor, extraction=run, where=where)
    action = work(ask(actor, "verify", [run.document for run in runs]))
    edits.unverify(actor, extraction=runs[1])
    edits.verify(actor, extraction=runs[1])
    undo = work(bulk.undo(actor, action=action))
    assert sorted(list_reasons(undo)) == [("done", ""), ("left_out", "not_verified")]
    in_force = Verification.objects.filter(where="", cleared_at=None)
    assert list(in_force.values_list("extraction", flat=True)) == [runs[1].pk]
