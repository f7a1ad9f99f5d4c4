from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import Role
from agent import loop
from agent.models import ToolCall, Turn
from agent.services import execution, headless
from docrouter.kit.errors import Conflict
from documents.backends.words import pack
from documents.models import (
    AutoCreate,
    Document,
    Extraction,
    Page,
    Prompt,
    Proposal,
    Reading,
    Schema,
    SchemaRevision,
)
from documents.services import auto_create, extractions, proposals
from tests.documents.test_likeness import INVOICE, RECEIPT, drawn
from tests.scripted_model import Reply, ScriptedModel, answers, calls, fails, says

pytestmark = pytest.mark.django_db(transaction=True)
FIELD = {"type": "number", "description": "The amount due, as printed"}
VALUES = {"total": 100.5}


def response_format(*names: str) -> dict[str, Any]:
    inner = {"type": "object", "properties": dict.fromkeys(names, FIELD)}
    return {"type": "json_schema", "json_schema": {"name": "invoice", "schema": inner}}


SCHEMA = ("create_schema", {"name": "Invoice", "response_format": response_format("total")})
DONE = says("An invoice schema with one field. Nothing is uncertain.")


def uploaded(actor: Actor, text: str = INVOICE.format(n=1, who="Acme"), name: str = "a.pdf") -> AutoCreate:
    """A document that has been read and asked for its setup."""
    document = Document.objects.create(
        organization=actor.organization, name=name, sha256="0" * 64, size=1, media_type="application/pdf",
        file="none", state=Document.State.OCR_COMPLETED,
    )  # fmt: skip
    reading = Reading.objects.create(document=document, number=1, status="completed", page_count=1)
    Page.objects.create(
        reading=reading, number=1, width=600, height=800, text=text, engine="text", words=pack(drawn(text))
    )
    return auto_create.request(actor, document=document)


@pytest.fixture
def run(scripted_model: ScriptedModel, settings: Any) -> Callable[..., None]:
    """Answers as the model and works until nothing is left. A reply may be a function: it is asked for when due."""
    settings.EXTRACTION_MODEL = settings.DEFAULT_MODEL
    settings.HEADLESS_BUDGET_USD, settings.HEADLESS_LIMIT_SECONDS = 5, 10_000

    def work(*replies: Reply | Callable[[], Reply]) -> None:
        left = list(replies)
        while True:
            headless.sweep()
            queued = list(Turn.objects.filter(status="queued").values_list("pk", flat=True))
            approved = list(ToolCall.objects.filter(status="approved").values_list("pk", flat=True))
            waiting = Extraction.objects.filter(status="queued").exists()
            if not queued and not approved and not waiting:
                headless.sweep()
                return
            for turn_id in queued[:1]:
                _say(left)
                loop.drive(turn_id, holder="test")
            for call_id in approved:
                if ToolCall.objects.get(pk=call_id).tool == "run_extraction":
                    scripted_model.will(answers(VALUES))
                execution.execute(call_id, holder="test")
            while Extraction.objects.filter(status="queued").exists():
                scripted_model.will(answers(VALUES))
                extractions.run_next(holder="test")

    def _say(left: list[Reply | Callable[[], Reply]]) -> None:
        if left:  # a round that meets a limit asks nobody
            reply = left.pop(0)
            scripted_model.will(reply if isinstance(reply, Reply) else reply())

    return work


def prompt_of_its_schema() -> Reply:
    schema = Schema.objects.order_by("-created_at").first()
    assert schema
    return calls(("create_prompt", {"name": "Invoice", "content": "Take the values.", "schema_id": schema.pk}))


DESIGN = (calls(SCHEMA), prompt_of_its_schema, calls(("run_extraction", {})), DONE)


def now(auto: AutoCreate) -> AutoCreate:
    return AutoCreate.objects.select_related("proposal__prompt_revision__prompt", "document").get(pk=auto.pk)


def test_it_leaves_a_proposal_and_nothing_is_in_force(actor: Actor, run: Callable[..., None]) -> None:
    auto = uploaded(actor)
    run(*DESIGN)
    auto = now(auto)
    proposal = auto.proposal
    assert proposal and (auto.status, auto.reason, proposal.reused) == ("proposed", "", False)
    assert auto.extraction and auto.extraction.current["total"] == 100.5
    assert proposal.prompt_revision and proposal.prompt_revision.status == "proposed"
    assert Schema.objects.get().latest is None and Prompt.objects.get().latest is None
    assert not ToolCall.objects.filter(status="pending").exists()


def test_accepting_puts_it_in_force_once(actor: Actor, run: Callable[..., None]) -> None:
    auto = uploaded(actor)
    run(*DESIGN)
    proposal = now(auto).proposal
    assert proposal
    proposals.accept(actor, proposal=proposal, tag_name="Invoices")
    prompt = Prompt.objects.select_related("latest").get()
    assert prompt.latest and [tag.name for tag in prompt.latest.tags.all()] == ["Invoices"]
    assert [tag.name for tag in auto.document.tags.all()] == ["Invoices"]
    assert (now(auto).status, now(auto).decided_by) == ("accepted", actor.user)
    with pytest.raises(Conflict, match="was accepted by") as raised:
        proposals.reject(actor, proposal=Proposal.objects.get())
    assert raised.value.winner and raised.value.winner["kind"] == "accepted"


def test_rejecting_removes_what_the_run_made(actor: Actor, run: Callable[..., None]) -> None:
    auto = uploaded(actor)
    run(*DESIGN)
    proposal = now(auto).proposal
    assert proposal
    proposals.reject(actor, proposal=proposal, reason="Too few fields")
    assert not Schema.objects.filter(trashed_at=None).exists() and not Prompt.objects.filter(trashed_at=None).exists()
    assert Extraction.objects.get().status == "withdrawn"
    assert (now(auto).status, now(auto).reason) == ("rejected", "Too few fields")


def test_look_alikes_share_one_proposal_and_a_receipt_makes_its_own(actor: Actor, run: Callable[..., None]) -> None:
    invoices = [uploaded(actor, INVOICE.format(n=n, who=f"Firm{n}"), f"{n}.pdf") for n in range(1, 6)]
    auto_create.assign_waiting()
    run(*DESIGN)
    assert {now(each).status for each in invoices} == {"proposed"}
    assert len({now(each).proposal_id for each in invoices}) == 1
    assert (Schema.objects.count(), Prompt.objects.count(), Turn.objects.count()) == (1, 1, 1)
    receipt = uploaded(actor, RECEIPT.format(n=1, who="Shop"), "r.jpg")
    named = ("create_schema", {"name": "Receipt", "response_format": response_format("change")})
    asks = lambda: calls(  # noqa: E731
        (
            "create_prompt",
            {"name": "Receipt", "content": "Take it.", "schema_id": Schema.objects.get(name="Receipt").pk},
        )
    )
    run(calls(named), asks, calls(("run_extraction", {})), DONE)
    assert now(receipt).proposal_id != now(invoices[0]).proposal_id
    assert Schema.objects.count() == 2


def test_an_accepted_prompt_is_reused_and_needs_nobody(
    actor: Actor, run: Callable[..., None], scripted_model: ScriptedModel
) -> None:
    run_first = uploaded(actor)
    run(*DESIGN)
    proposal = now(run_first).proposal
    assert proposal
    proposals.accept(actor, proposal=proposal)
    later = uploaded(actor, INVOICE.format(n=2, who="Zebra"), "later.pdf")
    revision = Prompt.objects.get().latest
    assert revision
    run(calls(("run_extraction", {"prompt_revid": revision.pk})), DONE)
    shown = [text for text in map(json.dumps, scripted_model.requests) if 'kind=\\"candidates' in text]
    assert revision.pk in shown[-1]
    assert (now(later).status, now(later).reason) == ("accepted", "“Invoice” fits.")
    assert (Schema.objects.count(), SchemaRevision.objects.count()) == (1, 1)


def test_a_nearly_fitting_schema_is_extended_as_a_proposed_revision(actor: Actor, run: Callable[..., None]) -> None:
    first = uploaded(actor)
    run(*DESIGN)
    proposal = now(first).proposal
    assert proposal
    proposals.accept(actor, proposal=proposal)
    accepted = Schema.objects.get().latest_id
    later = uploaded(actor, INVOICE.format(n=2, who="Zebra"), "later.pdf")
    schema, prompt = Schema.objects.get(), Prompt.objects.get()
    more = ("update_schema", {"schema_id": schema.pk, "response_format": response_format("total", "tax")})

    def new_prompt() -> Reply:
        newest = SchemaRevision.objects.latest("number")
        return calls(("update_prompt", {"prompt_id": prompt.pk, "schema_id": newest.pk}))

    run(calls(more), new_prompt, calls(("run_extraction", {})), DONE)
    held = now(later).proposal
    assert held and (held.status, held.extends, held.reused) == ("proposed", True, False)
    assert Schema.objects.get().latest_id == accepted
    proposals.accept(actor, proposal=held)
    assert Schema.objects.get().latest_id == held.schema_revision_id != accepted


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (("create_tag", {"name": "Paid"}), "Automatic setup only"),
        (("delete_document", {}), "Automatic setup only"),
        (("create_prompt", {"name": "P", "content": "c", "tag_ids": []}), ""),
        (("update_document", {"document_name": "evil.pdf"}), "Automatic setup only"),
    ],
)
def test_what_is_not_on_the_list_is_denied_without_a_card(
    actor: Actor, run: Callable[..., None], wanted: tuple[str, dict[str, Any]], said: str
) -> None:
    auto = uploaded(actor)
    run(calls(wanted), says("I give up."))
    call = ToolCall.objects.get()
    if said:
        assert (call.status, said in (call.result or {})["error"]) == ("denied", True)
    assert now(auto).status == "failed"
    assert not Prompt.objects.filter(trashed_at=None).exists()


def test_a_failure_after_the_first_extraction_still_proposes_with_a_note(
    actor: Actor, run: Callable[..., None], settings: Any
) -> None:
    settings.HEADLESS_MAX_ROUNDS = 3
    auto = uploaded(actor)
    run(*DESIGN[:3])
    held = now(auto).proposal
    assert held and (held.status, "It stopped early." in held.note) == ("proposed", True)
    assert Turn.objects.get().status == "cancelled"


def test_a_failing_provider_leaves_a_reason_and_nothing_else(actor: Actor, run: Callable[..., None]) -> None:
    auto = uploaded(actor)
    run(calls(SCHEMA), fails(401, "no"))
    assert now(auto).status == "failed" and now(auto).reason
    assert not Schema.objects.filter(trashed_at=None).exists()


def test_nothing_to_read_is_skipped(actor: Actor) -> None:
    auto = uploaded(actor, "")
    auto_create.assign_waiting()
    assert (now(auto).status, now(auto).reason) == ("skipped", "There is no text on its pages.")


def test_a_file_that_could_not_be_read_is_skipped_with_the_reason(actor: Actor) -> None:
    auto = uploaded(actor)
    Reading.objects.update(status="failed", reason="It is encrypted.")
    Document.objects.update(state=Document.State.OCR_FAILED, state_reason="It is encrypted.")
    auto_create.assign_waiting()
    assert (now(auto).status, now(auto).reason) == ("skipped", "It could not be read. It is encrypted.")


def test_a_reviewer_may_ask_and_a_builder_decides(
    actor: Actor, member: Callable[[Role], Actor], run: Callable[..., None]
) -> None:
    auto = uploaded(member(Role.REVIEWER))
    run(*DESIGN)
    assert now(auto).status == "proposed"


def test_two_workers_start_one_turn(actor: Actor) -> None:
    uploaded(actor)
    auto_create.assign_waiting()
    proposal = Proposal.objects.get()
    headless.advance(proposal.pk)
    headless.advance(proposal.pk)
    assert Turn.objects.count() == 1


def test_rejecting_while_it_is_being_made_stops_the_turn_and_keeps_nothing(
    actor: Actor, run: Callable[..., None], scripted_model: ScriptedModel
) -> None:
    auto = uploaded(actor)
    auto_create.assign_waiting()
    proposal = Proposal.objects.get()
    headless.advance(proposal.pk)
    scripted_model.will(calls(SCHEMA))
    loop.drive(Turn.objects.get().pk, holder="test")
    execution.execute(ToolCall.objects.get().pk, holder="test")
    proposals.reject(actor, proposal=proposal)
    headless.advance(proposal.pk)
    assert Turn.objects.get().status == "cancelled"
    headless.advance(proposal.pk)
    assert now(auto).status == "rejected" and not Schema.objects.filter(trashed_at=None).exists()


def test_retrying_drops_the_proposal_and_asks_again(actor: Actor, run: Callable[..., None]) -> None:
    auto = uploaded(actor)
    run(*DESIGN)
    proposals.retry(actor, auto=now(auto))
    again = now(auto)
    assert (again.status, again.proposal, again.turn_id) == ("queued", None, "")
    assert not Schema.objects.filter(trashed_at=None).exists()
    run(*DESIGN)
    assert now(auto).status == "proposed"


def test_one_document_is_taken_out_of_its_group(actor: Actor, run: Callable[..., None]) -> None:
    first, second = (uploaded(actor, INVOICE.format(n=n, who="A"), f"{n}.pdf") for n in (1, 2))
    auto_create.assign_waiting()
    run(*DESIGN)
    proposals.take_out(actor, auto=now(first))
    assert (now(first).status, now(first).proposal) == ("rejected", None)
    assert now(second).status == "proposed" and Proposal.objects.get().lead == second.document
    assert now(first).extraction and now(first).extraction.status == "withdrawn"
