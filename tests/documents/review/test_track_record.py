"""What states of values have earned: how many of them stood when people verified the results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Organization
from documents.extractions import edits, storing
from documents.models import Extraction, FieldEdit, PromptRevision
from documents.review.track_record import FEWEST_OF_SCHEMA, count_reviews
from documents.values import find_where, says_the_same
from tests.api.proven_rows import path_of, run_located
from tests.conftest import ApiClient
from tests.documents.extraction_rows import PAGE, RESULT, make_prompt
from tests.documents.reading_rows import document_with

CLEAN = {"exact": (3, 3), "normalized": (3, 3)}


@pytest.fixture
def prompt(actor: Actor) -> PromptRevision:
    return make_prompt(actor)


def run(actor: Actor, prompt: PromptRevision, result: object = RESULT) -> Extraction:
    return run_located(document_with(actor.organization, PAGE, user=actor.user), prompt, result)


def correct(actor: Actor, extraction: Extraction, path: str, value: Any) -> None:
    edits.set_path(actor, extraction=extraction, path=path, value=value)


def count(actor: Actor, extraction: Extraction | None = None) -> dict[str, tuple[int, int]]:
    """How many stood of how many, by state, after the extraction is verified."""
    if extraction:
        edits.verify(actor, extraction=extraction)
    records = count_reviews(actor.organization, "").records
    return {str(record.state): (record.right, record.reviewed) for record in records}


def test_a_verified_value_was_right_and_nothing_is_said_before(actor: Actor, prompt: PromptRevision) -> None:
    extraction = run(actor, prompt)
    assert count(actor) == {}
    assert count(actor, extraction) == CLEAN
    edits.unverify(actor, extraction=extraction)
    assert count(actor) == {}


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("number", "INV-8", {"exact": (2, 3), "normalized": (3, 3)}),
        ("items.1.amount", 20.6, {"exact": (3, 3), "normalized": (2, 3)}),
        ("number", "", {"exact": (2, 3), "normalized": (3, 3)}),
        ("number", " inv 7", CLEAN),
    ],
)
def test_a_corrected_value_was_wrong_unless_it_is_only_written_otherwise(
    actor: Actor, prompt: PromptRevision, path: str, value: Any, expected: dict[str, tuple[int, int]]
) -> None:
    extraction = run(actor, prompt)
    correct(actor, extraction, path, value)
    assert count(actor, extraction) == expected


def test_the_first_correction_counts_and_one_taken_back_does_not(actor: Actor, prompt: PromptRevision) -> None:
    extraction = run(actor, prompt)
    correct(actor, extraction, "number", "A-1")  # which stands on the page too
    correct(actor, extraction, "number", "XYZ")
    correct(actor, extraction, "total", 31)
    correct(actor, extraction, "total", 30.5)
    assert list(extraction.edits.values_list("was_state", flat=True)) == ["exact", "", "normalized", ""]
    assert count(actor, extraction) == {"exact": (2, 3), "normalized": (3, 3)}


def test_corrections_of_before_are_left_out_where_the_state_is_not_known(actor: Actor, prompt: PromptRevision) -> None:
    extraction = run(actor, prompt)
    correct(actor, extraction, "number", "INV-8")
    correct(actor, extraction, "total", 31)
    correct(actor, extraction, "total", 30.5)
    FieldEdit.objects.update(was_state="")
    assert count(actor, extraction) == {"exact": (2, 2), "normalized": (3, 3)}


def test_rows_of_people_and_rows_taken_out_are_no_claims_of_the_run(actor: Actor, prompt: PromptRevision) -> None:
    extraction = run(actor, prompt)
    edits.remove_row(actor, extraction=extraction, where=find_where(extraction.current, "items.0"))
    correct(actor, extraction, "items.1", {"sku": "B-2", "amount": 20.5})
    correct(actor, extraction, "items.1.amount", 21)
    assert count(actor, extraction) == {"exact": (2, 2), "normalized": (2, 2)}
    correct(actor, extraction, "items.0", {"sku": "B-2", "amount": 20.5})
    assert count(actor, extraction) == {"exact": (1, 1), "normalized": (1, 1)}, "one that is written anew as a whole"


def test_a_field_that_was_filled_in_was_wrongly_absent(actor: Actor, prompt: PromptRevision) -> None:
    extraction = run(actor, prompt, RESULT | {"number": None})
    extraction.provenance |= {"number": {"state": "absent"}}
    extraction.save()
    correct(actor, extraction, "number", "INV-7")
    assert count(actor, extraction)["absent"] == (0, 1)


def test_a_correction_that_a_new_run_gets_is_held_against_the_new_value(actor: Actor, prompt: PromptRevision) -> None:
    first = run(actor, prompt)
    correct(actor, first, "number", "INV-8")
    second = run_located(first.document, prompt)
    storing.reapply_edits(second)
    assert count(actor, second) == {"exact": (2, 3), "normalized": (3, 3)}
    third = run_located(first.document, prompt, RESULT | {"number": "INV-8"})
    storing.reapply_edits(third)
    FieldEdit.objects.update(was_state="")
    edits.unverify(actor, extraction=second)
    assert count(actor, third) == {"exact": (2, 2), "normalized": (3, 3)}, "stored before states were kept"


def test_a_schema_counts_by_itself_once_it_has_enough(actor: Actor, prompt: PromptRevision) -> None:
    schema = str(prompt.schema_revision.schema_id) if prompt.schema_revision else ""
    for _ in range(FEWEST_OF_SCHEMA - 1):
        edits.verify(actor, extraction=run(actor, prompt))
    assert not count_reviews(actor.organization, schema).is_of_schema
    edits.verify(actor, extraction=run(actor, prompt))
    of_schema, of_all = count_reviews(actor.organization, schema), count_reviews(actor.organization, "")
    assert of_schema == of_all._replace(is_of_schema=True)
    assert count_reviews(Organization.objects.create(name="Other"), schema).records == ()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Kestrel Ltd.", "KESTREL LTD", True),
        ("2026-03-12", "12 March 2026", True),
        ("2026-03-12", "2026-03-13", False),
        ("Müller", "Muller", False),
        ("1.50", "150", False),
        ("-5", "5", False),
        ("007", "7", False),
        ("", None, True),
        (1, 1.0, True),
        (1, "1", False),
    ],
)
def test_a_value_is_the_same_in_another_form(one: Any, other: Any, same: bool) -> None:
    assert says_the_same(one, other) is same


def test_page_and_api_say_it_where_there_are_reviews(
    client: Client,
    actor: Actor,
    prompt: PromptRevision,
    signed_in: Callable[..., Client],
    api_as: Callable[..., ApiClient],
) -> None:
    extraction, page, api = run(actor, prompt), signed_in(client, actor), api_as(actor)
    address = reverse("document", args=[actor.organization.pk, extraction.document_id])
    path = f"{path_of(extraction)}/fields"
    assert "Values that stood" not in page.get(address).text
    assert api.get(path).json()["track_record"] == []
    correct(actor, extraction, "number", "INV-8")
    edits.verify(actor, extraction=extraction)
    expected = "Values that stood in 1 verified result here: Exact 2 of 3, Normalized 3 of 3."
    assert expected in " ".join(page.get(address).text.split())
    assert api.get(path).json()["track_record"] == [
        {"state": "exact", "right": 2, "reviewed": 3},
        {"state": "normalized", "right": 3, "reviewed": 3},
    ]
