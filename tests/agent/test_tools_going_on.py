"""The agent goes on with a run that misses pages."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import pytest

from accounts.actor import Actor
from documents.models import Document, Extraction, PromptRevision
from tests.agent.tool_documents import Do
from tests.documents.extraction_rows import make_prompt
from tests.documents.partial_runs import give, model, run_partially  # noqa: F401 - model is a fixture
from tests.scripted_model import ScriptedModel

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def prompt(actor: Actor) -> PromptRevision:
    return make_prompt(actor)


@pytest.fixture
def partial(actor: Actor, prompt: PromptRevision, model: ScriptedModel) -> Extraction:
    return run_partially(actor, prompt, model)


@pytest.fixture
def document(partial: Extraction) -> Document:
    return partial.document


def test_it_asks_for_the_missing_pages_on_a_card_that_names_them(
    do: Do, prompt: PromptRevision, partial: Extraction, model: ScriptedModel
) -> None:
    missing = do("get_extraction_result", prompt_revid=prompt.pk).result["missing"]
    assert missing.startswith("Not seen: pages 2, 4. Page 2: ") and missing.endswith("go_on asks for them alone.")
    model.will(give(31), give(91))
    call = do("run_extraction", prompt_revid=prompt.pk, go_on=True)
    assert (call.status, call.preview["title"]) == ("succeeded", "Go on with “Read invoices” on invoice.pdf")
    assert {row["name"]: row["value"] for row in call.preview["rows"]}["Pages"] == "2, 4 of 4"
    assert "missing" not in call.result and len(call.result["result"]["items"]) == 6
    assert Extraction.objects.get(call_id=call.pk).continues == partial


def test_a_first_run_asks_for_the_pages_that_a_person_named(
    do: Do, prompt: PromptRevision, partial: Extraction, model: ScriptedModel
) -> None:
    Extraction.objects.filter(pk=partial.pk).delete()
    model.will(give(31), give(91))
    call = do("run_extraction", prompt_revid=prompt.pk, pages="2-3")
    assert call.status == "succeeded", call.result
    assert {row["name"]: row["value"] for row in call.preview["rows"]}["Pages"] == "2 to 3 of 4"
    assert Extraction.objects.get().coverage == [2, 3] and call.result["missing"].startswith("Not seen: pages 1, 4.")


def test_what_cannot_go_on_is_said_before_anybody_is_asked(do: Do, prompt: PromptRevision, partial: Extraction) -> None:
    def refuse(**arguments: object) -> str:
        call = do("run_extraction", prompt_revid=prompt.pk, **arguments)
        assert call.status == "invalid" and not call.preview
        return str(call.result["error"])

    assert "no pages 9" in refuse(go_on=True, pages="9") and "no pages 9" in refuse(pages="9")
    Extraction.objects.filter(pk=partial.pk).update(coverage=[1, 2, 3, 4])
    assert "has seen every page" in refuse(go_on=True)
