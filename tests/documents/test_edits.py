"""Edits and verifications on top of a run."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import AuditEntry, Member, Organization, Role, User
from documents import extractions, values
from documents.definitions import schemas
from documents.extractions import ExtractionDraft, edits
from documents.locate import locate
from documents.models import Extraction, FieldEdit
from documents.reading.pages import unpack_words
from kit.errors import Conflict, Denied, Invalid, NotFound
from tests.documents.extraction_rows import FORMAT, PAGE, RESULT, SCHEMA
from tests.documents.page_searches import watch_searches
from tests.documents.reading_rows import document_with


def store_extraction(actor: Actor, result: dict[str, Any] | None = None) -> Extraction:
    """A completed run without a model call."""
    document = document_with(actor.organization, [*PAGE, "Net | 31.00"])
    schema = schemas.create(actor, name="Invoice", response_format=FORMAT)
    stored = values.add_row_ids(result or RESULT, SCHEMA)
    reading = document.readings.get()
    pages = [(page.number, unpack_words(page)) for page in reading.pages.all()]
    provenance = {where: location.as_json() for where, location in locate(stored, SCHEMA, pages).items()}
    draft = ExtractionDraft(
        document.pk, reading.pk, None, schema.pk, "openai/x", "{}", stored, provenance, coverage=[1], page_count=1
    )
    return extractions.store(actor, draft=draft)


@pytest.fixture
def extraction(actor: Actor) -> Extraction:
    return store_extraction(actor)


def row_at(extraction: Extraction, position: int) -> str:
    return f"items[{extraction.current['items'][position]['row_id']}]"


def test_it_puts_a_value_on_top_and_leaves_the_run_alone(actor: Actor, extraction: Extraction) -> None:
    where = f"{row_at(extraction, 1)}.amount"
    edit = edits.set_field(actor, extraction=extraction, where=where, value=21.5)
    assert (edit.number, edit.old, edit.new, edit.origin, edit.user) == (1, 20.5, 21.5, "person", actor.user)
    extraction.refresh_from_db()
    assert values.strip_row_ids(extraction.current)["items"][1]["amount"] == 21.5
    assert values.strip_row_ids(extraction.result) == RESULT
    assert extraction.version == 2
    assert AuditEntry.objects.filter(action="edited", target_id=extraction.pk).exists()


def test_it_looks_for_the_new_value_on_the_page(actor: Actor, extraction: Extraction) -> None:
    edits.set_field(actor, extraction=extraction, where="total", value=31, hint="1.6")
    assert extraction.provenance["total"]["words"] == "31.00"
    edits.set_field(actor, extraction=extraction, where="total", value=999)
    assert extraction.provenance["total"]["state"] == "not_located"


@pytest.mark.parametrize(
    ("where", "value", "sentence"),
    [("total", "much", "number"), ("number", None, "number"), ("nothing", 1, "no field nothing"), ("items", 5, "list")],
)
def test_it_refuses_what_does_not_fit_the_schema(
    actor: Actor, extraction: Extraction, where: str, value: Any, sentence: str
) -> None:
    with pytest.raises(Invalid, match=sentence):
        edits.set_field(actor, extraction=extraction, where=where, value=value)
    assert not FieldEdit.objects.exists()


def test_an_optional_value_can_be_emptied(actor: Actor, extraction: Extraction) -> None:
    edits.set_field(actor, extraction=extraction, where="total", value=None)
    assert extraction.current["total"] is None


def test_the_second_of_two_people_learns_what_is_there_now(
    actor: Actor, member: Callable[[Role], Actor], extraction: Extraction
) -> None:
    edits.set_field(actor, extraction=extraction, where="total", value=31, expected_version=0)
    with pytest.raises(Conflict) as raised:
        edits.set_field(member(Role.REVIEWER), extraction=extraction, where="total", value=32, expected_version=0)
    winner = raised.value.winner or {}
    assert (winner["value"], winner["version"], winner["by"]) == (31, 1, "Admin")
    edits.set_field(actor, extraction=extraction, where="number", value="INV-8", expected_version=0)
    edits.set_field(actor, extraction=extraction, where="total", value=32, expected_version=1)


def test_an_edit_clears_the_verification_of_its_field_and_of_the_document(actor: Actor, extraction: Extraction) -> None:
    for where in ("", "total", "number"):
        edits.verify(actor, extraction=extraction, where=where)
    edits.set_field(actor, extraction=extraction, where="total", value=31)
    marks = extraction.verifications.filter(cleared_at=None)
    assert [mark.where for mark in marks] == ["number"]
    assert extraction.verifications.get(where="total").cleared_by == actor.user


def test_verifying_twice_is_once_and_can_be_taken_back(actor: Actor, extraction: Extraction) -> None:
    assert edits.verify(actor, extraction=extraction, where="total") == edits.verify(
        actor, extraction=extraction, where="total"
    )
    edits.unverify(actor, extraction=extraction, where="total")
    edits.unverify(actor, extraction=extraction, where="total")
    assert not extraction.verifications.filter(cleared_at=None).exists()
    edits.verify(actor, extraction=extraction, where="total")


def test_one_verifies_what_one_has_seen(actor: Actor, extraction: Extraction) -> None:
    edits.set_field(actor, extraction=extraction, where="total", value=31)
    with pytest.raises(Conflict):
        edits.verify(actor, extraction=extraction, where="total", expected_version=0)
    with pytest.raises(NotFound):
        edits.verify(actor, extraction=extraction, where="items[nothing].amount")


def test_a_rule_cannot_overrule_a_person(actor: Actor, extraction: Extraction) -> None:
    agent = actor.as_agent(by_rule=True)
    edits.set_field(agent, extraction=extraction, where="total", value=1)
    edits.set_field(actor, extraction=extraction, where="total", value=31)
    edits.verify(actor, extraction=extraction, where="number")
    for where, value in (("total", 2), ("number", "X")):
        with pytest.raises(Conflict, match="A person has set or verified"):
            edits.set_field(agent, extraction=extraction, where=where, value=value)
    edits.set_field(actor.as_agent(by_rule=False), extraction=extraction, where="total", value=3)
    assert extraction.current["total"] == 3
    with pytest.raises(Denied):
        edits.verify(agent, extraction=extraction)


def test_rows_are_added_and_removed_by_id(actor: Actor, extraction: Extraction) -> None:
    added = edits.add_row(actor, extraction=extraction, where="items")
    edits.set_field(actor, extraction=extraction, where=f"{added.where}.sku", value="C-3")
    edits.remove_row(actor, extraction=extraction, where=row_at(extraction, 0))
    assert [row.get("sku") for row in values.strip_row_ids(extraction.current)["items"]] == ["B-2", "C-3"]
    with pytest.raises(NotFound):
        edits.remove_row(actor, extraction=extraction, where=f"items[{extraction.result['items'][0]['row_id']}]")


def test_an_edit_can_be_taken_back_unless_somebody_went_on(actor: Actor, extraction: Extraction) -> None:
    first = edits.set_field(actor, extraction=extraction, where="total", value=31)
    edits.undo(actor, edit=first)
    removed = edits.remove_row(actor, extraction=extraction, where=row_at(extraction, 1))
    edits.undo(actor, edit=removed)
    extraction.refresh_from_db()
    assert values.strip_row_ids(extraction.current) == RESULT
    with pytest.raises(Conflict):
        edits.undo(actor, edit=first)


def test_a_new_row_can_be_taken_back_once_its_values_are(actor: Actor, extraction: Extraction) -> None:
    added = edits.add_row(actor, extraction=extraction, where="items")
    filled = edits.set_field(actor, extraction=extraction, where=f"{added.where}.sku", value="C-3")
    with pytest.raises(Conflict):
        edits.undo(actor, edit=added)
    edits.undo(actor, edit=filled)
    edits.undo(actor, edit=added)
    extraction.refresh_from_db()
    assert values.strip_row_ids(extraction.current) == RESULT


def test_a_dotted_path_reaches_rows_and_adds_one_past_the_end(actor: Actor, extraction: Extraction) -> None:
    edits.set_path(actor, extraction=extraction, path="items.0.amount", value=11)
    edits.set_path(actor, extraction=extraction, path="items.2", value={"sku": "C-3", "amount": 1})
    assert [row["amount"] for row in values.strip_row_ids(extraction.current)["items"]] == [11, 20.5, 1]
    with pytest.raises(Invalid, match="nearest are: total"):
        edits.set_path(actor, extraction=extraction, path="totl", value=1)
    with pytest.raises(NotFound):
        edits.set_path(actor, extraction=extraction, path="items.7.amount", value=1)


def test_a_whole_result_becomes_edits(actor: Actor, extraction: Extraction) -> None:
    new_result = {**RESULT, "total": 31, "items": [{"sku": "A-1", "amount": 12}]}
    field_edits = edits.set_result(actor, extraction=extraction, result=new_result)
    assert {edit.kind for edit in field_edits} == {"set", "remove_row"}
    assert values.strip_row_ids(extraction.current) == new_result
    with pytest.raises(Invalid, match="signature does not match"):
        edits.set_result(actor, extraction=extraction, result={"total": 1})
    with pytest.raises(Invalid):
        edits.set_result(actor, extraction=extraction, result={**new_result, "total": "x"})


def test_a_viewer_may_neither_edit_nor_verify(member: Callable[[Role], Actor], extraction: Extraction) -> None:
    viewer = member(Role.VIEWER)
    with pytest.raises(Denied):
        edits.set_field(viewer, extraction=extraction, where="total", value=1)
    with pytest.raises(Denied):
        edits.verify(viewer, extraction=extraction)


def test_a_withdrawn_extraction_is_closed(actor: Actor, extraction: Extraction) -> None:
    extractions.withdraw(actor, extraction=extraction)
    with pytest.raises(Invalid, match="completed"):
        edits.set_field(actor, extraction=extraction, where="total", value=1)


def test_a_value_whose_address_cannot_be_kept_is_only_seen(actor: Actor) -> None:
    name = "n" * 501
    extraction = store_extraction(actor, {**RESULT, name: "a"})
    Extraction.objects.update(schema_revision=None)
    extraction.refresh_from_db()
    with pytest.raises(Invalid, match="over 500 letters"):
        edits.set_field(actor, extraction=extraction, where=name, value="b")
    with pytest.raises(Invalid, match="over 500 letters"):
        edits.verify(actor, extraction=extraction, where=name)
    assert not FieldEdit.objects.exists()


@pytest.mark.parametrize("where", [".".join("a" * 2000), "n" * 501])
def test_an_address_that_cannot_be_kept_is_refused_before_anything_is_searched(actor: Actor, where: str) -> None:
    extraction = store_extraction(actor)
    Extraction.objects.update(schema_revision=None)
    extraction.refresh_from_db()
    with watch_searches() as depths, pytest.raises(Invalid, match="over 500 letters"):
        edits.set_field(actor, extraction=extraction, where=where, value="b")
    with pytest.raises(NotFound, match="no value so deep"):
        edits.make_change_by_path(extraction, ".".join("a" * 2000), "b")
    assert depths == []


@pytest.mark.django_db(transaction=True)
def test_of_two_edits_at_once_one_loses_and_both_are_told_the_truth() -> None:
    user = User.objects.create_user("a@acme.example", name="Ann")
    organization = Organization.objects.create(name="Acme")
    Member.objects.create(organization=organization, user=user, role=Role.BUILDER)
    actor = enter(user, organization.pk)
    extraction = store_extraction(actor)
    start = Barrier(4)

    def change(value: int) -> Any:
        try:
            mine = Extraction.objects.get(pk=extraction.pk)
            start.wait(60)
            return edits.set_field(actor, extraction=mine, where="total", value=value, expected_version=0).new
        except Conflict as conflict:
            return (conflict.winner or {})["value"]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        totals = set(pool.map(change, range(100, 104)))
    extraction.refresh_from_db()
    assert totals == {extraction.current["total"]}
    assert FieldEdit.objects.count() == 1


def test_it_keeps_what_was_there_in_truth_when_somebody_was_quicker(actor: Actor, extraction: Extraction) -> None:
    seen = Extraction.objects.get(pk=extraction.pk)
    where = f"{row_at(extraction, 1)}.amount"
    edits.set_field(actor, extraction=extraction, where=where, value=21.5)
    late = edits.set_field(actor, extraction=seen, where=where, value=22)
    assert (late.old, late.new) == (21.5, 22)
    edits.undo(actor, edit=late)
    extraction.refresh_from_db()
    assert values.get_value(extraction.current, where) == 21.5


def test_it_brings_a_removed_row_back_with_what_others_had_put_into_it(actor: Actor, extraction: Extraction) -> None:
    seen = Extraction.objects.get(pk=extraction.pk)
    row = row_at(extraction, 1)
    edits.set_field(actor, extraction=extraction, where=f"{row}.amount", value=21.5)
    removal = edits.remove_row(actor, extraction=seen, where=row)
    edits.undo(actor, edit=removal)
    extraction.refresh_from_db()
    assert values.get_value(extraction.current, f"{row}.amount") == 21.5


@pytest.mark.parametrize("again", ["remove", "set"])
def test_it_says_that_a_row_was_removed_meanwhile(again: str, actor: Actor, extraction: Extraction) -> None:
    seen = Extraction.objects.get(pk=extraction.pk)
    row = row_at(extraction, 1)
    edits.remove_row(actor, extraction=extraction, where=row)
    with pytest.raises(NotFound):
        if again == "remove":
            edits.remove_row(actor, extraction=seen, where=row)
        else:
            edits.set_field(actor, extraction=seen, where=f"{row}.amount", value=1)
    assert FieldEdit.objects.count() == 1
