"""What documents are narrowed and sorted by: one definition for pages, `/v0` and saved views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import Role
from documents import document_changes, extractions
from documents.definitions import prompts, tags
from documents.extractions import edits
from documents.find.filters import parse_filter
from documents.find.filters.box import split_box
from documents.find.filters.terms import TERMS, list_failing_runs_of
from documents.models import Document
from tests.documents.checked_invoice import INVOICE, SUM, make_prompt, store_invoice, store_run
from tests.documents.reading_rows import document_with

pytestmark = pytest.mark.servers


def test_what_is_too_long_for_the_box_is_refused_and_not_cut(actor: Actor) -> None:
    """What it loses at its end would let a bulk action change documents that nobody selected."""
    assert refusal_of(actor, q="x" * 501) == "The search has 501 characters; 500 are the most."
    assert parse_filter(actor, {"q": ["x" * 500]}).words == "x" * 500


def names(actor: Actor, **query: str | Sequence[str]) -> list[str]:
    """Of the documents that this query leaves, sorted as it says."""
    return [document.name for document in rows_of(actor, **query)]


def rows_of(actor: Actor, **query: str | Sequence[str]) -> QuerySet[Document]:
    lists = {name: [value] if isinstance(value, str) else value for name, value in query.items()}
    parsed = parse_filter(actor, lists)
    assert [refusal.sentence for refusal in parsed.refusals] == []
    return parsed.sort(parsed.apply(Document.objects.for_org(actor.organization)))


def refusal_of(actor: Actor, **query: str) -> str:
    parsed = parse_filter(actor, {name: [value] for name, value in query.items()})
    [refusal] = parsed.refusals
    return refusal.sentence


@pytest.fixture
def invoices(actor: Actor) -> list[Document]:
    """a.pdf 42.00 of ACME, due in 2025; b.pdf 1,200.50 of Bolt, due in 2027; c.pdf without values."""
    prompt = make_prompt(actor, [SUM])
    first = store_invoice(actor, prompt, "a.pdf", iban="ACME Ltd", due_date="2025-03-01")
    second = store_invoice(
        actor, prompt, "b.pdf", iban="Bolt", due_date="2027-03-01", total="1,200.50", tax=None, subtotal=36
    )
    return [first.document, second.document, document_with(actor.organization, ["Letter"], name="c.pdf")]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("total > 1000", ["b.pdf"]),
        ("total >= 42", ["b.pdf", "a.pdf"]),
        ("total < 1000.5", ["a.pdf"]),
        ("total = 42", ["a.pdf"]),
        ("total != 42", ["b.pdf"]),
        ("iban != 42", ["b.pdf", "a.pdf"]),  # which are no numbers at all
        ("total = 42.00", ["a.pdf"]),
        ('iban = "acme ltd"', ["a.pdf"]),
        ("iban = bolt", ["b.pdf"]),
        ("iban ~ LT", ["b.pdf", "a.pdf"]),
        ("iban ~ 7", []),
        ("due_date < 2026-12-01", ["a.pdf"]),
        ("due_date >= 2027-03-01", ["b.pdf"]),
        ("tax is empty", ["b.pdf"]),
        ("tax is not empty", ["a.pdf"]),
        ("line_items.amount > 19", ["b.pdf", "a.pdf"]),
        ("nothing > 1", []),
    ],
)
def test_documents_are_found_by_a_value_of_a_field(actor, invoices, condition, expected) -> None:
    assert names(actor, value=condition) == expected


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        ("total", "“total” compares nothing. Write a field, a sign and a value, such as total > 1000."),
        ("> 5", "“> 5” compares nothing. Write a field, a sign and a value, such as total > 1000."),
        ("total >", "“total >” lacks a value. Write one after the sign, such as total > 1000, or “is empty”."),
        ("vendor > abc", "“abc” is no number and no day such as 2026-12-31, so > cannot compare it."),
        ("due < 2026-13-40", "“2026-13-40” is no number and no day such as 2026-12-31, so < cannot compare it."),
        ('vendor = "ACME', "The quotation mark before ACME is never closed."),
        ("x" * 501, "A filter has 500 characters at most; this one has 501."),
    ],
)
def test_a_condition_that_makes_no_sense_gets_a_sentence(actor: Actor, condition: str, sentence: str) -> None:
    assert refusal_of(actor, value=condition) == sentence


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"state": "odd"}, "There is no state “odd”. The states are under-way, read, extracted, proposed, failed."),
        ({"since": "yesterday"}, "“yesterday” is no day. Write it as 2026-12-31."),
        ({"until": "9999-12-31"}, "“9999-12-31” is too late a day."),
        ({"tag": "none"}, "There is no tag “none” here."),
        (
            {"order_by": "size"},
            "There is no order “size”. Sort by name, state, verified, uploaded, person, tags, kind or value.",
        ),
        (
            {"order_by": "value"},
            "Documents are sorted by a value where a filter names its field, such as total > 0.",
        ),
    ],
)
def test_a_filter_that_makes_no_sense_gets_a_sentence(actor: Actor, query: dict[str, str], sentence: str) -> None:
    assert refusal_of(actor, **query) == sentence


def test_what_makes_no_sense_leaves_the_other_filters_in_force(actor: Actor, invoices: list[Document]) -> None:
    parsed = parse_filter(actor, {"value": ["total > 1000", "total >"], "state": ["odd"]})
    assert [term.words for term in parsed.terms] == ["total > 1000"]
    assert [refusal.value for refusal in parsed.refusals] == ["odd", "total >"]


def test_all_filters_must_hold(actor: Actor, invoices: list[Document]) -> None:
    tag = tags.create(actor, name="Legal")
    document_changes.update(actor, document=invoices[0], tag_ids=[tag.pk], metadata={"batch": "17"})
    assert names(actor, tag="legal") == names(actor, tag=tag.pk) == ["a.pdf"]
    assert names(actor, tag=tag.pk, value="total > 1000") == []
    assert names(actor, value=["total > 1", "metadata.batch = 17"]) == ["a.pdf"]
    assert names(actor, **{"is": "untagged"}) == ["c.pdf", "b.pdf"]


def test_documents_are_found_by_what_they_were_extracted_with(actor: Actor, invoices: list[Document]) -> None:
    revision = invoices[0].extractions.get().prompt_revision
    assert names(actor, prompt=revision.prompt_id) == names(actor, schema="invoice") == ["b.pdf", "a.pdf"]
    assert names(actor, **{"is": "failing-checks"}) == ["b.pdf"]


def test_kind_person_and_days(actor: Actor, invoices: list[Document]) -> None:
    Document.objects.filter(name="c.pdf").update(
        media_type="image/png", uploaded_by_name="Bea", created_at="2025-01-31T23:00Z"
    )
    assert names(actor, kind="image") == names(actor, kind="png") == names(actor, person="Bea") == ["c.pdf"]
    assert names(actor, until="2025-01-31") == ["c.pdf"]
    assert names(actor, since="2025-02-01") == ["b.pdf", "a.pdf"]


def test_what_waits_depends_on_the_newest_run_and_its_verification(actor: Actor, invoices: list[Document]) -> None:
    first, second, _ = invoices
    edits.verify(actor, extraction=first.extractions.get())
    assert names(actor, **{"is": "verified"}) == ["a.pdf"]
    assert names(actor, **{"is": "waiting"}) == ["b.pdf"]
    store_run(actor, first.extractions.get().prompt_revision, first, {"total": "5"})
    assert names(actor, **{"is": "waiting"}) == ["b.pdf", "a.pdf"]
    for extraction in second.extractions.all():
        extractions.withdraw(actor, extraction=extraction)
    assert names(actor, **{"is": "waiting"}) == ["a.pdf"]


def test_the_box_looks_at_names_tags_metadata_and_values(actor: Actor, invoices: list[Document]) -> None:
    tag = tags.create(actor, name="Legal matters")
    document_changes.update(actor, document=invoices[2], tag_ids=[tag.pk], metadata={"department": "Purchasing"})
    assert names(actor, q="matters") == names(actor, q="purch") == ["c.pdf"]
    assert names(actor, q="acme L") == ["a.pdf"]
    assert names(actor, q="pdf b") == ["b.pdf"]
    assert names(actor, q='tag:"legal matters" purch') == ["c.pdf"]
    assert names(actor, q="pdf total > 1000") == ["b.pdf"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("acme 2026", ("acme 2026", [])),
        ("tag:legal acme", ("acme", [("tag", "legal")])),
        ('tag:"two words"', ("", [("tag", "two words")])),
        ("note: 5", ("note: 5", [])),
        ("http://x", ("http://x", [])),
        ("acme total > 1000 due<2026-12-01", ("acme", [("value", "total > 1000"), ("value", "due<2026-12-01")])),
        ('vendor = "A B"', ("", [("value", 'vendor = "A B"')])),
        ("iban is empty", ("", [("value", "iban is empty")])),
        ('"a > b"', ('"a > b"', [])),
        ('5" pipe', ('5 " pipe', [])),
    ],
)
def test_the_box_takes_terms_among_words(text: str, expected: Any) -> None:
    assert split_box(text, TERMS) == expected


@pytest.mark.parametrize("order", ["name", "state", "verified", "uploaded", "person", "tags", "value"])
@pytest.mark.parametrize("sign", ["", "-"])
def test_pages_of_any_order_give_every_document_once(actor, invoices, order: str, sign: str) -> None:
    query = {"order_by": [f"{sign}{order}"], "value": ["line_items.amount > 0"]}
    parsed = parse_filter(actor, query)
    rows = parsed.sort(parsed.apply(Document.objects.for_org(actor.organization)))
    listed = list(rows)
    assert {document.name for document in listed} == {"a.pdf", "b.pdf"}
    [following] = parsed.filter_after(rows, listed[0])
    assert following == listed[1] and not parsed.filter_after(rows, listed[1])


def test_it_sorts_by_the_value_that_is_filtered_by(actor: Actor, invoices: list[Document]) -> None:
    assert names(actor, value="total > 0", order_by="value") == ["a.pdf", "b.pdf"]
    assert names(actor, value="total > 0", order_by="-value") == ["b.pdf", "a.pdf"]
    assert names(actor, value="due_date > 2000-01-01", order_by="-value") == ["b.pdf", "a.pdf"]


def test_the_address_says_all_of_it(actor: Actor, invoices: list[Document]) -> None:
    parsed = parse_filter(actor, {"q": ["letter total > 5"], "order_by": ["name"]})
    assert parsed.format_query() == "q=letter&value=total+%3E+5&order_by=name"
    assert parsed.format_query(without=parsed.terms[0], order="-uploaded") == "q=letter"


def test_another_organization_finds_nothing_of_this_one(actor, stranger: Actor, invoices: list[Document]) -> None:
    assert names(stranger, value="total > 0") == names(stranger, q="acme") == []
    schema_id = invoices[0].extractions.get().schema_revision.schema_id
    assert refusal_of(stranger, schema=schema_id) == f"There is no schema “{schema_id}” here."


def test_a_reviewer_does_not_wait_for_proposals(actor: Actor, member: Any, invoices: list[Document]) -> None:
    reviewer = member(Role.REVIEWER)
    assert names(enter(reviewer.user, actor.organization.pk), **{"is": "waiting"}) == ["b.pdf", "a.pdf"]


def test_looking_for_failed_checks_begins_with_the_runs_that_fail(actor: Actor) -> None:
    plan = list_failing_runs_of(actor.organization).explain()
    assert "extraction_failing (status=? AND failed_check_count>?)" in plan or connection.vendor != "sqlite", plan


def test_a_check_that_failed_under_an_earlier_version_of_the_prompt_fails_no_more(actor: Actor) -> None:
    revision = make_prompt(actor, [SUM])
    failing = store_invoice(actor, revision, "a.pdf", subtotal=36)
    assert names(actor, **{"is": "failing-checks"}) == ["a.pdf"]
    newer = prompts.save_version(
        actor, prompt=revision.prompt, content="Read all of it.", schema_revision=revision.schema_revision
    )
    store_run(actor, newer, failing.document, INVOICE)
    assert names(actor, **{"is": "failing-checks"}) == []
