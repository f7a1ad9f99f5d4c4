"""Runs that wait for a worker: started, claimed, tried again, cancelled."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import Member, Organization, Role, User
from accounts.services import organizations
from documents import extractions, values
from documents.definitions import prompts
from documents.extractions.post_read_triggers import trigger_prompts
from documents.models import Document, Extraction, PromptRevision, Tag
from kit.errors import Denied, Invalid
from kit.leases import LeaseLost
from llm.client import Cancelled
from llm.money import budgets
from tests.documents.extraction_rows import (  # noqa: F401 - some are fixtures
    PAGE,
    RESULT,
    builder,
    document,
    prompt,
)
from tests.documents.reading_rows import add_reading
from tests.scripted_model import ScriptedModel, answers, fails, says

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


def test_it_needs_a_reading_and_a_usable_model(builder: Actor, prompt: PromptRevision) -> None:
    unread = Document.objects.create(organization=builder.organization, name="a", sha256="0", size=1, file="x")
    with pytest.raises(Invalid, match="has not been read yet"):
        extractions.start(builder, document=unread, prompt_revision=prompt)
    add_reading(unread, PAGE)
    with pytest.raises(Invalid, match="not known here"):
        extractions.start(builder, document=unread, prompt_revision=prompt, model="no-such-model")


def test_a_viewer_may_not_extract(builder: Actor, document: Document, prompt: PromptRevision) -> None:
    viewer = User.objects.create_user("vic@acme.example")
    Member.objects.create(organization=builder.organization, user=viewer, role=Role.VIEWER)
    with pytest.raises(Denied):
        extractions.start(enter(viewer, builder.organization.pk), document=document, prompt_revision=prompt)


def test_a_started_run_is_done_by_the_worker(
    builder: Actor, document: Document, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    queued = extractions.start(builder, document=document, prompt_revision=prompt)
    assert extractions.start(builder, document=document, prompt_revision=prompt) == queued
    document.refresh_from_db()
    assert document.state == "llm_processing"
    scripted_model.will(answers(RESULT))
    assert extractions.run_next(holder="test")
    assert not extractions.run_next(holder="test")
    queued.refresh_from_db()
    assert (queued.status, values.strip_row_ids(queued.current), queued.requested_by) == (
        "completed",
        RESULT,
        builder.user,
    )


def test_a_failed_run_says_why_and_one_that_can_be_retried_waits(
    builder: Actor, document: Document, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    run = extractions.start(builder, document=document, prompt_revision=prompt)
    scripted_model.will(*[fails(503)] * 4)
    extractions.run_next(holder="test")
    run.refresh_from_db()
    assert (run.status, run.attempt, "503" in run.reason) == ("queued", 1, True)
    assert not extractions.run_next(holder="test")
    Extraction.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    scripted_model.will(fails(401))
    extractions.run_next(holder="test")
    run.refresh_from_db()
    document.refresh_from_db()
    assert (run.status, document.state) == ("failed", "llm_failed")
    assert "OPENAI_API_KEY" in run.reason


@pytest.mark.parametrize("retry_after", ["inf", "1e308", "86401", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_run_waits_no_longer_than_ten_minutes_whatever_a_provider_asks_for(
    builder: Actor, document: Document, prompt: PromptRevision, scripted_model: ScriptedModel, retry_after: str
) -> None:
    run = extractions.start(builder, document=document, prompt_revision=prompt)
    scripted_model.will(fails(429, retry_after=retry_after))
    assert extractions.run_next(holder="test")
    run.refresh_from_db()
    assert (run.status, run.attempt) == ("queued", 1)
    assert timedelta(minutes=9) < run.lease_until - timezone.now() <= timedelta(minutes=10)


@pytest.mark.usefixtures("unpriced")
def test_out_of_budget_waits_and_goes_on_when_the_limit_is_raised(
    builder: Actor, document: Document, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    budgets.set_limit(builder, limit_usd=0)
    run = extractions.start(builder, document=document, prompt_revision=prompt)
    extractions.run_next(holder="test")
    run.refresh_from_db()
    assert (run.status, "An admin of Acme can raise it" in run.reason, run.attempt) == ("queued", True, 0)
    budgets.set_limit(builder, limit_usd=10)
    Extraction.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    scripted_model.will(answers(RESULT))
    extractions.run_next(holder="test")
    run.refresh_from_db()
    assert (run.status, run.reason) == ("completed", "")


def test_a_lost_run_is_taken_back_and_its_zombie_stores_nothing(
    builder: Actor, document: Document, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    from documents.extractions import running  # noqa: PLC0415

    extractions.start(builder, document=document, prompt_revision=prompt)
    zombie = running._claim()
    assert zombie is not None
    Extraction.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert extractions.requeue_lost_extractions() == 1
    Extraction.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    scripted_model.will(answers(RESULT), answers({**RESULT, "number": "ZOMBIE"}))
    assert extractions.run_next(holder="second")
    late = running._draft(zombie, running._Claim(zombie))
    with pytest.raises(LeaseLost):
        running._finish(zombie, late)
    run = Extraction.objects.get()
    assert (run.status, run.current["number"], run.fence) == ("completed", "INV-7", 3)


def test_a_run_that_never_ends_is_given_up_although_each_stop_was_clean(
    builder: Actor, document: Document, prompt: PromptRevision, settings: Any
) -> None:
    from documents.extractions import running  # noqa: PLC0415

    settings.WORK_LIMIT_SECONDS = 1800
    extractions.start(builder, document=document, prompt_revision=prompt)
    for status in ("queued", "queued", "failed"):
        claimed = running._claim()
        assert claimed is not None
        claimed.claimed_at, claimed.lease_until = timezone.now() - timedelta(minutes=14), timezone.now()
        running._release(claimed)
        claimed.refresh_from_db()
        assert (claimed.status, claimed.attempt) == (status, 0)
    assert claimed.reason == running.TOO_LONG.format(minutes=42)


def test_a_run_can_be_cancelled(
    builder: Actor, document: Document, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("{").with_hang())
    with pytest.raises(Cancelled):
        extractions.prepare(
            builder, document=document, prompt_revision=prompt, cancelled=lambda: bool(scripted_model.requests)
        )


def test_tags_route_and_the_default_prompt_runs_unless_turned_off(
    builder: Actor, document: Document, prompt: PromptRevision
) -> None:
    tag = Tag.objects.create(organization=builder.organization, name="invoice")
    document.tags.add(tag)
    tagged = prompts.save_version(builder, prompt=prompt.prompt, tags=[tag])
    assert [run.prompt_revision for run in extractions.start_matching(document)] == [tagged]
    builder.organization.default_prompt_enabled = True
    builder.organization.save()
    document = Document.objects.get(pk=document.pk)
    assert [run.prompt_revision for run in extractions.start_matching(document)] == [None]
    assert extractions.start_matching(document) == []


def test_a_routed_prompt_that_cannot_run_leaves_its_reason(
    builder: Actor, document: Document, prompt: PromptRevision, settings: Any
) -> None:
    tag = Tag.objects.create(organization=builder.organization, name="invoice")
    document.tags.add(tag)
    prompts.save_version(builder, prompt=prompt.prompt, tags=[tag])
    settings.EXTRACTION_MODEL = "no-such-model"
    (run,) = extractions.start_matching(document)
    assert (run.status, "no-such-model is not known" in run.reason) == ("failed", True)


def test_the_offline_model_extracts_without_a_key_and_for_nothing(
    builder: Actor, document: Document, prompt: PromptRevision
) -> None:
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    stored = extractions.store(builder, draft=draft)
    assert (stored.model, stored.cost_micros, stored.current["total"]) == ("offline/rules", 0, 30.5)
    assert stored.provenance["total"]["words"] == "30.50"
    summary = extractions.store(builder, draft=extractions.prepare(builder, document=document, prompt_revision=None))
    assert summary.current["text"]
    assert (extractions.get_newest_summary(document), extractions.get_newest(document, prompt)) == (summary, stored)


def test_what_was_read_is_followed_once_without_any_message(
    builder: Actor, document: Document, prompt: PromptRevision
) -> None:
    tag = Tag.objects.create(organization=builder.organization, name="invoice")
    document.tags.add(tag)
    prompts.save_version(builder, prompt=prompt.prompt, tags=[tag])
    assert [trigger_prompts(), trigger_prompts()] == [1, 0]
    assert [run.status for run in document.extractions.all()] == ["queued"]


def test_a_new_organization_has_no_summary_until_it_asks_for_one(builder: Actor) -> None:
    organization = organizations.create(builder.user, name="New", type=Organization.Type.TEAM)
    assert not organization.default_prompt_enabled and not Organization(name="Newer").default_prompt_enabled


def test_a_run_remembers_the_newest_of_many_keys(builder: Actor, document: Document, prompt: PromptRevision) -> None:
    run = extractions.request(builder, document=document, prompt_revision=prompt, key="first")
    Extraction.objects.update(request_keys=[*run.request_keys, *map(str, range(99))])
    assert extractions.request(builder, document=document, prompt_revision=prompt, key="first") == run
    assert extractions.request(builder, document=document, prompt_revision=prompt, key="last") == run
    run.refresh_from_db()
    assert len(run.request_keys) == 100 and run.request_keys[0] == "0"
    assert extractions.request(builder, document=document, prompt_revision=prompt, key="last") == run
    run.refresh_from_db()
    assert len(run.request_keys) == 100


def test_a_summary_is_not_the_document_s_extraction(builder: Actor, document: Document) -> None:
    builder.organization.default_prompt_enabled = True
    builder.organization.save()
    trigger_prompts()
    assert extractions.run_next(holder="test")
    assert extractions.get_newest_summary(document) is not None and extractions.get_newest(document) is None
