"""Tables that are longer than an answer of the model may be."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from accounts.actor import Actor
from documents import extractions, values
from documents.extractions.model_requests.model_answers import read_cut_answer
from documents.extractions.windowing.windowed_run import GONE_ON
from documents.models import Budget, LanguageModel, PromptRevision
from llm.client import ModelFailed
from tests.documents.extraction_rows import builder, prompt  # noqa: F401 - fixtures
from tests.documents.long_tables import LETTERS_A_TOKEN, LETTERS_ELSEWHERE, CopyingModel, make_pages
from tests.documents.reading_rows import document_with
from tests.scripted_model import ScriptedModel, answers, fails, says

pytestmark = pytest.mark.django_db(transaction=True)
PAGES, ROWS = 6, 20


@pytest.fixture
def copying_model(request: pytest.FixtureRequest, settings: Any) -> Iterator[CopyingModel]:
    model = CopyingModel(*getattr(request, "param", ()))
    model.start()
    settings.MODEL_API_BASE = model.base_url
    settings.DEFAULT_MODEL = settings.EXTRACTION_MODEL = model.model
    yield model
    model.stop()


@pytest.mark.parametrize("max_tokens", [200, 300, 700])
def test_cut_answers_go_on_after_their_last_row(
    builder: Actor, prompt: PromptRevision, copying_model: CopyingModel, settings: Any, max_tokens: int
) -> None:
    settings.MODEL_MAX_TOKENS = max_tokens
    document = document_with(builder.organization, *make_pages(PAGES, ROWS))
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    result = values.strip_row_ids(draft.result)
    assert [row["sku"] for row in result["items"]] == [f"P-{at:05}" for at in range(PAGES * ROWS)]
    assert (result["number"], result["total"]) == ("INV-7", PAGES * ROWS)
    assert (draft.coverage, draft.notes) == (list(range(1, PAGES + 1)), [])
    ideal = -(-copying_model.output // max_tokens)
    assert copying_model.cut and len(copying_model.requests) <= 1.3 * ideal + 1


@pytest.mark.parametrize("price", [0, 1_000_000], ids=["free", "priced"])
@pytest.mark.parametrize(
    "copying_model", [(LETTERS_ELSEWHERE,), (10_000,), (LETTERS_A_TOKEN, "stop")], indirect=True, ids=str
)
def test_no_row_is_lost_where_a_server_counts_otherwise_or_does_not_say_that_it_cut(
    builder: Actor, prompt: PromptRevision, copying_model: CopyingModel, settings: Any, price: int
) -> None:
    settings.MODEL_MAX_TOKENS = 400
    settings.MODEL_PRICES = {copying_model.model: (price, price)}
    document = document_with(builder.organization, *make_pages(PAGES, 2 * ROWS))
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    rows = [row["sku"] for row in values.strip_row_ids(draft.result)["items"]]
    assert rows == [f"P-{at:05}" for at in range(PAGES * 2 * ROWS)]
    assert (draft.coverage, draft.notes) == (list(range(1, PAGES + 1)), [])
    budget = Budget.objects.get()
    assert budget.reserved_micros == 0 and budget.spent_micros <= budget.limit_micros


def test_a_server_that_never_ends_and_gives_no_row_is_asked_once(
    builder: Actor, prompt: PromptRevision, scripted_model: ScriptedModel, settings: Any
) -> None:
    settings.MODEL_MAX_TOKENS = 100
    document = document_with(builder.organization, *make_pages(PAGES, ROWS))
    scripted_model.will(says(*["all work and no play "] * 500))
    with pytest.raises(ModelFailed, match="ignores max_tokens"):
        extractions.prepare(builder, document=document, prompt_revision=prompt)
    assert len(scripted_model.requests) == 1


def test_a_cut_answer_stays_on_the_page_that_it_ended_on(
    builder: Actor, prompt: PromptRevision, copying_model: CopyingModel, settings: Any
) -> None:
    settings.MODEL_MAX_TOKENS = 700
    document = document_with(builder.organization, *make_pages(PAGES, ROWS))
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    second = copying_model.requests[1]["messages"][1]["content"]
    assert '<data kind="last_row">' in second and '<page number="1">' not in second
    rows = values.strip_row_ids(draft.result)["items"]
    places = [place["page"] for where, place in draft.provenance.items() if where.endswith(".sku")]
    assert len(rows) == PAGES * ROWS and sorted(set(places)) == list(range(1, PAGES + 1))


@pytest.mark.parametrize("rows", ['["P-1", "P-2", "P-3', "[null, null, {"])
def test_an_answer_that_was_cut_in_rows_of_no_use_is_asked_for_in_smaller_parts(
    builder: Actor, prompt: PromptRevision, scripted_model: ScriptedModel, settings: Any, rows: str
) -> None:
    settings.MODEL_MAX_TOKENS = 300
    document = document_with(builder.organization, *make_pages(2, 3))
    misfit = says(f'{{"number": "INV-7", "items": {rows}').with_finish("length")
    scripted_model.will(misfit, *(answers({"number": "INV-7", "items": [{"sku": sku}]}) for sku in ("P-1", "P-2")))
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    assert [row["sku"] for row in values.strip_row_ids(draft.result)["items"]] == ["P-1", "P-2"]
    assert (draft.coverage, draft.notes) == ([1, 2], [])


def test_whole_rows_of_an_answer_that_broke_off_are_kept(
    builder: Actor, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    document = document_with(builder.organization, make_pages(2, ROWS)[0])
    broken = says('{"number": "INV-7", "items": [{"sku": "P-00000"}, {"sku": "P-00001"}, {"sku": "P-00').with_break()
    scripted_model.will(broken, answers({"number": "INV-7", "items": [{"sku": "P-00002"}]}))
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    assert [row["sku"] for row in values.strip_row_ids(draft.result)["items"]] == ["P-00000", "P-00001", "P-00002"]
    assert '<data kind="last_row">' in scripted_model.requests[1]["messages"][1]["content"]
    (note,) = draft.notes
    assert "broke off" in note["reason"] and GONE_ON in note["reason"] and note["where"] == "items"


def test_it_ends_when_a_model_gets_no_further(
    builder: Actor, prompt: PromptRevision, scripted_model: ScriptedModel, settings: Any
) -> None:
    settings.MODEL_MAX_TOKENS = 300
    document = document_with(builder.organization, make_pages(2, ROWS)[0])
    same = says('{"number": "INV-7", "items": [{"sku": "P-00000"}, {"sku": "P-00').with_finish("length")
    scripted_model.will(same, same)
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    assert [row["sku"] for row in values.strip_row_ids(draft.result)["items"]] == ["P-00000"]
    assert draft.coverage == []
    assert "Page 1: The answer of openai/scripted was cut off" in draft.notes[0]["reason"]


def test_a_page_that_gives_no_answer_is_named_and_the_others_are_kept(
    builder: Actor, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    LanguageModel.objects.create(
        name="openai/scripted", provider="openai", answers_schema=True, available=True, max_input_tokens=600
    )
    document = document_with(builder.organization, *make_pages(3, 30))
    wrong = answers({"items": "none"})
    first, third = ({"number": "INV-7", "items": [{"sku": sku}]} for sku in ("P-00001", "P-00071"))
    scripted_model.will(answers(first), wrong, wrong, answers(third))
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    assert [row["sku"] for row in values.strip_row_ids(draft.result)["items"]] == ["P-00001", "P-00071"]
    assert draft.coverage == [1, 3]
    assert [(note["where"], note["reason"][:8]) for note in draft.notes] == [("", "Page 2: ")]


def test_a_failure_that_other_pages_would_have_too_ends_the_run(
    builder: Actor, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    LanguageModel.objects.create(
        name="openai/scripted", provider="openai", answers_schema=True, available=True, max_input_tokens=600
    )
    document = document_with(builder.organization, *make_pages(2, 30))
    scripted_model.will(answers({"number": "INV-7", "items": []}), fails(401))
    with pytest.raises(ModelFailed):
        extractions.prepare(builder, document=document, prompt_revision=prompt)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "I cannot",
        '{"items": [{"sku": "A"',
        '{"items": [{"sku": "A"}], "number": "INV',
        '{"number": "INV-7", "items": [], "total": 3',
        '{"items": ' + "[" * 5000,
    ],
)
def test_nothing_is_kept_of_an_answer_without_whole_rows(text: str) -> None:
    assert read_cut_answer(text) is None


def test_the_last_row_is_never_kept_since_it_may_be_cut() -> None:
    cut = read_cut_answer('```json\n{"number": "INV-7", "items": [{"sku": "A"}, {"sku": "B", "amount": 1')
    assert cut and (cut.result, cut.last_row) == ({"number": "INV-7", "items": [{"sku": "A"}]}, {"sku": "A"})
