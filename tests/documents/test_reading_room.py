"""Below the limit of free disk nothing is read, which is said, and goes on by itself."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from documents.models import Document
from documents.reading import reading
from documents.reading.lanes import WAITS_FOR_ROOM
from documents.views import row_facts
from kit import jobs
from kit.jobs import Job
from tests.conftest import ApiClient
from tests.documents.listing_pages import list_of, of, page, reader_is_there, store  # noqa: F401 - fixtures
from tests.page_client import PageClient as Client

pytestmark = pytest.mark.django_db


def test_a_reading_waits_for_room_says_so_and_goes_on(
    page: Client, actor: Actor, api_as: Callable[[Actor], ApiClient], settings: Any
) -> None:
    document = store(actor)
    settings.MIN_FREE_DISK_MB = 10**9
    before = jobs._count_waiting(Job.READ_DOCUMENT)
    reading.requeue_lost_readings()
    assert not reading.read_next(holder="test") and document.readings.get().status == "queued"
    assert jobs._count_waiting(Job.READ_DOCUMENT) == before
    assert row_facts.WAITS_FOR_ROOM in page.get(list_of(actor)).text
    assert row_facts.WAITS_FOR_ROOM in page.get(of("document", document)).text
    client, base = api_as(actor), f"/v0/orgs/{actor.organization.pk}"
    [listed] = client.get(f"{base}/documents").json()["documents"]
    [job] = client.get(f"{base}/jobs").json()["jobs"]
    one = client.get(f"{base}/documents/{document.pk}?include_content=false").json()
    assert {listed["state_reason"], one["state_reason"], job["error"]} == {WAITS_FOR_ROOM}

    settings.MIN_FREE_DISK_MB = 0
    assert reading.read_next(holder="test")
    assert Document.objects.get().state == Document.State.OCR_COMPLETED
    [listed] = client.get(f"{base}/documents").json()["documents"]
    assert listed["state_reason"] == "" and row_facts.WAITS_FOR_ROOM not in page.get(list_of(actor)).text
