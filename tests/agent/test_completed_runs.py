"""However a run is asked for, it is completed in one place: with the edits of people, its values and its state."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.actor import Actor
from agent.models import Thread
from documents import bulk, extractions
from documents.autosetup.trials import take_trial
from documents.extractions import edits
from documents.models import Document, Extraction, PromptRevision, Proposal, ProposalSibling
from tests.agent.undo_rows import Act, act, document, extraction, prompt, thread  # noqa: F401 - fixtures
from tests.conftest import ApiClient
from tests.documents.bulk.bulk_rows import ask, work
from tests.repository.counts import ROOT, product_files, text_of
from tests.scripted_model import MODEL, ScriptedModel, answers

pytestmark = pytest.mark.django_db(transaction=True)
Run = Callable[[], object]


@pytest.fixture
def ways(
    actor: Actor,
    document: Document,
    prompt: PromptRevision,
    act: Act,
    thread: Thread,
    api_as: Callable[[Actor], ApiClient],
) -> dict[str, Run]:
    """Each asks for one run, and has it done."""

    def run_in_bulk() -> None:
        action = ask(actor, "run", [document], prompt_revid=prompt.pk, again=True)
        work(action)
        extractions.run_next(holder="test")
        bulk.run_next(holder="test")

    def run_over_api() -> None:
        address = f"/v0/orgs/{actor.organization.pk}/llm/run/{document.pk}?prompt_revid={prompt.pk}&force=true&wait=0"
        assert api_as(actor).post(address, {}).status_code == 202
        extractions.run_next(holder="test")

    def run_by_hand() -> None:
        extractions.start(actor, document=document, prompt_revision=prompt)
        extractions.run_next(holder="test")

    def take_from_proposal() -> None:
        draft = extractions.prepare(actor, document=document, prompt_revision=prompt)
        proposal = Proposal.objects.create(organization=actor.organization, lead=document)
        ProposalSibling.objects.create(
            proposal=proposal,
            document=document,
            thread_id=thread.pk,
            likeness=1,
            prompt_revision=prompt,
            trial=draft.as_json(),
        )
        assert take_trial(actor, document=document, prompt_revision=prompt)

    def run_as_agent() -> None:
        act("run_extraction", prompt_revid=prompt.pk)

    return {way.__name__: way for way in (run_by_hand, run_in_bulk, run_over_api, run_as_agent, take_from_proposal)}


@pytest.mark.parametrize("way", ["run_by_hand", "run_in_bulk", "run_over_api", "run_as_agent", "take_from_proposal"])
def test_each_way_brings_the_same(
    way: str,
    ways: dict[str, Run],
    actor: Actor,
    document: Document,
    extraction: Extraction,
    scripted_model: ScriptedModel,
    settings: Any,
) -> None:
    settings.EXTRACTION_MODEL = MODEL
    edits.set_path(actor, extraction=extraction, path="vendor", value="Ostrava")
    scripted_model.will(answers({"vendor": "Second", "total": 3}))
    began = timezone.now()
    ways[way]()
    newest = document.extractions.order_by("-number").first()
    assert newest is not None and newest != extraction and newest.status == "completed"
    assert (newest.result["vendor"], newest.current) == ("Second", {"vendor": "Ostrava", "total": 3})
    assert newest.finished_at is not None and newest.finished_at > began
    values = dict(document.current_values.values_list("path", "text"))
    assert {path: text.casefold() for path, text in values.items()} == {"vendor": "ostrava", "total": "3"}
    document.refresh_from_db()
    assert (document.state, document.review) == ("llm_completed", "to_verify")


def test_nothing_else_completes_a_run() -> None:
    door = "documents/extractions/storing.py"
    calls = re.compile(r"(?<!def )\breapply_edits\(")
    counts = {str(path.relative_to(ROOT)): len(calls.findall(text_of(path))) for path in product_files()}
    assert {name: count for name, count in counts.items() if count} == {door: 1}
