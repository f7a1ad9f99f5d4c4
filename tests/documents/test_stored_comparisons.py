"""Two texts are compared once: the next visit loads what was found, as long as it is true."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace

import pytest

from accounts.models import Organization
from documents.comparing import Comparison, compare_readings, storing
from documents.comparing.packing import pack, unpack, write_json
from documents.comparing.results import ComparedRow
from documents.models import Page, Reading, StoredComparison
from documents.retention.purging import delete_some, iterate_parts
from tests.documents.compared_texts import change_contract, make_contract, number_clauses, set_pages, store_pages

pytestmark = pytest.mark.django_db
# Of the comparison below. Where it changes, raise storing.VERSION with it.
KNOWN = (1, "e9e0")


@pytest.fixture
def readings(organization: Organization) -> tuple[Reading, Reading]:
    clauses = make_contract()
    texts = number_clauses(clauses), number_clauses(change_contract(clauses)[0])
    one, other = (store_pages(organization, f"{at}.pdf", set_pages(text)) for at, text in enumerate(texts))
    return one.readings.get(), other.readings.get()


def is_loaded(one: Reading, other: Reading, known: Comparison) -> bool:
    """Without pages nothing could be computed."""
    Page.objects.all().delete()
    return write_json(compare_readings(one, other)) == write_json(known)


def test_the_second_visit_is_one_read_and_finds_the_same(readings, django_assert_num_queries) -> None:
    first = compare_readings(*readings)
    with django_assert_num_queries(1):
        second = compare_readings(*readings)
    assert len(first.changes) > 9 and second.changes == [*map(_listed, first.changes)]
    assert (second.same, second.renumbered) == (first.same, first.renumbered)
    assert unpack(pack(first)).rows[0] == first.rows[0]


def _listed(change):
    sides = (side and replace(side, words=[*side.words], marked=[*side.marked]) for side in (change.one, change.other))
    one, other = sides
    stretches = [replace(each, one=[*each.one], other=[*each.other]) for each in change.stretches]
    return replace(change, one=one, other=other, stretches=stretches)


def test_another_version_of_the_code_compares_anew(readings) -> None:
    first = compare_readings(*readings)
    digest = hashlib.sha256(write_json(first).encode()).hexdigest()[:4]
    assert (storing.VERSION, digest) == KNOWN
    StoredComparison.objects.update(version=0)
    assert not is_loaded(*readings, first)
    assert StoredComparison.objects.get().version == storing.VERSION


def test_notes_say_the_names_of_today(readings) -> None:
    compare_readings(*readings)
    other = readings[1]
    Reading.objects.filter(pk=other.pk).update(reason="Page 4 could not be read.")
    other.document.name = "renamed.pdf"
    other.document.save()
    fresh = [Reading.objects.get(pk=each.pk) for each in readings]
    assert compare_readings(*fresh).notes == ["renamed.pdf: Page 4 could not be read."]


@pytest.mark.parametrize("status", ["reading", "queued"])
def test_nothing_is_stored_of_a_reading_that_goes_on(readings, status: str) -> None:
    readings[1].status = status
    compare_readings(*readings)
    assert not StoredComparison.objects.exists()


@pytest.mark.parametrize("side", [0, 1])
def test_it_goes_with_either_document(readings, side: int) -> None:
    compare_readings(*readings)
    parts = [part for part in iterate_parts(readings[side].document) if part.model is StoredComparison]
    assert [delete_some(part) for part in parts] == [1] and not StoredComparison.objects.exists()


def test_the_oldest_go_where_there_is_no_room(readings, organization: Organization) -> None:
    one, other = readings
    comparison = compare_readings(one, other)
    StoredComparison.objects.update(size=storing.MAX_BYTES)
    storing.store(other, one, comparison)
    assert StoredComparison.objects.get().one == other


def test_one_that_is_too_large_is_not_stored(readings) -> None:
    storing.store(*readings, Comparison([ComparedRow(os.urandom(storing.MAX_ONE_BYTES).hex())]))
    assert not StoredComparison.objects.exists()
