from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import Role
from agent.calls import execution
from agent.models import ToolCall, Turn
from agent.policy.permissions import REFINED
from agent.turns import headless, loop
from documents import extractions
from documents.autosetup import auto_setup, proposals
from documents.definitions import prompts
from documents.models import Document, Extraction, Prompt, PromptRevision, Reading, Schema, SchemaRevision
from tests.documents.proposal_rows import INVOICE, now, response_format
from tests.documents.proposal_rows import make_auto_setup as uploaded
from tests.scripted_model import Reply, ScriptedModel, answers, calls, says

pytestmark = pytest.mark.django_db(transaction=True)
VALUES = {"total": 100.5}
SCHEMA = ("create_schema", {"name": "Invoice", "response_format": response_format("total")})
DONE = says("An invoice schema with one field. Nothing is uncertain.")


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
                loop.run_round(turn_id, holder="test")
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
    requests = [text for text in map(json.dumps, scripted_model.requests) if 'kind=\\"candidates' in text]
    assert revision.pk in requests[-1]
    assert (now(later).status, now(later).reason) == ("accepted", "“Invoice” fits.")
    assert (Schema.objects.count(), SchemaRevision.objects.count()) == (1, 1)


def test_a_nearly_fitting_schema_is_extended_as_a_proposed_revision(actor: Actor, run: Callable[..., None]) -> None:
    first = uploaded(actor)
    run(*DESIGN)
    first_proposal = now(first).proposal
    assert first_proposal
    proposals.accept(actor, proposal=first_proposal)
    accepted = Schema.objects.get().latest_id
    later = uploaded(actor, INVOICE.format(n=2, who="Zebra"), "later.pdf")
    schema, prompt = Schema.objects.get(), Prompt.objects.get()
    more = ("update_schema", {"schema_id": schema.pk, "response_format": response_format("total", "tax")})

    def new_prompt() -> Reply:
        newest = SchemaRevision.objects.latest("number")
        return calls(("update_prompt", {"prompt_id": prompt.pk, "schema_id": newest.pk}))

    run(calls(more), new_prompt, calls(("run_extraction", {})), DONE)
    later_proposal = now(later).proposal
    assert later_proposal and (later_proposal.status, later_proposal.extends, later_proposal.reused) == (
        "proposed",
        True,
        False,
    )
    assert Schema.objects.get().latest_id == accepted
    proposals.accept(actor, proposal=later_proposal)
    assert Schema.objects.get().latest_id == later_proposal.schema_revision_id != accepted


@pytest.mark.parametrize(
    ("requested", "error"),
    [
        (("create_tag", {"name": "Paid"}), "Automatic setup only"),
        (("delete_document", {}), "Automatic setup only"),
        (("create_prompt", {"name": "P", "content": "c", "tag_ids": []}), ""),
        (("update_document", {"document_name": "evil.pdf"}), "Automatic setup only"),
    ],
)
def test_what_is_not_on_the_list_is_denied_without_a_card(
    actor: Actor, run: Callable[..., None], requested: tuple[str, dict[str, Any]], error: str
) -> None:
    auto = uploaded(actor)
    run(calls(requested), says("I give up."))
    call = ToolCall.objects.get()
    if error:
        assert (call.status, error in (call.result or {})["error"]) == ("denied", True)
    assert now(auto).status == "failed"
    assert not Prompt.objects.filter(trashed_at=None).exists()


def test_a_failure_after_the_first_extraction_still_proposes_with_a_note(
    actor: Actor, run: Callable[..., None], settings: Any
) -> None:
    settings.HEADLESS_MAX_ROUNDS = 3
    auto = uploaded(actor)
    run(*DESIGN[:3])
    proposal = now(auto).proposal
    assert proposal and (proposal.status, "It stopped early." in proposal.note) == ("proposed", True)
    assert Turn.objects.get().status == "cancelled"


def refine_prompt(content: str) -> Callable[[], Reply]:
    def reply() -> Reply:
        return calls(("update_prompt", {"prompt_id": Prompt.objects.get().pk, "content": content}))

    return reply


AGAIN = calls(("run_extraction", {}))


def test_it_refines_twice_and_no_more_and_the_result_is_proposed(actor: Actor, run: Callable[..., None]) -> None:
    auto = uploaded(actor)
    run(
        *DESIGN[:3],
        refine_prompt("Second."),
        AGAIN,
        refine_prompt("Third."),
        AGAIN,
        refine_prompt("Fourth."),
        AGAIN,
        DONE,
    )
    runs = list(ToolCall.objects.filter(tool="run_extraction").order_by("round").values_list("status", flat=True))
    assert runs == ["succeeded"] * 3 + ["denied"]
    late = find_proposed("Fourth.")
    assert (late.status, late.result["error"]) == ("denied", REFINED)
    proposal = now(auto).proposal
    assert proposal and proposal.prompt_revision and proposal.status == "proposed"
    assert (proposal.prompt_revision.content, proposal.note) == ("Third.", "")
    assert auto.document.extractions.filter(status="completed").count() == 3


def find_proposed(content: str) -> ToolCall:
    (call,) = [each for each in ToolCall.objects.all() if each.proposed and each.proposed.get("content") == content]
    return call


def test_runs_asked_for_at_once_count_each(actor: Actor, run: Callable[..., None]) -> None:
    uploaded(actor)

    def every_version() -> Reply:
        revisions = PromptRevision.objects.order_by("number").values_list("pk", flat=True)
        return calls(*(("run_extraction", {"prompt_revid": revid}) for revid in revisions))

    run(calls(SCHEMA), prompt_of_its_schema, *map(refine_prompt, ("Second.", "Third.", "Fourth.")), every_version, DONE)
    runs = ToolCall.objects.filter(tool="run_extraction").order_by("position")
    assert [call.status for call in runs] == ["succeeded"] * 3 + ["denied"]


def test_the_same_version_again_is_a_refinement_as_well(actor: Actor, run: Callable[..., None]) -> None:
    uploaded(actor)
    run(*DESIGN[:3], AGAIN, refine_prompt("Second."), AGAIN, refine_prompt("Third."), DONE)
    assert [call.status for call in ToolCall.objects.filter(tool="run_extraction")] == ["succeeded"] * 3
    assert find_proposed("Third.").result == {"error": REFINED}


def test_looking_at_what_it_made_is_no_refinement(actor: Actor, run: Callable[..., None]) -> None:
    uploaded(actor)

    def look() -> Reply:
        own = {"prompt_revid": PromptRevision.objects.latest("number").pk}
        return calls(*((tool, own) for tool in ("get_prompt", "get_prompt", "get_extraction_result")))

    run(*DESIGN[:3], look, refine_prompt("Second."), AGAIN, DONE)
    assert ToolCall.objects.filter(tool="run_extraction", status="succeeded").count() == 2
    assert not ToolCall.objects.filter(status="denied").exists()


def test_trying_what_is_in_force_is_no_refinement(actor: Actor, run: Callable[..., None]) -> None:
    names = ("One", "Two", "Three", "Four")
    accepted = [prompts.create(actor, name=name, content=f"Take {name}.").pk for name in names]
    uploaded(actor)
    run(*(calls(("run_extraction", {"prompt_revid": revid})) for revid in accepted), calls(SCHEMA), DONE)
    assert not ToolCall.objects.filter(status="denied").exists()


def test_nothing_to_read_is_skipped(actor: Actor) -> None:
    auto = uploaded(actor, "")
    auto_setup.assign_waiting()
    assert (now(auto).status, now(auto).reason) == ("skipped", "There is no text on its pages.")


def test_a_file_that_could_not_be_read_is_skipped_with_the_reason(actor: Actor) -> None:
    auto = uploaded(actor)
    Reading.objects.update(status="failed", reason="It is encrypted.")
    Document.objects.update(state=Document.State.OCR_FAILED, state_reason="It is encrypted.")
    auto_setup.assign_waiting()
    assert (now(auto).status, now(auto).reason) == ("skipped", "It could not be read. It is encrypted.")


def test_a_reviewer_may_ask_and_a_builder_decides(
    actor: Actor, member: Callable[[Role], Actor], run: Callable[..., None]
) -> None:
    auto = uploaded(member(Role.REVIEWER))
    run(*DESIGN)
    assert now(auto).status == "proposed"
