"""The one decision on what automatic setup left, and what becomes of the group's documents before and after it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from accounts.actor import Actor
from accounts.models import AuditEntry, Role
from documents import extractions
from documents.autosetup import proposals
from documents.definitions import schemas
from documents.models import Extraction, Prompt, Proposal, Schema, Tag
from kit.errors import AppError, Conflict, Denied
from tests.documents.proposal_counts import count_untrashed, ran
from tests.documents.proposal_rows import (
    group_of,
    make_auto_setup,
    make_completed_run,
    now,
    propose,
    response_format,
    states,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("first", "then"), [("accept", "accept"), ("accept", "reject"), ("reject", "accept")])
def test_the_second_decision_hears_of_the_first(
    actor: Actor, member: Callable[[Role], Actor], first: str, then: str
) -> None:
    proposal = propose(actor, group_of(actor, 1)[0])
    getattr(proposals, first)(actor, proposal=Proposal.objects.get())
    with pytest.raises(Conflict, match=f"was {first}ed by {actor.shown_name} already") as raised:
        getattr(proposals, then)(member(Role.BUILDER), proposal=proposal)
    assert raised.value.winner and raised.value.winner["kind"] == f"{first}ed"
    assert AuditEntry.objects.filter(action__in=["accepted", "rejected"], target_kind="proposal").count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_people_who_decide_at_once_one_is_heard(actor: Actor, member: Callable[[Role], Actor]) -> None:
    members = group_of(actor, 2)
    propose(actor, members[0])
    people = [actor, *(member(Role.BUILDER) for _ in range(3))]
    barrier = Barrier(len(people))

    def decide(number: int) -> str:
        proposal = Proposal.objects.get()
        barrier.wait()
        try:
            (proposals.accept if number % 2 else proposals.reject)(people[number], proposal=proposal)
            return "won"
        except AppError as error:
            return type(error).__name__
        finally:
            connection.close()

    with ThreadPoolExecutor(len(people)) as pool:
        heard = sorted(pool.map(decide, range(len(people))))
    assert heard == ["Conflict", "Conflict", "Conflict", "won"]
    ran()
    accepted = Proposal.objects.get().status == "accepted"
    assert set(states(members)) == {"accepted" if accepted else "rejected"}
    assert count_untrashed() == ((1, 1) if accepted else (0, 0))


def test_who_may_only_review_does_not_decide(actor: Actor, member: Callable[[Role], Actor]) -> None:
    members = group_of(actor, 2)
    proposal, reviewer = propose(actor, members[0]), member(Role.REVIEWER)
    for decide in (
        lambda: proposals.accept(reviewer, proposal=proposal),
        lambda: proposals.reject(reviewer, proposal=proposal),
        lambda: proposals.remove_member(reviewer, setup=now(members[0])),
        lambda: proposals.retry(reviewer, setup=now(members[0])),
    ):
        with pytest.raises(Denied):
            decide()
    assert Proposal.objects.get().status == "proposed"


def test_accepting_while_a_member_is_extracted_takes_it_in_when_that_is_done(actor: Actor) -> None:
    members = group_of(actor)
    proposals.accept(actor, proposal=propose(actor, members[0]))
    assert states(members) == ["accepted", "running", "running"]
    ran()
    assert states(members) == ["accepted"] * 3
    assert now(members[2]).decided_by == actor.user


def test_a_member_that_fails_says_why_and_the_others_stay(actor: Actor) -> None:
    members = group_of(actor, 2)
    propose(actor, members[0])
    ran("failed")
    assert (states(members), now(members[1]).reason) == (["proposed", "failed"], "No.")
    proposals.accept(actor, proposal=Proposal.objects.get())
    assert states(members) == ["accepted", "failed"]


def test_rejecting_calls_off_what_is_still_being_extracted(actor: Actor) -> None:
    members = group_of(actor)
    proposal = propose(actor, members[0])
    Extraction.objects.filter(document=members[2].document).update(status="running", fence=1)
    proposals.reject(actor, proposal=proposal, reason="Too few fields")
    assert states(members) == ["rejected"] * 3
    assert not Extraction.objects.filter(status__in=["queued", "running", "completed"]).exists()
    assert now(members[1]).extraction.reason == "The proposal was rejected."
    assert not extractions.run_next(holder="test")


@pytest.mark.parametrize("end", ["reject", "take_out", "retry"])
def test_what_is_called_off_counts_as_no_failure_of_its_document(actor: Actor, end: str) -> None:
    members = group_of(actor)
    proposal = propose(actor, members[0])
    Extraction.objects.filter(document=members[2].document).update(status="running", fence=1)
    if end == "reject":
        proposals.reject(actor, proposal=proposal)
    elif end == "retry":
        proposals.retry(actor, setup=now(members[0]))
    else:
        for member in members[1:]:
            proposals.remove_member(actor, setup=now(member))
    for member in members[1:]:
        assert (now(member).document.state, now(member).document.state_reason) == ("ocr_completed", "")


def test_a_tag_by_name_is_made_once_and_found_the_next_time(actor: Actor) -> None:
    first = propose(actor, group_of(actor, 1)[0])
    proposals.accept(actor, proposal=first, tag_name=" Bills ")
    again = propose(actor, group_of(actor, 1)[0], name="Other")
    proposals.accept(actor, proposal=again, tag_name="Bills")
    assert Tag.objects.get().name == "Bills"
    assert {tag.name for prompt in Prompt.objects.all() for tag in prompt.latest.tags.all()} == {"Bills"}
    assert {prompt.latest.number for prompt in Prompt.objects.all()} == {1}, "no version for the tag alone"


def test_what_a_person_used_elsewhere_stays_after_a_rejection(actor: Actor) -> None:
    proposal = propose(actor, group_of(actor, 1)[0])
    elsewhere = make_auto_setup(actor, "Another one entirely", "b.pdf").document
    used = make_completed_run(elsewhere, proposal.prompt_revision)
    proposals.reject(actor, proposal=proposal)
    used.refresh_from_db()
    assert (count_untrashed(), used.status) == ((1, 1), "completed")


def test_what_a_document_ran_that_was_taken_out_keeps_nothing(actor: Actor) -> None:
    members = group_of(actor, 2)
    proposal = propose(actor, members[0])
    ran()
    proposals.remove_member(actor, setup=now(members[1]))
    proposals.reject(actor, proposal=proposal)
    assert count_untrashed() == (0, 0)


def test_a_schema_that_a_person_edited_stays_after_a_rejection(actor: Actor) -> None:
    proposal = propose(actor, group_of(actor, 1)[0])
    edited = schemas.save_version(actor, schema=Schema.objects.get(), response_format=response_format("total", "tax"))
    proposals.reject(actor, proposal=proposal)
    assert count_untrashed() == (1, 0)
    assert Schema.objects.get().latest == edited
