"""Agent workers that are killed with SIGKILL while they set up extractions by themselves."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.access import enter
from accounts.actor import Actor
from accounts.services import organizations
from agent.models import ToolCall, Turn
from agent.turns import headless
from agent.turns.headless_words import GIVEN_UP
from documents import extractions
from documents.models import EXTRACTION_LEASE, AutoSetup, Extraction, Prompt, Proposal, Schema
from tests.agent.offline_runs import invoice, request_setup
from tests.chaos.killing import Victims
from tests.chaos.test_agent import SEED, take_back_the_dead
from tests.documents import offline_cases as cases

pytestmark = [pytest.mark.chaos, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fork_server")]
ORGANIZATIONS = 3
PATIENCE = timedelta(seconds=3)
TRIED = "The worker stopped while it ran this extraction. It was tried 3 times."
# Without the limit of two minutes, which is not what is tried here, and soon over on a busy machine.
OFFLINE = {"DEFAULT_MODEL": "offline/rules", "EXTRACTION_MODEL": "offline/rules", "HEADLESS_LIMIT_SECONDS": 3_600}


def schedule(slowness: float) -> None:
    """As the scheduler does, only that a lease counts as over sooner."""
    silent = timezone.now() + EXTRACTION_LEASE.duration - PATIENCE * slowness
    Extraction.objects.filter(status="running", lease_until__lt=silent).update(lease_until=timezone.now())
    extractions.requeue_lost_extractions()
    Extraction.objects.filter(status="queued").update(lease_until=None)
    take_back_the_dead(slowness)
    headless.sweep()


def work_left() -> int:
    """Documents, less what was called for them: each round is progress."""
    open_ones = AutoSetup.objects.filter(status__in=["queued", "running"]).count()
    return 100 * open_ones - ToolCall.objects.count() if open_ones else 0


def test_each_document_is_proposed_once_or_fails_whoever_is_killed(actor: Actor, settings: Any) -> None:
    for name, value in OFFLINE.items():
        setattr(settings, name, value)
    for number in range(ORGANIZATIONS):
        owner = enter(actor.user, organizations.create(actor.user, name=f"Acme {number}", type="team").pk)
        invoice(owner, 1), invoice(owner, 2), request_setup(owner, cases.RECEIPT, "receipt.jpg")
    victims = Victims("setups", number=2, life=2.5, seed=SEED, given=OFFLINE)
    try:
        victims.torment(left=work_left, between=schedule)
    finally:
        victims.end()

    ends = Counter(AutoSetup.objects.values_list("status", "reason"))
    again = ToolCall.objects.filter(attempt__gt=1).count()
    print(f"{victims.kills} kills, {again} calls taken up again, {dict(ends)}")
    assert victims.kills >= 2
    # Whoever lost five drivers in a row, or three extractors, is given up, and says so.
    given_up = {("failed", GIVEN_UP), ("proposed", f"It stopped early. {GIVEN_UP}"), ("failed", TRIED)}
    assert set(ends) <= {("proposed", "")} | given_up
    assert ends["proposed", ""] >= 4
    proposed = list(Proposal.objects.filter(status="proposed"))
    assert Proposal.objects.count() == Turn.objects.count() == 2 * ORGANIZATIONS
    assert Schema.objects.filter(trashed_at=None).count() == len(proposed)
    assert Prompt.objects.filter(trashed_at=None).count() == len(proposed)
    for proposal in proposed:
        done = Extraction.objects.filter(prompt_revision=proposal.prompt_revision, status="completed")
        assert sorted(done.values_list("document", flat=True)) == sorted(
            proposal.members.filter(status="proposed").values_list("document", flat=True)
        )
    assert not Turn.objects.filter(status__in=Turn.LIVE).exists()
    assert not ToolCall.objects.exclude(status__in=ToolCall.TERMINAL).exists()
