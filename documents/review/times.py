"""How long a document takes in review: numbers of documents by day and seconds, without names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Sum
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Organization
from documents.models import ReviewTime
from documents.review import presence

# Beyond an hour the page stood open beside other work.
MAX_SECONDS = 3600
KEPT_DAYS, MEDIAN_DAYS = 365, 30


@dataclass(frozen=True)
class Median:
    """Of so many documents; `seconds` is 0 where there are none."""

    seconds: int
    document_count: int

    @property
    def words(self) -> str:
        minutes, seconds = divmod(self.seconds, 60)
        return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def end_review(actor: Actor, document_id: str) -> None:
    """Once a document is verified: whoever verified it is no longer at it, and the time they were is counted."""
    seconds = round(presence.release(actor, document_id))
    if settings.KEEP_REVIEW_TIMES and 0 < seconds <= MAX_SECONDS:
        _count(actor.organization, seconds)


def find_median(organization: Organization) -> Median:
    since = timezone.localdate() - timedelta(days=MEDIAN_DAYS)
    rows = ReviewTime.objects.for_org(organization).filter(day__gt=since)
    numbers = list(rows.values_list("seconds").annotate(number=Sum("document_count")).order_by("seconds"))
    total, passed = sum(number for _, number in numbers), 0
    for seconds, number in numbers:
        passed += number
        if 2 * passed >= total:
            return Median(seconds, total)
    return Median(0, 0)


@transaction.atomic
def _count(organization: Organization, seconds: int) -> None:
    """A year is kept: what is older goes with the first row of a new day."""
    today = timezone.localdate()
    row, is_new = ReviewTime.objects.get_or_create(organization=organization, day=today, seconds=seconds)
    ReviewTime.objects.filter(pk=row.pk).update(document_count=F("document_count") + 1)
    if is_new:
        oldest = today - timedelta(days=KEPT_DAYS)
        ReviewTime.objects.for_org(organization).filter(day__lt=oldest).delete()
