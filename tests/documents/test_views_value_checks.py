"""What pages, the inbox and the agent show of value checks, and the reason that an organization may ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import AuditEntry
from accounts.services import organizations
from agent.conversation import threads
from agent.tools.values.described_extractions import describe_extraction
from documents.extractions import edits
from documents.extractions.extraction_view import build_view
from documents.models import Document, Extraction
from kit.errors import Invalid
from tests.conftest import ApiClient
from tests.documents.checked_invoice import INVOICE, SUM, make_prompt, store_invoice

MESSAGE = "2 lines add up to 35.00; Subtotal says 36.00."
PRODUCT = {"kind": "product", "factors": ["line_items.quantity"], "field": "line_items.amount"}
COVERAGE = {"kind": "coverage"}


@pytest.fixture
def page(client: Client, signed_in: Callable[[Client, Actor], Client], actor: Actor) -> Client:
    return signed_in(client, actor)


@pytest.fixture
def extraction(actor: Actor) -> Extraction:
    extraction = store_invoice(actor, make_prompt(actor, [SUM, PRODUCT, COVERAGE]), "a.pdf", subtotal=36)
    Document.objects.update(state=Document.State.LLM_COMPLETED)
    return extraction


def at(name: str, extraction: Extraction, *more: str) -> str:
    return reverse(name, args=(extraction.document.organization_id, extraction.document_id, *more))


def verify(page: Client, extraction: Extraction, **sent: str) -> Any:
    extraction.refresh_from_db()
    return page.post(at("extraction-verify", extraction, extraction.pk), {"on": "true", **sent})


def test_a_failed_check_is_a_line_in_the_field_that_owns_it(extraction: Extraction) -> None:
    view = build_view(extraction)
    assert {field.name: field.failed_checks for field in view.fields if field.failed_checks} == {"subtotal": (MESSAGE,)}
    assert [row.failed_checks for row in view.tables[0].rows] == [
        ("2 is 2.00; Amount says 20.00.",),
        ("3 is 3.00; Amount says 15.00.",),
    ]
    assert view.uncomputed_checks == ("The document has no pages with text.",)
    assert view.failed_check_count == 2


def test_the_page_shows_it_with_the_count(page: Client, extraction: Extraction) -> None:
    text = page.get(at("document", extraction)).content.decode()
    assert MESSAGE in text
    assert "Row 1: 2 is 2.00; Amount says 20.00." in text
    assert "Not checked: The document has no pages with text." in text
    assert "2 checks fail" in " ".join(text.split())


def test_the_answer_to_an_edit_has_the_line_no_more(page: Client, extraction: Extraction) -> None:
    sent = {"where": "subtotal", "value": "35"}
    answer = page.post(at("field-edit", extraction, extraction.pk), sent)
    assert answer.status_code == 200
    assert "lines add up" not in answer.content.decode()


def test_the_list_and_the_inbox_name_how_many_fail(page: Client, extraction: Extraction) -> None:
    organization = extraction.document.organization_id
    assert "2 failed checks" in page.get(reverse("documents", args=[organization])).content.decode()
    inbox = page.get(reverse("inbox", args=[organization])).content.decode()
    assert "2 failed checks" in inbox, inbox[inbox.index("row-verify") :][300:1100]


def test_the_agent_reads_what_is_wrong(actor: Actor, extraction: Extraction) -> None:
    checks = describe_extraction(threads.create(actor), extraction)["checks"]
    assert checks[0] == f"subtotal: {MESSAGE}"
    assert checks[-1] == "Not computed: The document has no pages with text."


def test_a_failed_check_blocks_nothing_by_itself(page: Client, extraction: Extraction) -> None:
    assert verify(page, extraction).status_code == 302
    assert build_view(extraction).verified_at


def test_an_organization_may_ask_for_a_reason_which_the_audit_keeps(
    page: Client, actor: Actor, extraction: Extraction
) -> None:
    organizations.change(actor, failed_checks_need_reason=True)
    refusal = verify(page, extraction)
    assert refusal.status_code == 400
    assert "2 checks fail. Say why the values are right" in refusal.content.decode()
    assert not build_view(extraction).verified_at
    assert 'id="verify-reason"' in page.get(at("document", extraction)).content.decode()
    assert verify(page, extraction, reason="\u200b …").status_code != 302
    assert verify(page, extraction, reason=" The vendor  rounds. ").status_code == 302
    [entry] = AuditEntry.objects.filter(action="verified")
    assert entry.detail["reason"] == "The vendor rounds."


def test_a_field_is_verified_and_what_passes_needs_no_reason(actor: Actor, extraction: Extraction) -> None:
    organizations.change(actor, failed_checks_need_reason=True)
    actor.organization.refresh_from_db()
    edits.verify(actor, extraction=extraction, where="subtotal")
    passing = store_invoice(actor, extraction.prompt_revision, "b.pdf")  # type: ignore[arg-type]
    Extraction.objects.filter(pk=passing.pk).update(failed_check_count=0)
    edits.verify(actor, extraction=passing)
    with pytest.raises(Invalid, match="501 characters; 500 is the most"):
        edits.verify(actor, extraction=extraction, reason="x" * 501)


def test_the_reason_goes_with_a_result_over_the_api(
    api_as: Callable[[Actor], ApiClient], actor: Actor, extraction: Extraction
) -> None:
    organizations.change(actor, failed_checks_need_reason=True)
    client, organization = api_as(actor), actor.organization.pk
    revision = extraction.prompt_revision_id
    route = f"/v0/orgs/{organization}/llm/result/{extraction.document_id}?prompt_revid={revision}"
    sent = {"updated_llm_result": INVOICE | {"subtotal": 36}, "is_verified": True}
    refusal = client.put(route, sent)
    assert (refusal.status_code, refusal.json()["detail"][:14]) == (400, "2 checks fail.")
    answer = client.put(route, sent | {"reason_for_failed_checks": "They round."})
    assert answer.json()["is_verified"]
