"""Running a prompt on many documents, and asking for their setup."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from documents import bulk, extractions
from documents.autosetup import auto_setup
from documents.bulk import working
from documents.bulk.outcomes import GOES_ON, NOT_RUN
from documents.definitions import prompts
from documents.extractions.estimates import estimate_runs
from documents.models import (
    AutoSetup,
    BulkAction,
    Document,
    Extraction,
    PromptRevision,
    Proposal,
    Tag,
)
from documents.views.bulk.strip import list_jobs
from kit.errors import Invalid, NotFound
from tests.conftest import ApiClient
from tests.documents.bulk.bulk_rows import add_usage, ask, list_reasons, make_documents, make_tag, work
from tests.documents.reading_rows import document_with
from tests.scripted_model import MODEL, ScriptedModel, fails, says

pytestmark = pytest.mark.django_db
UNDER_WAY = ("queued", "running")


@pytest.fixture
def prompt(actor: Actor) -> PromptRevision:
    return prompts.create(actor, name="Letter", content="Who writes?")


def read_documents(actor: Actor, number: int) -> list[Document]:
    return [document_with(actor.organization, ["Dear Ann"], user=actor.user) for _ in range(number)]


def go_on(action: BulkAction) -> BulkAction:
    """Whatever waits for its next look, now."""
    BulkAction.objects.filter(pk=action.pk).update(lease_until=None)
    return work(action)


@pytest.mark.django_db(transaction=True)
def test_an_item_ends_with_its_run_and_the_action_with_the_last(
    actor: Actor, prompt: PromptRevision, scripted_model: ScriptedModel, settings: Any
) -> None:
    settings.EXTRACTION_MODEL = MODEL
    documents = [*read_documents(actor, 2), *make_documents(actor, 1)]
    action = work(ask(actor, "run", documents, prompt_revid=prompt.pk))
    assert (action.status, action.done_count, action.left_out_count) == ("queued", 0, 1)
    scripted_model.will(says("Ben."), fails(401))
    while extractions.run_next(holder="test"):
        pass
    assert (go_on(action).status, action.done_count, action.failed_count) == ("done", 1, 1)
    assert sorted(list_reasons(action)) == [("done", ""), ("failed", "run_failed"), ("left_out", "not_read")]
    again = go_on(ask(actor, "run", documents, prompt_revid=prompt.pk))
    assert ("left_out", "has_result") in list_reasons(again)


def test_only_so_many_runs_of_an_action_are_under_way(actor: Actor, prompt: PromptRevision) -> None:
    action = work(ask(actor, "run", read_documents(actor, working.MAX_RUNS_AT_ONCE + 3), prompt_revid=prompt.pk))
    runs = Extraction.objects.filter(status__in=UNDER_WAY)
    assert (runs.count(), action.items.filter(status="pending").count()) == (working.MAX_RUNS_AT_ONCE, 3)
    Extraction.objects.update(status="completed", finished_at=timezone.now())
    go_on(action)
    assert (runs.count(), action.done_count) == (3, working.MAX_RUNS_AT_ONCE)


def test_a_stop_withdraws_runs_that_wait_and_lets_those_go_on_that_were_begun(
    actor: Actor, prompt: PromptRevision
) -> None:
    action = work(ask(actor, "run", read_documents(actor, 3), prompt_revid=prompt.pk))
    begun = Extraction.objects.first()
    assert begun is not None
    Extraction.objects.filter(pk=begun.pk).update(status="running")
    bulk.stop(actor, action=action)
    assert sorted(list_reasons(action)) == [("done", ""), ("left_out", "stopped"), ("left_out", "stopped")]
    assert list(Extraction.objects.exclude(pk=begun.pk).values_list("status", flat=True)) == ["withdrawn"] * 2


def test_a_stop_leaves_a_run_alone_that_somebody_else_asked_for(
    actor: Actor, member: Callable[[Role], Actor], prompt: PromptRevision
) -> None:
    documents = read_documents(actor, 2)
    other = extractions.start(member(Role.REVIEWER), document=documents[0], prompt_revision=prompt)
    own = extractions.start(actor, document=documents[1], prompt_revision=prompt)
    action = work(ask(actor, "run", documents, prompt_revid=prompt.pk))
    bulk.stop(actor, action=action)
    assert list_reasons(action) == [("done", "")] * 2
    assert set(Extraction.objects.filter(status="queued")) == {other, own}


def test_an_action_says_that_it_waits_for_money(actor: Actor, prompt: PromptRevision) -> None:
    action = work(ask(actor, "run", read_documents(actor, 1), prompt_revid=prompt.pk))
    Extraction.objects.update(waits_for_budget=True, reason="The budget of the month is used up.")
    assert go_on(action).reason == "The budget of the month is used up."


def test_a_prompt_in_the_trash_runs_on_nothing_more(actor: Actor, prompt: PromptRevision) -> None:
    documents = read_documents(actor, 2)
    action = ask(actor, "run", documents, prompt_revid=prompt.pk)
    prompts.trash(actor, head=prompt.prompt)
    assert work(action).status == "failed" and "moved to the trash" in action.reason
    with pytest.raises(NotFound):
        ask(actor, "run", documents, prompt_revid=prompt.pk)
    with pytest.raises(Invalid, match="needs prompt_revid"):
        ask(actor, "run", documents, prompt_revid=prompt.pk, again="yes")
    assert not Extraction.objects.exists()


def test_a_tag_set_on_many_starts_its_prompts_on_each_and_undo_withdraws_what_waits(
    actor: Actor, prompt: PromptRevision
) -> None:
    tag = make_tag(actor)
    prompt.tags.add(tag)
    documents = read_documents(actor, 2)
    action = work(ask(actor, "tag", documents, tag_id=tag.pk))
    assert (action.status, list_reasons(action)) == ("queued", [("started", "")] * 2)
    Extraction.objects.filter(document=documents[0]).update(status="completed", finished_at=timezone.now())
    bulk.stop(actor, action=action)
    undo = work(bulk.undo(actor, action=action))
    assert undo.done_count == 2 and not Document.objects.filter(tags=tag).exists()
    assert sorted(Extraction.objects.values_list("status", flat=True)) == ["completed", "withdrawn"]


def tag_two_prompts(actor: Actor, prompt: PromptRevision) -> Tag:
    tag = make_tag(actor)
    for each in (prompt, prompts.create(actor, name="Sender", content="Where from?")):
        each.tags.add(tag)
    return tag


def end_run(run: Extraction, status: str = "completed") -> None:
    Extraction.objects.filter(pk=run.pk).update(status=status, reason=f"It {status}.", finished_at=timezone.now())


@pytest.mark.parametrize("at", [0, 1])
def test_an_item_with_two_runs_ends_with_the_later_one_and_fails_with_either(
    actor: Actor, prompt: PromptRevision, at: int
) -> None:
    action = work(ask(actor, "tag", read_documents(actor, 1), tag_id=tag_two_prompts(actor, prompt).pk))
    runs = list(action.items.get().runs.order_by("number"))
    end_run(runs.pop(at), "failed")
    assert (go_on(action).status, list_reasons(action)) == ("queued", [("started", "")])
    end_run(runs.pop())
    assert (go_on(action).status, list_reasons(action)) == ("done", [("failed", "run_failed")])
    assert action.items.get().reason == "It failed."


def test_a_stop_withdraws_each_run_of_a_tag_that_starts_two(actor: Actor, prompt: PromptRevision) -> None:
    tag = tag_two_prompts(actor, prompt)
    action = work(ask(actor, "tag", read_documents(actor, 4), tag_id=tag.pk))
    runs = [list(item.runs.order_by("number")) for item in action.items.order_by("pk")]
    end_run(runs[1][0])
    end_run(runs[2][0], "failed")
    Extraction.objects.filter(pk=runs[3][1].pk).update(status="running")
    bulk.stop(actor, action=action)
    assert not Extraction.objects.filter(status="queued").exists()
    assert [item.reason for item in action.items.order_by("pk")] == [NOT_RUN, NOT_RUN, "It failed.", GOES_ON]
    assert list_reasons(action) == [("done", ""), ("done", ""), ("failed", "run_failed"), ("done", "")]


def test_a_stop_says_of_a_run_that_has_just_ended_how_it_ended(actor: Actor, prompt: PromptRevision) -> None:
    action = work(ask(actor, "run", read_documents(actor, 2), prompt_revid=prompt.pk))
    for item, status in zip(action.items.order_by("pk"), ("failed", "completed"), strict=True):
        end_run(item.runs.get(), status)
    bulk.stop(actor, action=action)
    assert list_reasons(action) == [("failed", "run_failed"), ("done", "")]


def test_undo_withdraws_each_run_that_the_tag_started_and_that_has_not_ended(
    actor: Actor, prompt: PromptRevision
) -> None:
    tag = tag_two_prompts(actor, prompt)
    [document] = read_documents(actor, 1)
    asked = prompts.create(actor, name="Asked for", content="When?")
    extractions.request(actor, document=document, prompt_revision=asked)
    action = work(ask(actor, "tag", [document], tag_id=tag.pk))
    first, last = action.items.get().runs.order_by("number")
    Extraction.objects.filter(pk=first.pk).update(status="running")
    end_run(last)
    bulk.stop(actor, action=action)
    work(bulk.undo(actor, action=action))
    statuses = dict(Extraction.objects.values_list("prompt_revision__prompt__name", "status"))
    assert statuses.pop("Asked for") == "queued"
    assert sorted(statuses.values()) == ["completed", "withdrawn"]


def test_it_asks_for_the_setup_of_each_and_again_where_it_failed_and_drops_no_proposal(actor: Actor) -> None:
    documents = read_documents(actor, 4)
    for document, status in zip(documents[1:], ("failed", "proposed", "accepted"), strict=True):
        proposal = Proposal.objects.create(organization=actor.organization, lead=document, status="proposed")
        auto_setup.request_auto_setup(actor, document=document)
        AutoSetup.objects.filter(document=document).update(status=status, proposal=proposal)
    action = work(ask(actor, "set_up", documents))
    assert (action.done_count, action.left_out_count) == (2, 2)
    assert sorted(AutoSetup.objects.values_list("status", flat=True)) == ["accepted", "proposed", "queued", "queued"]
    assert action.items.get(document=documents[2]).reason.startswith("The automatic setup of this document waits")
    assert Proposal.objects.filter(status="proposed").count() == 3


def test_an_action_says_what_its_runs_have_cost_and_what_was_expected(
    actor: Actor, prompt: PromptRevision, api_as: Callable[[Actor], ApiClient]
) -> None:
    prompt.tags.add(tag := make_tag(actor))
    documents = read_documents(actor, 3)
    other = extractions.start(actor, document=documents[0], prompt_revision=prompt)
    add_usage(actor, other, 5_000)
    action = work(ask(actor, "tag", documents[1:], tag_id=tag.pk))
    for item in action.items.all():
        add_usage(actor, item.runs.get(), 20_000)
    BulkAction.objects.filter(pk=action.pk).update(estimate_micros=310_000)
    state = api_as(actor).get(f"/v0/orgs/{actor.organization.pk}/documents/bulk/{action.pk}").json()
    assert (state["cost_usd"], state["estimate_usd"]) == (0.04, 0.31)
    assert [line.cost for line in list_jobs(actor)] == ["$0.040 of about $0.31"]
    plain = ask(actor, "trash", documents)
    assert [line.cost for line in list_jobs(actor) if line.action == plain] == [""]


def test_what_an_action_is_about_to_cost_is_kept_when_it_is_asked_for(actor: Actor, prompt: PromptRevision) -> None:
    documents = read_documents(actor, 2)
    action = ask(actor, "run", documents, prompt_revid=prompt.pk)
    rows = Document.objects.filter(pk__in=[document.pk for document in documents])
    expected = estimate_runs(actor, documents=rows, prompt_revisions=[prompt], repeat=False)
    assert action.estimate_micros == expected.cost_micros and expected.run_count == 2
    assert ask(actor, "tag", documents, tag_id=make_tag(actor).pk).estimate_micros is None
