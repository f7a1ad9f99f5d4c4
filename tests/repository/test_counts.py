"""What should become less does not become more. A fall is welcome and needs no other change."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.repository import counts

REMEDY = "Mend it, or say in the commit why not and run `python -m tests.repository.counts`."


@pytest.mark.parametrize("rule", counts.RULES)
def test_it_does_not_rise(rule: str) -> None:
    rise = counts.describe_rise(counts.RULES[rule](), counts.read_limits()[rule])
    assert not rise, f"{rule}: {rise}. {counts.RULES[rule].__doc__ or ''} {REMEDY}"


def test_a_rise_names_the_file() -> None:
    limit = Counter({"a.py": 2, "b.py": 3})
    assert counts.describe_rise(Counter({"a.py": 4, "b.py": 2}), limit) == "5 → 6: a.py (now 4, was 2)"


@pytest.mark.parametrize("now", [{"a.py": 1}, {"renamed.py": 5}, {}], ids=["a fall", "a new name", "nothing left"])
def test_a_fall_passes(now: dict[str, int]) -> None:
    assert counts.describe_rise(Counter(now), Counter({"a.py": 2, "b.py": 3})) == ""


def test_it_tells_participles_from_verbs_and_nouns() -> None:
    text = "def shown(): ...\n\n@property\ndef kept(self): ...\n\nasync def _held_by(): ...\ndef release_lease(): ..."
    assert counts.functions_in(text) == ["shown", "_held_by", "release_lease"]
    assert [counts.is_participle(name) for name in ("shown", "_held_by", "driving")] == [True] * 3
    assert [counts.is_participle(name) for name in ("release_lease", "feed_events", "reading_of")] == [False] * 3


def test_it_hears_what_was_translated_word_by_word() -> None:
    template = '<p class="stands">It stands in the log.</p> {# by the API #} Saved. What people changed stays. What can you do?'
    assert counts.list_translated(template) == ["stands", ". What people"]
