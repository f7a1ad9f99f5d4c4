"""Verifying in the inbox: each value with the strip of the page that it rests on, and on to what is free."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from accounts.actor import Actor
from accounts.models import Role
from agent.inbox.proofs import MAX_PROOFS
from documents.models import Document, Page, SchemaRevision, Verification
from documents.review import presence
from tests.agent.inbox_pages import read_inbox
from tests.agent.test_inbox import schema_revision
from tests.agent.test_pages import browser  # noqa: F401 - browser is a fixture
from tests.documents.review.review_rows import address_of, get_run, make_documents, verify_address
from tests.page_client import PageClient

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
PLACE = {"state": "exact", "page": 1, "boxes": [[0.1, 0.1, 0.3, 0.12]], "words": "12.00", "note": "", "blocks": []}


@pytest.fixture
def documents(actor: Actor) -> list[Document]:
    rows = make_documents(actor, ["a.txt", "b.txt", "c.txt"])
    schema: SchemaRevision = schema_revision(actor)
    for document in rows:
        run = get_run(document)
        run.schema_revision, run.provenance = schema, {"total": PLACE}
        run.result = run.current = {"total": "12.00"}
        run.save()
        Page.objects.create(reading=run.reading, number=1, width=600, height=800, engine="text", text="12.00")
    return rows


def read_case(browser: PageClient, actor: Actor, document: Document, more: str = "") -> str:  # noqa: F811
    return read_inbox(browser, actor, f"item=verify-{document.pk}{more}")


def test_each_value_stands_above_the_strip_of_its_page(browser, actor, documents):  # noqa: F811
    html = read_case(browser, actor, documents[0])
    assert "12.00 · All located, 0 of 1 verified" in " ".join(html.split())
    assert '<b class="proof-value">12.00</b>' in html and 'viewBox="0 ' in html and "Exact" in html
    assert f'hx-post="{address_of("field-verify", documents[0], get_run(documents[0]).pk)}"' in html
    assert f'hx-post="{verify_address(documents[0])}"' in html and "Open with pages" in html


def test_a_value_and_then_the_document_are_verified_here(browser, actor, documents):  # noqa: F811
    run = get_run(documents[0])
    verify = address_of("field-verify", documents[0], run.pk)
    browser.post(verify, {"where": "total", "on": "true", "version": "0"}, headers=HTMX)
    html = read_case(browser, actor, documents[0])
    assert 'aria-pressed="true" aria-label="Verify Total"' in html and "1 of 1 value verified" in html
    browser.post(verify_address(documents[0]), {"on": "true", "version": "0"}, headers=HTMX)
    assert Verification.objects.filter(extraction=run, where="").exists()
    assert "Verified by" in read_case(browser, actor, documents[0])


def test_what_is_uncertain_stands_first_and_stays_there_once_it_is_verified(browser, actor, documents):  # noqa: F811
    run = get_run(documents[0])
    inner = run.schema_revision.response_format["json_schema"]["schema"]
    inner["properties"] = {name: {"type": "string", "description": name} for name in ("a", "b", "c")}
    run.schema_revision.save()
    run.result = run.current = dict.fromkeys("abc", "12.00")
    run.provenance = {"a": PLACE, "b": PLACE | {"state": "inferred"}, "c": PLACE}
    run.save()

    def read_order() -> list[str]:
        return re.findall(r'aria-label="Verify (\w)"', read_case(browser, actor, documents[0]))

    assert read_order() == ["B", "A", "C"]
    verify = address_of("field-verify", documents[0], run.pk)
    browser.post(verify, {"where": "b", "on": "true", "version": "0"}, headers=HTMX)
    assert read_order() == ["B", "A", "C"]


def test_with_too_many_for_one_look_it_is_verified_beside_the_pages(browser, actor, documents):  # noqa: F811
    names = [f"f{number}" for number in range(MAX_PROOFS + 1)]
    run = get_run(documents[0])
    inner = run.schema_revision.response_format["json_schema"]["schema"]
    inner["properties"] = {name: {"type": "string", "description": name} for name in names}
    run.schema_revision.save()
    run.result = run.current = dict.fromkeys(names, "12.00")
    run.save()
    html = read_case(browser, actor, documents[0])
    assert "data-proof" not in html and "Verify document" not in html and "Open with pages" in html


def test_going_on_passes_over_what_another_is_at(browser, actor, documents, member):  # noqa: F811
    ann = member(Role.REVIEWER, "ann@acme.example")
    # The oldest stands first.
    oldest, middle, newest = documents[::-1]
    presence.claim(ann, middle.pk)
    browser.post(verify_address(oldest), {"on": "true"}, headers=HTMX)
    html = read_case(browser, actor, oldest, f"&next=verify-{middle.pk}")
    assert f'data-key="verify-{newest.pk}" data-waits' in html
    assert presence.find_others(ann, [newest.pk]) == {newest.pk: "Admin"}
    assert "Ann verifies this" in read_case(browser, actor, middle)


def test_a_viewer_sees_the_values_and_no_button(actor, documents, member, signed_in):
    viewer: PageClient = signed_in(PageClient(), member(Role.VIEWER))
    html = read_case(viewer, actor, documents[0])
    assert "12.00" in html and "Verify document" not in html and "data-presence" not in html


def test_the_case_costs_the_same_however_many_values_it_has(
    browser,  # noqa: F811
    actor: Actor,
    documents: list[Document],
    django_assert_max_num_queries: Callable,
):
    with django_assert_max_num_queries(40):
        read_case(browser, actor, documents[0])


def test_an_uncertain_value_comes_before_the_document(browser, actor, documents):  # noqa: F811
    run = get_run(documents[0])
    run.provenance = {"total": PLACE | {"state": "not_located"}}
    run.save()
    html = read_case(browser, actor, documents[0])
    assert "Look at 1 value" in html and "Verify anyway" in html and "data-look-doubt" in html
    verify = address_of("field-verify", documents[0], run.pk)
    browser.post(verify, {"where": "total", "on": "true", "version": "0"}, headers=HTMX)
    html = read_case(browser, actor, documents[0])
    assert "data-look-doubt" not in html and "Verify document" in html


def test_a_failed_check_makes_its_value_the_first_to_look_at(browser, actor, documents):  # noqa: F811
    run = get_run(documents[0])
    wrong = {"check": 1, "kind": "rule", "status": "failed", "message": "It is too high.", "places": ["total"]}
    loose = wrong | {"check": 2, "message": "The pages disagree.", "places": []}
    run.check_results, run.failed_check_count = [wrong], 1
    run.save()
    html = read_case(browser, actor, documents[0])
    assert "Look at 1 value" in html and "proof-doubt" in html and "data-doubt" not in html
    run.check_results, run.failed_check_count = [loose], 1
    run.save()
    html = read_case(browser, actor, documents[0])
    assert "Look at the checks" in " ".join(html.split()) and "data-doubt" in html


def test_what_was_verified_is_said_listed_and_taken_back(browser, actor, documents):  # noqa: F811
    browser.post(verify_address(documents[0]), {"on": "true", "version": "0"}, headers=HTMX)
    html = read_inbox(browser, actor, f"item=verify-{documents[0].pk}&next=")
    assert "Verified a.txt" in html and "Decided today" in html and html.count("data-takes-back") == 2
    browser.post(verify_address(documents[0]), {"on": "false"}, headers=HTMX)
    html = read_inbox(browser, actor)
    assert "Verified a.txt" not in html and "decided-undone" in html and "data-takes-back" not in html


def test_a_value_that_was_left_out_is_looked_at_before_the_document(browser, actor, documents):  # noqa: F811
    run = get_run(documents[0])
    place = {
        "state": "left_out",
        "page": 1,
        "boxes": [[0.1, 0.1, 0.3, 0.12]],
        "words": "EUR",
        "note": "EUR stands there",
    }
    run.provenance = {**run.provenance, "due_date": {**place, "blocks": []}}
    run.result = run.current = {"total": "12.00", "due_date": None}
    run.save()
    html = read_case(browser, actor, documents[0])
    assert "Look at 1 value" in html and html.index("Verify Due date") < html.index("Verify Total")
