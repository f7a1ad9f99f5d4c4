"""Proposals that people have worked on since, and documents that leave or come back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from accounts.actor import Actor
from documents import document_changes
from documents.autosetup import auto_setup, proposals, refining, run_results
from documents.definitions import prompts, schemas
from documents.models import AutoSetup, Extraction, Prompt, PromptRevision, Proposal, Schema, SchemaRevision
from kit.errors import Conflict, Invalid
from tests.documents.proposal_counts import count_untrashed, ran
from tests.documents.proposal_rows import (
    group_of,
    make_completed_run,
    now,
    propose,
    response_format,
    states,
)

pytestmark = pytest.mark.django_db


def test_a_prompt_that_a_person_edited_brings_its_schema_into_force(actor: Actor) -> None:
    proposal = propose(actor, group_of(actor, 1)[0])
    edited = prompts.save_version(actor, prompt=Prompt.objects.get(), content="Take it all.")
    proposals.reject(actor, proposal=proposal)
    assert count_untrashed() == (1, 1)
    assert (Prompt.objects.get().latest, Schema.objects.get().latest) == (edited, proposal.schema_revision)
    assert SchemaRevision.objects.get().status == "accepted"


def test_accepting_keeps_what_a_person_has_saved_since(actor: Actor) -> None:
    proposal = propose(actor, group_of(actor, 1)[0])
    edited = prompts.save_version(actor, prompt=Prompt.objects.get(), content="Take it all.")
    proposals.accept(actor, proposal=proposal, tag_name="Bills")
    latest = Prompt.objects.select_related("latest").get().latest
    assert latest and (latest.content, latest.number > edited.number) == ("Take it all.", True)
    assert not PromptRevision.objects.filter(status="proposed").exists()


def test_definitions_in_the_trash_cannot_be_accepted_and_the_sentence_says_so(actor: Actor) -> None:
    proposal = propose(actor, group_of(actor, 1)[0])
    prompts.trash(actor, head=Prompt.objects.get())
    with pytest.raises(Conflict, match="prompt “Invoice” is in the trash"):
        proposals.accept(actor, proposal=proposal)
    assert Proposal.objects.get().status == "proposed"
    proposals.reject(actor, proposal=Proposal.objects.get())
    assert count_untrashed() == (0, 0)


def test_what_the_run_made_and_left_aside_goes(actor: Actor) -> None:
    lead = group_of(actor, 1)[0]
    schema = schemas.create(actor, name="First try", response_format=response_format("total"), proposed=True)
    prompt = prompts.create(actor, name="First try", content="Take it.", schema_revision=schema, proposed=True)
    tried = make_completed_run(lead.document, prompt)
    first = propose(actor, lead, also=(schema, prompt))
    assert [row.name for row in Schema.objects.filter(trashed_at=None)] == ["Invoice"]
    assert count_untrashed() == (1, 1)
    tried.refresh_from_db()
    assert (tried.status, now(lead).extraction.status) == ("withdrawn", "completed")
    earlier = SchemaRevision.objects.create(schema=first.schema_revision.schema, number=9, status="proposed")
    first.created_ids["schema_revisions"].append(earlier.pk)
    first.save()
    proposals.accept(actor, proposal=first)
    assert not SchemaRevision.objects.filter(status="proposed").exists()


def test_the_lead_or_a_member_is_taken_out_and_the_last_one_is_not(actor: Actor) -> None:
    members = group_of(actor)
    with pytest.raises(Invalid, match="being made for this document"):
        proposals.remove_member(actor, setup=members[0])
    propose(actor, members[0])
    proposals.remove_member(actor, setup=now(members[1]))
    assert (now(members[1]).extraction.status, now(members[1]).proposal) == ("withdrawn", None)
    proposals.remove_member(actor, setup=now(members[0]))
    assert Proposal.objects.get().lead == members[2].document
    with pytest.raises(Conflict, match="was rejected by"):
        proposals.remove_member(actor, setup=now(members[0]))
    with pytest.raises(Invalid, match="only document"):
        proposals.remove_member(actor, setup=now(members[2]))
    ran()
    assert states(members) == ["rejected", "rejected", "proposed"]


def test_retrying_asks_for_the_whole_group_again_and_nothing_of_before_is_left(actor: Actor) -> None:
    members = group_of(actor)
    propose(actor, members[0])
    with pytest.raises(Invalid, match="nobody/knows"):
        proposals.retry(actor, setup=now(members[0]), model="nobody/knows")
    assert states(members)[0] == "proposed"
    proposals.retry(actor, setup=now(members[0]), model="offline/rules")
    assert (states(members), count_untrashed()) == (["queued"] * 3, (0, 0))
    assert {now(member).model for member in members} == {"offline/rules"}
    assert not Extraction.objects.filter(status__in=["queued", "running", "completed"]).exists()
    auto_setup.assign_waiting()
    assert Proposal.objects.get(status="designing").members.count() == 3
    with pytest.raises(Conflict, match="waits for its turn"):
        proposals.retry(actor, setup=now(members[0]))


def test_retrying_takes_along_a_member_that_waits_in_the_trash(actor: Actor) -> None:
    members = group_of(actor)
    document_changes.trash(actor, document=members[2].document)
    propose(actor, members[0])
    assert states(members) == ["proposed", "running", "queued"]
    proposals.retry(actor, setup=now(members[0]))
    assert states(members) == ["queued"] * 3
    assert [now(member).proposal for member in members] == [None] * 3
    document_changes.restore(actor, document=members[2].document)
    auto_setup.assign_waiting()
    assert Proposal.objects.get(status="designing").members.count() == 3


def test_accepting_takes_what_was_refined_since_it_was_looked_at(actor: Actor) -> None:
    looked_at = propose(actor, group_of(actor, 1)[0])
    schema = Schema.objects.get()
    more = schemas.save_version(actor, schema=schema, response_format=response_format("total", "tax"), proposed=True)
    refining.adopt_revision(looked_at.lead, more)
    proposals.accept(actor, proposal=looked_at)
    assert Schema.objects.get().latest == more


@pytest.mark.django_db(transaction=True)
def test_of_two_who_retry_at_once_one_is_heard(actor: Actor) -> None:
    lead = group_of(actor, 1)[0]
    run_results.record_failure(Proposal.objects.get(), actor=actor, reason="The provider is away.", created={})
    barrier, copies = Barrier(2), [now(lead), now(lead)]

    def again(auto: AutoSetup) -> str:
        barrier.wait()
        try:
            proposals.retry(actor, setup=auto)
            return "won"
        except Conflict as conflict:
            return conflict.sentence
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        outcomes = sorted(pool.map(again, copies))
    assert outcomes == ["The automatic setup of this document waits for its turn.", "won"]


def test_a_document_in_the_trash_waits_and_goes_on_when_it_is_restored(actor: Actor) -> None:
    members = group_of(actor)
    document_changes.trash(actor, document=members[2].document)
    proposals.accept(actor, proposal=propose(actor, members[0]), tag_name="Bills")
    auto_setup.assign_waiting()
    assert states(members) == ["accepted", "running", "queued"]
    document_changes.restore(actor, document=members[2].document)
    auto_setup.assign_waiting()
    ran()
    assert states(members) == ["accepted"] * 3


def test_whoever_asked_may_have_left(actor: Actor) -> None:
    members = group_of(actor, 2)
    AutoSetup.objects.filter(pk=members[1].pk).update(requested_by=None)
    propose(actor, members[0])
    assert (states(members), now(members[1]).reason) == (["proposed", "failed"], auto_setup.NOBODY)
