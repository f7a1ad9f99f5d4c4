"""The Extraction tab through its real URLs: values shown, edited, verified, refused."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.actor import Actor
from accounts.models import Role
from agent.conversation import threads
from documents import values
from documents.catalog import state
from documents.definitions import prompts, schemas
from documents.intake import uploads
from documents.models import Document, Extraction, Page, PromptRevision, Reading
from documents.review.status import refresh_review
from reader.words import Word, pack

SignedIn = Callable[[Client, Actor], Client]
SCHEMA = {
    "type": "object",
    "properties": {
        "vendor": {"type": "string", "description": "Seller"},
        "total": {"type": "number", "description": "Total"},
        "lines": {
            "type": "array",
            "description": "Lines",
            "items": {"type": "object", "properties": {"sku": {"type": "string", "description": "SKU"}}},
        },
    },
}
HTMX = {"HX-Request": "true"}


@pytest.fixture
def revision(actor: Actor) -> PromptRevision:
    response_format = {"type": "json_schema", "json_schema": {"name": "bill", "schema": SCHEMA, "strict": False}}
    schema = schemas.create(actor, name="Bill", response_format=response_format)
    return prompts.create(actor, name="Bill values", content="Take out the values.", schema_revision=schema)


@pytest.fixture
def document(actor: Actor) -> Document:
    """A read document of one page with the word Acme on it."""
    stored = uploads.store(actor, name="bill.txt", content=ContentFile(b"Acme", name="bill.txt"))
    Reading.objects.update(
        status=Reading.Status.COMPLETED, page_count=1, pages_read=1, pages_listed=1, finished_at=timezone.now()
    )
    words = pack([Word("Acme", 0.1, 0.1, 0.2, 0.12, 1)])
    Page.objects.create(reading=Reading.objects.get(), number=1, width=595, height=842, engine="text", words=words)
    state.refresh(stored.pk)
    return stored


@pytest.fixture
def extraction(document: Document, revision: PromptRevision) -> Extraction:
    result = values.add_row_ids({"vendor": "Acme", "total": 1234.5, "lines": [{"sku": "X1"}]}, SCHEMA)
    location = values.Location(values.State.EXACT, page=1, boxes=((0.1, 0.1, 0.2, 0.12),), words="Acme")
    row = Extraction.objects.create(
        document=document,
        number=1,
        reading=Reading.objects.get(),
        prompt_revision=revision,
        schema_revision=revision.schema_revision,
        model="offline/rules",
        status=Extraction.Status.COMPLETED,
        result=result,
        current=result,
        provenance={"vendor": location.as_json()},
        coverage=[1],
        page_count=1,
        finished_at=timezone.now(),
    )
    state.refresh(document.pk)
    refresh_review(document.pk)
    return row


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: SignedIn) -> Client:
    return signed_in(client, actor)


def tab(document: Document) -> str:
    return reverse("document", args=[document.organization_id, document.pk])


def at(name: str, extraction: Extraction) -> str:
    document = extraction.document
    return reverse(name, args=[document.organization_id, document.pk, extraction.pk])


def test_it_shows_values_with_how_they_were_found(page: Client, extraction: Extraction) -> None:
    text = page.get(tab(extraction.document)).text
    assert "1,234.50" in text
    assert "Exact" in text
    assert "Not located" in text
    assert "read 1 of 1 page" in text
    assert "data-boxes" in text


def test_pages_that_the_model_did_not_see_are_said_in_amber(page: Client, extraction: Extraction) -> None:
    Extraction.objects.update(page_count=3)
    text = page.get(tab(extraction.document)).text
    assert "The model did not see 2 pages: 2 to 3." in text


def test_an_edit_answers_with_its_row_and_can_be_undone(page: Client, extraction: Extraction) -> None:
    answer = page.post(at("field-edit", extraction), {"where": "total", "value": "99,50", "version": "0"}, headers=HTMX)
    assert answer.status_code == 200
    assert 'data-item="total"' in answer.text
    assert "99.50" in answer.text
    edit = extraction.edits.get()
    undo = reverse("edit-undo", args=[extraction.document.organization_id, extraction.document_id, edit.pk])
    assert undo in answer.text
    page.post(undo, headers=HTMX)
    extraction.refresh_from_db()
    assert extraction.current["total"] == 1234.5


def test_a_value_stands_where_the_person_clicked(page: Client, extraction: Extraction) -> None:
    Page.objects.update(words=pack([Word("Acme", 0.1, y, 0.2, y + 0.02, line) for line, y in ((1, 0.1), (2, 0.5))]))
    where = f"lines[{extraction.current['lines'][0]['row_id']}].sku"
    page.post(at("field-edit", extraction), {"where": where, "value": "Acme", "hint": "1.2"}, headers=HTMX)
    extraction.refresh_from_db()
    assert extraction.provenance[where]["blocks"] == ["1.2.1"]


def test_a_value_that_does_not_fit_comes_back_as_typed(page: Client, extraction: Extraction) -> None:
    answer = page.post(at("field-edit", extraction), {"where": "total", "value": "a lot"}, headers=HTMX)
    assert answer.status_code == 422
    assert 'value="a lot"' in answer.text
    assert "is no number" in answer.text
    assert not extraction.edits.exists()


def test_an_edit_of_something_that_changed_meanwhile_is_refused(page: Client, extraction: Extraction) -> None:
    page.post(at("field-edit", extraction), {"where": "vendor", "value": "First", "version": "0"}, headers=HTMX)
    answer = page.post(
        at("field-edit", extraction), {"where": "vendor", "value": "Second", "version": "0"}, headers=HTMX
    )
    assert answer.status_code == 422
    assert "has changed this value meanwhile" in answer.text
    extraction.refresh_from_db()
    assert extraction.current["vendor"] == "First"


def test_a_version_that_no_value_has_is_no_current_one(page: Client, extraction: Extraction) -> None:
    edit = {"where": "vendor", "value": "Other", "version": "9" * 5000}
    answer = page.post(at("field-edit", extraction), edit, headers=HTMX)
    assert answer.status_code == 422
    assert "has changed this value meanwhile" in answer.text


def test_verifying_a_table_row_verifies_its_values(page: Client, extraction: Extraction) -> None:
    row = f"lines[{extraction.current['lines'][0]['row_id']}]"
    page.post(at("field-verify", extraction), {"where": row, "on": "true"}, headers=HTMX)
    assert list(extraction.verifications.values_list("where", flat=True)) == [f"{row}.sku"]
    page.post(at("field-verify", extraction), {"where": row, "on": "false"}, headers=HTMX)
    assert not extraction.verifications.filter(cleared_at=None).exists()


@pytest.mark.parametrize("name", ["field-verify", "extraction-verify"])
def test_what_changed_since_it_was_shown_is_not_verified(page: Client, extraction: Extraction, name: str) -> None:
    page.post(at("field-edit", extraction), {"where": "vendor", "value": "Other"}, headers=HTMX)
    verified = {"where": "vendor", "on": "true"}
    answer = page.post(at(name, extraction), {**verified, "version": "0"}, headers=HTMX)
    assert answer.status_code == 409
    assert "then verify" in answer.text
    assert not extraction.verifications.exists()
    assert page.post(at(name, extraction), {**verified, "version": "1"}, headers=HTMX).status_code == 200
    assert extraction.verifications.exists()


def test_a_verified_document_is_verified_in_the_list(page: Client, extraction: Extraction) -> None:
    listing = reverse("documents", args=[extraction.document.organization_id])
    assert "2 uncertain" in page.get(listing).text
    assert "1 of 3" not in page.get(listing).text
    page.post(at("extraction-verify", extraction), {"on": "true"}, headers=HTMX)
    assert "3 of 3" in page.get(listing).text


def test_an_undone_edit_counts_as_found_again(page: Client, extraction: Extraction) -> None:
    listing = reverse("documents", args=[extraction.document.organization_id])
    page.post(at("field-edit", extraction), {"where": "total", "value": "99,50"}, headers=HTMX)
    assert "1 uncertain" in page.get(listing).text
    edit = extraction.edits.get()
    undo = reverse("edit-undo", args=[extraction.document.organization_id, extraction.document_id, edit.pk])
    answer = page.post(undo, headers=HTMX)
    assert "Edited</span>" not in answer.text
    assert "2 uncertain" in page.get(listing).text


def test_free_text_is_uncertain_nowhere(page: Client, extraction: Extraction, actor: Actor) -> None:
    written = prompts.create(actor, name="Letter", content="Say what it is about.")
    text = {"text": "A bill of Acme."}
    Extraction.objects.filter(pk=extraction.pk).update(
        prompt_revision=written, schema_revision=None, result=text, current=text, provenance={}
    )
    document, organization = extraction.document, extraction.document.organization_id
    listing = page.get(reverse("documents", args=[organization])).text
    item = page.get(reverse("inbox", args=[organization]), {"item": f"verify-{document.pk}"}).text
    threads.create(actor, document=document)
    panel = page.get(reverse("document-agent", args=[organization, document.pk])).text
    values_tab = page.get(tab(document)).text
    assert "A bill of Acme." in panel and "A bill of Acme." in values_tab
    for html in (listing, item, panel, values_tab):
        assert not re.search(r"[1-9] uncertain|uncertain-count\">[1-9]|ot located", html)
    assert "Free text, 0 of 1 verified" in item and "Free text to read" in item


def test_a_reader_without_a_role_for_it_cannot_change_values(
    client: Client, extraction: Extraction, member: Callable[[Role], Actor], signed_in: SignedIn
) -> None:
    viewer = signed_in(client, member(Role.VIEWER))
    assert viewer.post(at("field-edit", extraction), {"where": "total", "value": "1"}).status_code == 403
    assert "data-edit" not in viewer.get(tab(extraction.document)).text


def test_values_of_another_organization_are_not_found(
    client: Client, extraction: Extraction, stranger: Actor, signed_in: SignedIn
) -> None:
    outside = signed_in(client, stranger)
    foreign = reverse("field-edit", args=[stranger.organization.pk, extraction.document_id, extraction.pk])
    assert outside.post(foreign, {"where": "total", "value": "1"}).status_code == 404
    assert outside.post(at("field-edit", extraction), {"where": "total", "value": "1"}).status_code == 404


def test_a_failed_reading_says_what_is_unharmed_and_can_be_tried_again(page: Client, document: Document) -> None:
    Reading.objects.update(status=Reading.Status.FAILED, reason="It is damaged.")
    state.refresh(document.pk)
    text = page.get(tab(document)).text
    assert "It is damaged." in text
    assert "The file itself is kept, unchanged." in text
    again = reverse("document-read", args=[document.organization_id, document.pk])
    assert page.post(again, headers=HTMX).status_code == 200
    assert document.readings.count() == 2


def test_without_values_it_points_to_the_agent(page: Client, document: Document) -> None:
    assert "agent?say=Set+up+extraction+for+this+document" in page.get(tab(document)).text


def test_a_formula_in_a_value_or_a_name_is_text_in_the_csv(page: Client, extraction: Extraction) -> None:
    Extraction.objects.update(current={"vendor": "=1+1", "total": -5, "=cmd|' /C calc'!A0": "x"})
    document = extraction.document
    path = reverse("extraction-file", args=[document.organization_id, document.pk, extraction.pk, "csv"])
    assert page.get(path).text.splitlines() == [
        "field,value,state",
        "vendor,'=1+1,exact",
        "total,-5,not_located",
        "'=cmd|' /C calc'!A0,x,not_located",
    ]


def test_the_page_costs_the_same_queries_however_many_values_it_has(
    page: Client, extraction: Extraction, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(35):
        page.get(tab(extraction.document))
