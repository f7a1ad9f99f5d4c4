"""A run that has rows of two pages of four, and a model that gives the rest."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.actor import Actor
from documents import extractions, values
from documents.models import Extraction, LanguageModel, PromptRevision
from tests.documents.long_tables import make_pages
from tests.documents.reading_rows import document_with
from tests.scripted_model import ScriptedModel, answers

ROWS = 30
WRONG = answers({"items": "none"})


@pytest.fixture
def model(scripted_model: ScriptedModel) -> ScriptedModel:
    """It takes one page of these documents at a time."""
    LanguageModel.objects.create(
        name="openai/scripted", provider="openai", answers_schema=True, available=True, max_input_tokens=600
    )
    return scripted_model


def give(*skus: int, **fields: Any) -> Any:
    rows = [{"sku": f"P-{sku:05}", "amount": sku + 0.5} for sku in skus]
    return answers({"number": "INV-7", "items": rows, **fields})


def run_all_extractions() -> None:
    while extractions.run_next(holder="test"):
        pass


def list_skus(run: Extraction) -> list[str | None]:
    return [row.get("sku") for row in values.strip_row_ids(run.current)["items"]]


@pytest.fixture
def partial(builder: Actor, prompt: PromptRevision, model: ScriptedModel) -> Extraction:
    return run_partially(builder, prompt, model)


def run_partially(actor: Actor, prompt: PromptRevision, model: ScriptedModel) -> Extraction:
    """A run that has rows of pages 1 and 3 of four: pages 2 and 4 gave no answer."""
    document = document_with(actor.organization, *make_pages(4, ROWS), user=actor.user)
    model.will(give(1, 2), WRONG, WRONG, give(61, 62), WRONG, WRONG)
    run = extractions.start(actor, document=document, prompt_revision=prompt)
    run_all_extractions()
    run.refresh_from_db()
    assert (run.status, run.pages_missing, list_skus(run)) == (
        "completed",
        [2, 4],
        ["P-00001", "P-00002", "P-00061", "P-00062"],
    )
    model.requests.clear()
    return run
