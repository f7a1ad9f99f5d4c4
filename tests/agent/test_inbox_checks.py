"""Documents whose value checks fail stand in the inbox by themselves, until they pass or are verified."""

from __future__ import annotations

import pytest

from accounts.actor import Actor
from agent.inbox import inbox
from agent.inbox.inbox import InboxFilter
from documents.extractions import edits
from documents.models import Document, Extraction
from tests.agent.inbox_pages import badge, keys, read_inbox
from tests.agent.test_pages import browser  # noqa: F401 - browser is a fixture
from tests.documents.checked_invoice import SUM, make_prompt, store_invoice
from tests.page_client import PageClient

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.fixture
def runs(actor: Actor) -> list[Extraction]:
    """One whose check passes, and one whose check fails."""
    prompt = make_prompt(actor, [SUM])
    runs = [store_invoice(actor, prompt, "good.pdf"), store_invoice(actor, prompt, "bad.pdf", subtotal=36)]
    Document.objects.update(state=Document.State.LLM_COMPLETED)
    return runs


def test_a_document_with_a_failing_check_has_a_section_and_a_case(
    browser: PageClient,  # noqa: F811
    actor: Actor,
    runs: list[Extraction],
) -> None:
    good, bad = (run.document_id for run in runs)
    html = read_inbox(browser, actor)
    assert keys(html) == [f"checks-{bad}", f"verify-{good}"] and ">Failed checks <span" in html
    assert badge(browser, actor) == "", "it blocks nothing"
    case = read_inbox(browser, actor, f"item=checks-{bad}")
    assert f'data-key="checks-{bad}" data-waits' in case
    assert "2 lines add up to 35.00; Subtotal says 36.00." in case and "Look at" in case and "Verify anyway" in case
    assert f"checks-{bad}" in keys(read_inbox(browser, actor, "kind=checks"))


def test_it_waits_to_be_verified_like_others_once_the_check_passes(
    browser: PageClient,  # noqa: F811
    actor: Actor,
    runs: list[Extraction],
) -> None:
    bad = runs[1]
    edits.set_path(actor, extraction=bad, path="subtotal", value=35)
    assert f"verify-{bad.document_id}" in keys(read_inbox(browser, actor))
    assert f'data-key="verify-{bad.document_id}"' in read_inbox(browser, actor, f"item=checks-{bad.document_id}")
    edits.set_path(actor, extraction=bad, path="subtotal", value=1)
    assert inbox.list_sections(actor, InboxFilter(section="checks"))
    edits.verify(actor, extraction=bad)
    assert not inbox.list_sections(actor, InboxFilter(section="checks"))
    html = read_inbox(browser, actor)
    assert not [key for key in keys(html) if bad.document_id in key] and "Verified bad.pdf" in html
