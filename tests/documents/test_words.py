from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from documents.templatetags.words import ago


@pytest.mark.parametrize(("seconds", "words"), [(5, "now"), (61, "1 min ago"), (3590, "59 min ago")])
def test_a_time_within_the_hour_cannot_be_read_as_a_duration(seconds: int, words: str) -> None:
    assert ago(timezone.now() - timedelta(seconds=seconds)) == words


def test_a_time_of_long_ago_is_a_date() -> None:
    assert ago(timezone.now() - timedelta(days=800)).split()[-1].isdigit()
    assert ago(None) == ""
