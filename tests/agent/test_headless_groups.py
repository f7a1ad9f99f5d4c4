"""Look-alikes share one proposal, and later ones what was accepted: played by the offline model, by several workers."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.actor import Actor
from agent.models import ToolCall, Turn
from agent.turns import headless
from documents.autosetup import auto_setup, proposals
from documents.models import Extraction, Prompt, Proposal, Schema, SchemaRevision
from tests.agent.offline_runs import at_once, invoice, request_setup, work
from tests.documents import offline_cases as cases
from tests.documents.proposal_rows import INVOICE, RECEIPT, make_auto_setup, now, states

pytestmark = pytest.mark.django_db(transaction=True)
WORKERS = 2


@pytest.fixture(autouse=True)
def offline(settings: Any) -> None:
    settings.DEFAULT_MODEL = settings.EXTRACTION_MODEL = "offline/rules"
    settings.HEADLESS_LIMIT_SECONDS = 10_000  # of a busy machine


def test_of_look_alikes_that_are_assigned_at_once_one_leads(actor: Actor) -> None:
    invoices = [make_auto_setup(actor, INVOICE.format(n=n, who=f"Firm{n}"), f"{n}.pdf") for n in range(10)]
    receipt = make_auto_setup(actor, RECEIPT.format(n=1, who="Shop"), "r.jpg")
    every = [*invoices, receipt]
    twice = [*every, *every]
    at_once(lambda at: auto_setup.assign(twice[at].pk), len(twice))
    assert Proposal.objects.count() == 2
    assert len({now(each).proposal_id for each in invoices}) == 1
    at_once(lambda _: headless.sweep(), WORKERS)
    assert Turn.objects.count() == 2
    assert states(every).count("running") == 2


def test_invoices_and_a_receipt_at_once_and_another_invoice_the_next_day(actor: Actor) -> None:
    play(actor, invoices=3, later=2)


def play(actor: Actor, *, invoices: int, later: int) -> None:
    """Workers at once: one schema and one prompt a kind, an extraction a document; later ones use what was accepted."""
    first = [invoice(actor, number) for number in range(invoices)]
    receipt = request_setup(actor, cases.RECEIPT, "receipt.jpg")
    at_once(lambda _: work(), WORKERS)
    assert states([*first, receipt]) == ["proposed"] * (invoices + 1)
    assert sorted(Schema.objects.values_list("name", flat=True)) == ["Invoice", "Receipt"]
    assert sorted(Prompt.objects.values_list("name", flat=True)) == ["Invoice", "Receipt"]
    assert (Turn.objects.count(), Proposal.objects.count(), Extraction.objects.count()) == (2, 2, invoices + 1)
    read = now(first[-1]).extraction.current
    assert (read["invoice_number"], read["total"]) == (f"INV-2026-{invoices - 1:05}", 17116.55)
    assert SchemaRevision.objects.filter(status="accepted").count() == 0

    proposals.accept(actor, proposal=now(first[0]).proposal, tag_name="Invoices")
    following = [invoice(actor, invoices + number) for number in range(later)]
    work()
    heard = {(now(each).status, now(each).reason) for each in following}
    assert heard == {("accepted", "“Invoice” fits."), ("accepted", "")}
    assert (Schema.objects.count(), SchemaRevision.objects.count()) == (2, 2)
    reuse = Turn.objects.latest("created_at")
    assert (reuse.round, [call.tool for call in reuse.calls.all()]) == (2, ["run_extraction"])


def test_a_field_that_accepted_definitions_lack_is_proposed_as_a_revision_of_them(actor: Actor) -> None:
    first = request_setup(
        actor, "\n".join(line for line in cases.INVOICE.splitlines() if "Your order" not in line), "a.pdf"
    )
    work()
    proposals.accept(actor, proposal=now(first).proposal)
    accepted = Schema.objects.get().latest
    second = invoice(actor, 2)
    work()
    proposal = now(second).proposal
    assert proposal and (proposal.status, proposal.extends, proposal.reused) == ("proposed", True, False)
    assert Schema.objects.get().latest == accepted and "po_number" not in accepted.json_schema["properties"]
    assert now(second).extraction.current["po_number"] == "PO755269"
    proposals.reject(actor, proposal=proposal)
    assert [revision.status for revision in SchemaRevision.objects.order_by("number")] == ["accepted", "rejected"]
    assert Schema.objects.get(trashed_at=None).latest == accepted
    assert Prompt.objects.get(trashed_at=None).latest.number == 1


def test_another_receipt_is_named_after_its_maker_when_the_kind_is_taken(actor: Actor) -> None:
    """Names of a kind run out of numbers when every shop's receipts are a group of their own."""
    for name in ("Receipt", "Receipt 2"):
        Schema.objects.create(organization=actor.organization, name=name, created_by=actor.user)
    auto = request_setup(actor, cases.RECEIPT, "receipt.jpg")
    work()
    assert now(auto).proposal.prompt_revision.prompt.name == "Receipt of YONGFATT ENTERPRISE"


def test_a_page_without_labels_fails_in_the_agents_own_words(actor: Actor) -> None:
    auto = request_setup(actor, "Chapter II\nIt was a dark and stormy night.", "book.pdf")
    work()
    assert now(auto).status == "failed"
    assert now(auto).reason.startswith("The agent ended without an extraction. It said: “")
    assert "I find no label with a value and no table" in now(auto).reason
    assert not ToolCall.objects.exists() and not Schema.objects.exists()
