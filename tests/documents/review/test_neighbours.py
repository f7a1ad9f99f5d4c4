"""Review in a row: where a document stands, on to the next one by the filter in force, and back."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from django.test import Client
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role
from documents.extractions import edits
from documents.models import Document, Verification
from tests.documents.listing_pages import list_of
from tests.documents.review.review_rows import HTMX, address_of, get_run, make_documents, verify_address

pytestmark = pytest.mark.servers

SignedIn = Callable[[Client, Actor], Client]


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: SignedIn) -> Client:
    return signed_in(client, actor)


def test_the_bar_says_the_position_among_those_to_verify(page: Client, actor: Actor) -> None:
    first, second, third = make_documents(actor, ["a.txt", "b.txt", "c.txt"])
    assert "<b>2</b> of 3<span" in page.get(address_of("document", second)).text
    edits.verify(actor, extraction=get_run(first))
    assert "<b>1</b> of 2<span" in page.get(address_of("document", second)).text
    assert "<b>2</b> to verify</span>" in page.get(address_of("document", first)).text
    # The bar is the share that is verified.
    assert 'max="3" value="1" aria-label="1 of 3 verified"' in page.get(address_of("document", third)).text


def test_next_and_previous_walk_in_the_order_of_the_list(page: Client, actor: Actor) -> None:
    first, second, third = make_documents(actor, ["a.txt", "b.txt", "c.txt"])
    assert page.get(address_of("document-next", first)).url == address_of("document", second)
    assert page.get(address_of("document-previous", third)).url == address_of("document", second)
    # After the last one comes the first.
    assert page.get(address_of("document-next", third)).url == address_of("document", first)
    assert page.get(address_of("document-previous", first)).url == address_of("document", third)
    assert "data-next" in page.get(address_of("document", third)).text
    Document.objects.exclude(pk=third.pk).update(trashed_at=timezone.now())
    assert page.get(address_of("document-next", third)).url == address_of("document", third)
    assert "data-next" not in page.get(address_of("document", third)).text


def test_what_is_verified_is_passed_over(page: Client, actor: Actor) -> None:
    first, second, third = make_documents(actor, ["a.txt", "b.txt", "c.txt"])
    edits.verify(actor, extraction=get_run(second))
    assert page.get(address_of("document-next", first)).url == address_of("document", third)
    assert page.get(address_of("document-previous", second)).url == address_of("document", first)


def test_rows_of_a_filtered_list_carry_its_filter_on(page: Client, actor: Actor) -> None:
    bill, _, other = make_documents(actor, ["bill 1.txt", "letter.txt", "bill 2.txt"])
    end = "?list=q%3Dbill%26state%3Dextracted"
    assert f'href="{address_of("document", bill)}{end}"' in page.get(f"{list_of(actor)}?q=bill&state=extracted").text
    assert "<b>1</b> of 2<span" in page.get(address_of("document", bill) + end).text
    assert page.get(address_of("document-next", bill) + end).url == address_of("document", other) + end
    # A row that is fetched anew, and the tabs, keep it.
    assert f'href="{address_of("document", bill)}{end}"' in page.get(address_of("document-row", bill) + end).text
    assert f'href="{address_of("document-agent", bill)}{end}"' in page.get(address_of("document", bill) + end).text


@pytest.mark.parametrize("order", ["name", "-name", "uploaded", "state", "-verified", "person"])
def test_next_and_previous_follow_the_order_of_the_list(page: Client, actor: Actor, order: str) -> None:
    make_documents(actor, ["b.txt", "a.txt", "c.txt"])
    end = f"?list=order_by%3D{order}"
    listed = re.findall(r'id="document-(\w+)"', page.get(f"{list_of(actor)}?order_by={order}", follow=True).text)
    for place, (one, other) in enumerate(pairwise([Document.objects.get(pk=pk) for pk in listed]), 1):
        assert f"<b>{place}</b> of 3<span" in page.get(address_of("document", one) + end).text
        assert page.get(address_of("document-next", one) + end).url == address_of("document", other) + end
        assert page.get(address_of("document-previous", other) + end).url == address_of("document", one) + end


def test_a_part_of_the_page_knows_the_filter_of_its_address(page: Client, actor: Actor) -> None:
    bill, _, _ = make_documents(actor, ["bill 1.txt", "letter.txt", "bill 2.txt"])
    headers = {**HTMX, "HX-Current-URL": f"http://testserver{address_of('document', bill)}?list=q%3Dbill"}
    assert "<b>1</b> of 2<span" in page.get(address_of("document-topbar", bill), headers=headers).text


def test_a_filter_that_makes_no_sense_is_none(page: Client, actor: Actor) -> None:
    first, second = make_documents(actor, ["a.txt", "b.txt"])
    for query in ("state%3Dnothing", "q%3D%2500", "%26%26%3D", "x" * 5000):
        answer = page.get(f"{address_of('document-next', first)}?list={query}")
        assert answer.url.startswith(address_of("document", second)), query


def test_verifying_goes_on_to_the_next_document(page: Client, actor: Actor) -> None:
    first, second = make_documents(actor, ["a.txt", "b.txt"])
    assert "Verify, next document" in page.get(address_of("document", first)).text
    answer = page.post(verify_address(first), {"on": "true", "next": "1"}, headers=HTMX)
    target = answer.headers["HX-Redirect"]
    assert target == f"{address_of('document', second)}?after={first.pk}"
    # K goes back to the one that was just verified.
    html = page.get(target).text
    assert f'href="{address_of("document", first)}" aria-label="Back to the document verified before"' in html
    assert "Verify document" in html and "Verify, next" not in html


def test_the_last_one_stays_where_it_is(page: Client, actor: Actor) -> None:
    (only,) = make_documents(actor, ["a.txt"])
    answer = page.post(verify_address(only), {"on": "true", "next": "1"}, headers=HTMX)
    assert "HX-Redirect" not in answer.headers and "Undo verification" in answer.text


def test_a_refused_verification_stays(page: Client, actor: Actor) -> None:
    first, _ = make_documents(actor, ["a.txt", "b.txt"])
    edits.set_field(actor, extraction=get_run(first), where="text", value="other")
    answer = page.post(verify_address(first), {"on": "true", "next": "1", "version": "0"}, headers=HTMX)
    assert answer.status_code == 409 and not Verification.objects.exists()


def test_beside_a_document_without_values_the_whole_list_is_walked(page: Client, actor: Actor) -> None:
    first, second, _ = make_documents(actor, ["a.txt", "b.txt", "c.txt"])
    edits.verify(actor, extraction=get_run(second))
    Document.objects.filter(pk=first.pk).update(state=Document.State.OCR_FAILED)
    assert page.get(address_of("document-next", first)).url == address_of("document", second)
    assert "to verify</span>" not in page.get(address_of("document", first)).text


def test_a_viewer_walks_all_documents(
    client: Client, actor: Actor, member: Callable[[Role], Actor], signed_in: SignedIn
) -> None:
    first, second = make_documents(actor, ["a.txt", "b.txt"])
    edits.verify(actor, extraction=get_run(second))
    viewer = signed_in(client, member(Role.VIEWER))
    assert viewer.get(address_of("document-next", first)).url == address_of("document", second)
    assert "to verify</span>" not in viewer.get(address_of("document", first)).text


def test_a_document_of_others_is_not_gone_back_to(page: Client, actor: Actor, stranger: Actor) -> None:
    (own,), (foreign,) = make_documents(actor, ["a.txt"]), make_documents(stranger, ["b.txt"])
    assert foreign.pk not in page.get(f"{address_of('document', own)}?after={foreign.pk}").text
