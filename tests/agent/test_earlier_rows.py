"""Rows as the first published version stored them: what it did is undone, what it proposed is decided."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Member, Role
from agent.calls import execution, undo
from agent.models import Thread, ToolCall
from documents.models import Document, Extraction, Prompt, Schema, Tag
from tests.agent.decision_rows import say

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
ROWS = Path(__file__).resolve().parent.parent / "data" / "earlier_rows.json"


@pytest.fixture
def earlier_actor() -> Actor:
    call_command("loaddata", ROWS, verbosity=0)
    member = Member.objects.select_related("user", "organization").get(user__email="boss@example.com")
    return Actor(user=member.user, organization=member.organization, role=Role(member.role))


def test_it_takes_back_each_kind_of_change_that_an_earlier_version_made(earlier_actor: Actor) -> None:
    done = ToolCall.objects.filter(status="succeeded").order_by("-created_at")
    outcomes = {}
    for call in done:
        undo_row = undo.undo_call(earlier_actor, call=call, idempotency_key=call.pk)
        outcomes[call.pk] = (undo_row.status, undo_row.result["took_back"])
    assert set(outcomes.values()) == {
        ("succeeded", service)
        for service in (
            "schemas.trash",
            "schemas.restore",
            "schemas.return_to",
            "prompts.trash",
            "prompts.restore",
            "prompts.return_to",
            "tags.delete",
            "tags.restore",
            "tags.update",
            "uploads.restore",
            "extractions.withdraw",
            "edits.undo",
        )
    }
    assert not Document.objects.filter(trashed_at__isnull=False).exists()
    assert Extraction.objects.filter(edits__isnull=False).distinct().get().current["supplier"] == "Supplier Acme Ltd 2"
    assert not Tag.objects.filter(name="late tag").exists() and Tag.objects.filter(name="ta1").exists()
    assert Schema.objects.get(name="scha1").trashed_at is None is Prompt.objects.get(name="pra1").trashed_at


@pytest.mark.parametrize("tool", ["create_schema", "update_document"])
def test_it_runs_a_card_that_an_earlier_version_proposed_as_it_was_shown(earlier_actor: Actor, tool: str) -> None:
    call = ToolCall.objects.get(status="pending", tool=tool)
    say(earlier_actor, call)
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    assert call.status == "succeeded", call.result


@pytest.mark.parametrize(
    ("migration", "model"),
    [("documents.migrations.0024_days_in_trash", Document), ("agent.migrations.0013_days_in_trash", Thread)],
)
def test_what_lay_in_the_trash_before_it_emptied_itself_gets_its_days(
    earlier_actor: Actor, migration: str, model: Any
) -> None:
    long_ago = timezone.now() - timedelta(days=settings.TRASH_DAYS + 300)
    in_trash, elsewhere = model.objects.all()[:2]
    model.objects.update(trashed_at=None)
    model.objects.filter(pk=in_trash.pk).update(trashed_at=long_ago)
    before = timezone.now()
    import_module(migration).restart_days(apps, None)
    in_trash.refresh_from_db()
    elsewhere.refresh_from_db()
    assert in_trash.trashed_at >= before and elsewhere.trashed_at is None
