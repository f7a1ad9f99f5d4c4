"""Two texts side by side: each change is seen once, and what is only printed otherwise is none."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from accounts.models import Organization
from documents.comparing import Change, Comparison, compare_readings
from documents.comparing.matching import match_equal
from documents.comparing.page_lines import MAX_PAGES
from documents.models import Document, Reading
from kit.errors import TooLarge
from reader.words import OCR, Word
from tests.documents.compared_texts import (
    KnownChange,
    change_contract,
    make_contract,
    number_clauses,
    set_pages,
    store_pages,
)

pytestmark = pytest.mark.django_db
OLD = number_clauses(make_contract())
TITLE = KnownChange("changed", "number", "[-2025-]", "{+2026+}")


def compare(organization: Organization, one: Sequence[Sequence[Word]], other: Sequence[Sequence[Word]]) -> Comparison:
    first, second = store_pages(organization, "a.pdf", one), store_pages(organization, "b.pdf", other)
    return compare_readings(read(first), read(second))


def read(document: Document) -> Reading:
    return Reading.objects.get(document=document)


def write(change: Change) -> str:
    marked = " ".join(s.now if s.is_same else f"[-{s.was}-] {{+{s.now}+}}" for s in change.stretches)
    return marked or " ".join(side.text for side in (change.one, change.other) if side)


def fits(change: Change, known: KnownChange) -> bool:
    text = write(change)
    return (change.kind, change.matter) == (known.kind, known.matter) and known.was in text and known.now in text


def find_wrong(comparison: Comparison, expected: Sequence[KnownChange]) -> tuple[list[KnownChange], list[str]]:
    """Lists what was not found, and what was invented."""
    missing = [known for known in expected if not any(fits(change, known) for change in comparison.changes)]
    others = [write(each) for each in comparison.changes if not any(fits(each, known) for known in expected)]
    return missing, others


def test_each_change_of_sixty_pages_is_found_and_none_is_invented(organization: Organization) -> None:
    """The newer version has shorter lines, so that other words stand at the edges of its pages, and page numbers."""
    clauses, expected = change_contract(make_contract())
    old = set_pages(OLD, head="Framework agreement 2025", foot="{page}")
    new = set_pages(number_clauses(clauses), width=61, height=47, head="Framework agreement 2026")
    assert len(old) > 55
    comparison = compare(organization, old, new)
    assert find_wrong(comparison, [TITLE, *expected]) == ([], [])
    assert len(comparison.changes) == len(expected) + 1
    assert comparison.renumbered and not comparison.notes


def test_what_a_scan_has_had_misread_stands_apart_from_changes(organization: Organization) -> None:
    dice = random.Random(7)

    def misread(text: str) -> str:
        at = dice.randrange(len(text))
        is_hit = len(text) > 5 and text.isalpha() and text.islower() and dice.random() < 0.02
        return text[:at] + "ceo"[dice.randrange(3)] + text[at + 1 :] if is_hit else text

    clauses, expected = change_contract(make_contract())
    new = set_pages(number_clauses(clauses), width=70, misread=misread, flags=OCR)
    comparison = compare(organization, set_pages(OLD), new)
    missing, _ = find_wrong(comparison, expected)
    certain = [change for change in comparison.changes if change.matter != "misread" and change.kind != "moved"]
    assert not missing and len(comparison.changes) - len(certain) > 50
    assert len(certain) == len(expected) - 1


@pytest.mark.parametrize(
    ("one", "other", "changes"),
    [
        (OLD[:40], OLD[:40], 0),
        ([], OLD[:7], 7),
        (OLD[:7], [], 7),
        ([], [], 0),
        (["It ends on 3 May 2026."], ["It ends on May 3, 2026."], 1),
        (["The price is 500,000.00 EUR."], ["The price is 500.000,00 EUR."], 1),
    ],
)
def test_whole_texts(organization: Organization, one: list[str], other: list[str], changes: int) -> None:
    comparison = compare(organization, set_pages(one, foot=""), set_pages(other, foot=""))
    assert len(comparison.changes) == changes
    assert "number" not in {change.matter for change in comparison.changes if change.kind == "changed"}


def test_sameness_is_claimed_of_what_was_read_alone(organization: Organization) -> None:
    nothing, whole = (
        compare(organization, set_pages(each, foot=""), set_pages(each, foot="")) for each in ([], OLD[:9])
    )
    assert nothing.sameness.startswith("Neither document has text")
    assert whole.sameness.startswith("The visible texts are the same, apart from")
    first, second = (store_pages(organization, name, set_pages(OLD[:9])) for name in ("c.pdf", "d.pdf"))
    Reading.objects.filter(document=second).update(reason="Page 4 could not be read.")
    part = compare_readings(read(first), read(second))
    assert (part.changes, part.sameness) == ([], "What was read of both is the same.")
    assert part.notes == ["d.pdf: Page 4 could not be read."]


def test_a_clause_that_has_another_number_alone_is_a_change(organization: Organization) -> None:
    other = [text.replace("5.2 ", "5.4 ", 1) for text in OLD[:60]]
    (change,) = compare(organization, set_pages(OLD[:60]), set_pages(other)).changes
    assert (change.matter, write(change)[:15]) == ("number", "[-5.2-] {+5.4+}")


def test_a_hundred_thousand_equal_lines_take_no_time_that_grows_with_the_square() -> None:
    pairs = match_equal(["Same."] * 100_000, ["Same."] * 99_990)
    assert len(pairs) == 99_990


def test_texts_without_a_passage_in_common_end_and_say_what_was_not_compared(organization: Organization) -> None:
    dice = random.Random(3)
    one, other = ([f"{dice.random()} {dice.random()}." for _ in range(1_000)] for _ in range(2))
    strange = compare(organization, _set_dense(one), _set_dense(other))
    assert len(strange.changes) == 2_000 and "not every passage" in strange.notes[0]


def _set_dense(texts: Sequence[str]) -> list[list[Word]]:
    rows = [texts[at : at + 1_000] for at in range(0, len(texts), 1_000)]
    return [
        [
            Word(word, 0.1 + 0.2 * at, 0.0009 * row, 0.2 + 0.2 * at, 0.0009 * row + 0.0005, row)
            for row, text in enumerate(lines, 1)
            for at, word in enumerate(text.split())
        ]
        for lines in rows
    ]


def test_more_pages_than_are_compared_are_refused(organization: Organization) -> None:
    document = store_pages(organization, "long.pdf", set_pages(OLD[:3]))
    Reading.objects.filter(document=document).update(page_count=MAX_PAGES + 1)
    with pytest.raises(TooLarge, match=f"{MAX_PAGES} pages"):
        compare_readings(read(document), read(document))
