"""Automatic setup refines what it made: its prompt follows its schema, and both get other names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.actor import Actor
from agent.models import ToolCall
from documents.autosetup import proposals
from documents.definitions import prompts
from documents.models import Prompt, Schema
from tests.agent.test_headless import DESIGN, DONE, run
from tests.documents.proposal_rows import INVOICE, now, response_format
from tests.documents.proposal_rows import make_auto_setup as uploaded
from tests.scripted_model import Reply, calls

__all__ = ["run"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


def follow_refined_schema(*, name: str = "") -> Callable[[], Reply]:
    """Adds a field, has the prompt follow and runs it, all in one answer."""

    def reply() -> Reply:
        schema, prompt = Schema.objects.get(), Prompt.objects.get()
        change = {"schema_id": schema.pk, "response_format": response_format("total", "tax")}
        return calls(
            ("update_schema", {**change, **({"name": name} if name else {})}),
            ("update_prompt", {"prompt_id": prompt.pk, "follow_schema": True}),
            ("run_extraction", {}),
        )

    return reply


@pytest.mark.parametrize("name", ["", "Supplier invoice"])
def test_its_prompt_follows_its_refined_schema_in_one_answer(actor: Actor, run: Callable[..., None], name: str) -> None:
    auto = uploaded(actor)
    run(*DESIGN[:3], follow_refined_schema(name=name), DONE)
    assert not ToolCall.objects.exclude(status="succeeded").exists()
    proposal = now(auto).proposal
    assert proposal and proposal.prompt_revision and proposal.schema_revision
    assert (proposal.prompt_revision.number, proposal.schema_revision.number) == (2, 2)
    assert list(proposal.schema_revision.json_schema["properties"]) == ["total", "tax"]
    assert (Schema.objects.get().name, Prompt.objects.get().name) == (name or "Invoice", name or "Invoice")


def test_it_renames_what_it_made_in_a_later_answer(actor: Actor, run: Callable[..., None]) -> None:
    uploaded(actor)

    def rename() -> Reply:
        schema, prompt = Schema.objects.get(), Prompt.objects.get()
        return calls(
            ("update_schema", {"schema_id": schema.pk, "name": "Bill"}),
            ("update_prompt", {"prompt_id": prompt.pk, "name": "Bill of sale"}),
        )

    run(*DESIGN[:3], rename, DONE)
    assert (Schema.objects.get().name, Prompt.objects.get().name) == ("Bill", "Bill of sale")


def test_it_extends_what_is_in_force_and_never_renames_it(actor: Actor, run: Callable[..., None]) -> None:
    """A name is nobody's proposal: it would be another one for everybody at once."""
    first = uploaded(actor)
    run(*DESIGN)
    first_proposal = now(first).proposal
    assert first_proposal
    proposals.accept(actor, proposal=first_proposal)
    schema, prompt = Schema.objects.get(), Prompt.objects.get()
    prompts.save_version(actor, prompt=prompt, name="Invoices of vendors")
    later = uploaded(actor, INVOICE.format(n=2, who="Zebra"), "later.pdf")
    renames = (
        ("update_schema", {"schema_id": schema.pk, "name": f"Mine {schema.pk}"}),
        ("update_prompt", {"prompt_id": prompt.pk, "name": "Mine"}),
    )
    run(calls(*renames), follow_refined_schema(), DONE)
    denied = ToolCall.objects.filter(status="denied").values_list("tool", flat=True)
    assert sorted(denied) == ["update_prompt", "update_schema"]
    assert (Schema.objects.get().name, Prompt.objects.get().name) == ("Invoice", "Invoices of vendors")
    proposal = now(later).proposal
    assert proposal and proposal.extends and proposal.schema_revision
    assert list(proposal.schema_revision.json_schema["properties"]) == ["total", "tax"]
