"""How long documents take in review: counted without names, off by a setting, a median for admins."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Organization, Role
from documents.models import Document, ReviewTime
from documents.review import presence, times
from tests.documents.review.review_rows import HTMX, make_documents, verify_address

SignedIn = Callable[[Client, Actor], Client]


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: SignedIn) -> Client:
    return signed_in(client, actor)


@pytest.fixture
def document(actor: Actor) -> Document:
    return make_documents(actor, ["a.txt"])[0]


def stay(actor: Actor, document: Document, seconds: float) -> None:
    """As if the page had been open so long, with its last sign just now."""
    presence.claim(actor, document.pk)
    key = f"review:{document.pk}"
    cache.set(key, {**cache.get(key), "seconds": seconds}, presence.KEPT_SECONDS)


def keep(organization: Organization, *pairs: tuple[int, int], days_ago: int = 0) -> None:
    day = timezone.localdate() - timedelta(days=days_ago)
    ReviewTime.objects.bulk_create(
        ReviewTime(organization=organization, day=day, seconds=seconds, document_count=number)
        for seconds, number in pairs
    )


@pytest.mark.django_db(transaction=True)
def test_verifying_counts_the_time_and_frees_the_document(page: Client, actor: Actor, document: Document) -> None:
    stay(actor, document, 38)
    page.post(verify_address(document), {"on": "true"}, headers=HTMX)
    row = ReviewTime.objects.get()
    assert (row.organization, row.day, row.document_count) == (actor.organization, timezone.localdate(), 1)
    assert 38 <= row.seconds < 60  # with what the press itself takes
    assert cache.get(f"review:{document.pk}") is None


def test_no_column_says_who_or_which_document() -> None:
    names = {field.name for field in ReviewTime._meta.get_fields()}
    assert names == {"id", "organization", "day", "seconds", "document_count"}


@pytest.mark.parametrize("seconds", [0, 4000])
def test_what_nobody_looked_at_or_left_open_is_not_counted(actor: Actor, document: Document, seconds: float) -> None:
    stay(actor, document, seconds)
    times.end_review(actor, document.pk)
    assert not ReviewTime.objects.exists()


def test_a_setting_turns_it_off(page: Client, actor: Actor, document: Document, settings: Any) -> None:
    settings.KEEP_REVIEW_TIMES = False
    stay(actor, document, 38)
    times.end_review(actor, document.pk)
    assert not ReviewTime.objects.exists()
    assert "Time in review" not in page.get(reverse("settings", args=[actor.organization.pk])).text


def test_equal_times_of_a_day_are_one_row_and_old_ones_go(actor: Actor, document: Document) -> None:
    keep(actor.organization, (9, 1), days_ago=times.KEPT_DAYS + 1)
    for _ in range(2):
        stay(actor, document, 12)
        times.end_review(actor, document.pk)
    assert list(ReviewTime.objects.values_list("seconds", "document_count")) == [(12, 2)]


@pytest.mark.parametrize(
    ("pairs", "median"),
    [((), (0, 0)), (((7, 1),), (7, 1)), (((5, 2), (9, 1)), (5, 3)), (((5, 1), (9, 1), (70, 3)), (70, 5))],
)
def test_the_median_weighs_by_documents(
    organization: Organization, stranger: Actor, pairs: tuple[tuple[int, int], ...], median: tuple[int, int]
) -> None:
    keep(organization, *pairs)
    keep(organization, (1, 99), days_ago=times.MEDIAN_DAYS)
    keep(stranger.organization, (1, 99))
    answer = times.find_median(organization)
    assert (answer.seconds, answer.document_count) == median


def test_only_admins_see_it(page: Client, actor: Actor, member: Callable[[Role], Actor], signed_in: SignedIn) -> None:
    keep(actor.organization, (98, 4))
    address = reverse("settings", args=[actor.organization.pk])
    text = page.get(address).text
    assert "<strong>1 min 38 s</strong> is the median of 4 documents" in text
    assert "Time in review" not in signed_in(Client(), member(Role.BUILDER)).get(address).text
