"""Automatic setup brings the value checks that fit: shown with what they say, each left out before it is accepted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from agent.models import ToolCall
from documents.autosetup import proposals
from documents.autosetup.proposed_checks import list_proposed_checks
from documents.checks.results import refresh_results
from documents.definitions.schema_templates.catalogue import list_templates
from documents.models import Extraction, Prompt, Proposal, Schema, SchemaRevision
from kit.errors import Invalid
from tests.agent.test_headless import DONE, prompt_of_its_schema, run
from tests.documents.proposal_rows import INVOICE, now, response_format
from tests.documents.proposal_rows import make_auto_setup as uploaded
from tests.scripted_model import Reply, calls

__all__ = ["run"]
pytestmark = pytest.mark.django_db(transaction=True)
TEXT = {"type": "string", "description": "As printed."}
TOTAL = {"kind": "total", "parts": ["subtotal", "tax"], "field": "total"}
IBAN = {"kind": "identifier", "field": "iban", "standard": "iban"}


def make_format(*texts: str) -> dict[str, Any]:
    """Three numbers and these texts."""
    made = response_format("subtotal", "tax", "total")
    made["json_schema"]["schema"]["properties"] |= dict.fromkeys(texts, TEXT)
    return made


DESIGN = (
    calls(("create_schema", {"name": "Invoice", "response_format": make_format("iban")})),
    prompt_of_its_schema,
    calls(("run_extraction", {})),
    DONE,
)


@pytest.fixture
def proposal(actor: Actor, run: Callable[..., None]) -> Proposal:
    """Of two look-alikes with a total alone, of which no sum can be computed, and no good IBAN."""
    first = uploaded(actor)
    uploaded(actor, INVOICE.format(n=2, who="Zebra"), "2.pdf")
    run(*DESIGN)
    Extraction.objects.update(current={"total": 100.5, "iban": "DE00 1234"}, schema_revision=None)
    proposal = now(first).proposal
    assert proposal and proposal.schema_revision
    for row in Extraction.objects.all():
        row.schema_revision = proposal.schema_revision
        _judge(row)
    return Proposal.objects.select_related("schema_revision__schema", "prompt_revision").get(pk=proposal.pk)


def _judge(row: Extraction) -> None:
    refresh_results(row)
    row.save()


def test_they_come_with_what_they_say_of_the_documents(proposal: Proposal) -> None:
    assert proposal.schema_revision and proposal.schema_revision.value_checks == [TOTAL, IBAN]
    total, iban = list_proposed_checks(proposal)
    assert (iban.failed, iban.is_chosen, iban.verdict[:15]) == (2, True, "fails on 2 of 2")
    assert (total.uncomputed, total.is_chosen) == (2, False) and "could not be computed" in total.verdict


def test_without_a_word_those_stay_that_say_something(actor: Actor, proposal: Proposal, scripted_model: object) -> None:
    runs = set(Extraction.objects.values_list("pk", flat=True))
    proposals.accept(actor, proposal=proposal)
    schema, prompt = Schema.objects.get(), Prompt.objects.select_related("latest").get()
    assert schema.latest and schema.latest.value_checks == [IBAN]
    assert prompt.latest and prompt.latest.schema_revision_id == schema.latest_id
    assert {(row.pk, row.prompt_revision_id, row.failed_check_count) for row in Extraction.objects.all()} == {
        (pk, prompt.latest_id, 1) for pk in runs
    }, "no model was asked again"


def test_the_card_takes_out_what_is_not_ticked(
    client: Client, signed_in: Callable[[Client, Actor], Client], actor: Actor, proposal: Proposal
) -> None:
    page = signed_in(client, actor)
    card = page.get(reverse("proposal", args=(actor.organization.pk, proposal.pk))).content.decode()
    assert "fails on 2 of 2" in card and card.count('name="checks"') == 2 and 'value="Invoice"' in card
    sent = {"with_checks": "1", "checks": ["1"], "shown": proposal.face, "tag": "Invoice"}
    page.post(
        reverse("proposal-accept", args=(actor.organization.pk, proposal.pk)), sent, headers={"HX-Request": "true"}
    )
    schema = Schema.objects.get()
    assert schema.latest and schema.latest.value_checks == [TOTAL]
    assert Extraction.objects.filter(failed_check_count=0).count() == 2
    assert Proposal.objects.get().tag is None


def test_a_template_brings_its_own_checks_and_no_others(actor: Actor, run: Callable[..., None]) -> None:
    uploaded(actor)
    seen = list[object]()

    def look() -> Reply:
        seen.extend(SchemaRevision.objects.values_list("status", "value_checks"))
        return DONE

    run(calls(("create_schema", {"name": "Receipt", "template": "receipt"})), look)
    assert seen == [("proposed", list_templates()["receipt"].value_checks)]


def test_a_check_that_there_is_not_is_refused(actor: Actor, proposal: Proposal) -> None:
    with pytest.raises(Invalid, match="no check 3; it has 2"):
        proposals.accept(actor, proposal=proposal, checks=[1, 3])
    assert Proposal.objects.get().status == "proposed"


def test_refining_brings_those_of_new_fields_alone(actor: Actor, run: Callable[..., None]) -> None:
    auto = uploaded(actor)

    def refine() -> object:
        schema = Schema.objects.get()
        more = {"schema_id": schema.pk, "response_format": make_format("iban", "bic"), "value_checks": []}
        return calls(
            ("update_schema", more), ("update_prompt", {"prompt_id": Prompt.objects.get().pk, "follow_schema": True})
        )

    first = calls(("create_schema", {"name": "Invoice", "response_format": make_format("iban")}))
    run(first, prompt_of_its_schema, calls(("run_extraction", {})), refine, calls(("run_extraction", {})), DONE)
    assert not ToolCall.objects.exclude(status="succeeded").exists()
    proposal = now(auto).proposal
    assert proposal and proposal.schema_revision
    assert [check["field"] for check in proposal.schema_revision.value_checks] == ["bic"]
