"""Extractions end to end against a scripted model."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.serializers.json import DjangoJSONEncoder

from accounts.actor import Actor
from documents import extractions, values
from documents.definitions import prompts, schemas
from documents.extractions import ExtractionDraft, edits
from documents.extractions.model_requests.bare_schema import strip_schema
from documents.extractions.model_requests.line_hints import DESCRIPTION, LINES
from documents.models import Document, Extraction, LanguageModel, PromptRevision, Usage
from kit.errors import Conflict
from llm.client import ModelFailed
from tests.documents.extraction_rows import (  # noqa: F401 - some are fixtures
    PAGE,
    RESULT,
    SCHEMA,
    builder,
    document,
    prompt,
)
from tests.documents.reading_rows import document_with
from tests.scripted_model import ScriptedModel, answers, calls, fails, refuses, says

pytestmark = pytest.mark.django_db(transaction=True)


Extract = Callable[..., Extraction]


@pytest.fixture
def extract(builder: Actor, document: Document, prompt: PromptRevision, scripted_model: ScriptedModel) -> Extract:
    """`extract(result)`: prepares with that answer and stores."""

    def run(result: Any = RESULT, **options: Any) -> Extraction:
        scripted_model.will(answers(result))
        draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
        return extractions.store(builder, draft=draft, **options)

    return run


@pytest.mark.usefixtures("unpriced")
def test_it_extracts_locates_and_records_what_was_seen(
    extract: Extract, scripted_model: ScriptedModel, document: Document
) -> None:
    extraction = extract()
    assert values.strip_row_ids(extraction.result) == RESULT
    assert values.strip_row_ids(extraction.current) == RESULT
    rows = extraction.result["items"]
    first = extraction.provenance[f"items[{rows[0]['row_id']}].amount"]
    assert (first["state"], first["words"], first["page"]) == ("normalized", "10.00", 1)
    assert extraction.provenance["number"]["state"] == "exact"
    assert (extraction.coverage, extraction.page_count, extraction.cost_micros) == ([1], 1, 3600)
    document.refresh_from_db()
    assert document.state == "llm_completed"
    assert Usage.objects.get().purpose == "extraction"


def test_it_keeps_instructions_apart_from_the_untrusted_text(extract: Extract, scripted_model: ScriptedModel) -> None:
    extract()
    system, user = scripted_model.requests[0]["messages"]
    assert "Take the lines." in system["content"] and "Invoice number" in system["content"]
    assert "INV-7" not in system["content"]
    assert user["content"].startswith('<data kind="document" name="invoice.pdf" pages="1">\n<page number="1">\n[1.1] ')
    number = {**SCHEMA["properties"]["number"], "type": ["string", "null"]}  # type: ignore[index]
    asked = {LINES: {"type": "string", "description": DESCRIPTION}, **SCHEMA["properties"], "number": number}  # type: ignore[dict-item]
    bare = strip_schema({**SCHEMA, "properties": asked})
    assert scripted_model.requests[0]["response_format"]["json_schema"]["schema"] == bare


def test_a_draft_waits_as_plain_json(
    builder: Actor, document: Document, prompt: PromptRevision, scripted_model: Any
) -> None:
    scripted_model.will(answers(RESULT))
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    again = ExtractionDraft.from_json(json.loads(json.dumps(draft.as_json(), cls=DjangoJSONEncoder)))
    assert again == draft


def test_the_same_call_is_stored_once(extract: Extract) -> None:
    one = extract(call_id="a" * 24)
    assert extract(call_id="a" * 24) == one
    assert Extraction.objects.count() == 1


def test_it_forces_a_tool_call_when_the_model_knows_no_schema(
    extract: Extract, scripted_model: ScriptedModel, builder: Actor, document: Document, prompt: PromptRevision
) -> None:
    LanguageModel.objects.create(name="openai/scripted", provider="openai", calls_tools=True, available=True)
    scripted_model.will(calls(("give_result", RESULT)))
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    assert values.strip_row_ids(draft.result) == RESULT
    assert scripted_model.requests[0]["tool_choice"]["function"]["name"] == "give_result"


@pytest.mark.parametrize("answers_schema", [True, False])
def test_it_sends_no_tools_to_a_model_that_the_settings_say_has_none(
    builder: Actor,
    document: Document,
    prompt: PromptRevision,
    scripted_model: ScriptedModel,
    settings: Any,
    answers_schema: bool,
) -> None:
    settings.MODELS_WITHOUT_TOOLS = ("openai/*",)
    LanguageModel.objects.create(
        name="openai/scripted", provider="openai", calls_tools=True, answers_schema=answers_schema, available=True
    )
    scripted_model.will(*([fails(400, "no")] if answers_schema else []), says(json.dumps(RESULT)))
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    assert values.strip_row_ids(draft.result) == RESULT
    assert not any("tools" in request or "tool_choice" in request for request in scripted_model.requests)


def test_it_falls_back_when_the_provider_does_not_accept_the_way_of_asking(
    builder: Actor, document: Document, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(
        fails(400, "response_format is not supported"),
        fails(400, "tools are not supported"),
        says("Here it is:\n```json\n", json.dumps(RESULT), "\n```\nAnything else?"),
    )
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    assert values.strip_row_ids(draft.result) == RESULT


@pytest.mark.usefixtures("unpriced")
def test_it_lets_the_model_put_a_wrong_answer_right_once(
    builder: Actor, document: Document, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(answers({"total": "a lot"}), answers(RESULT))
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    assert values.strip_row_ids(draft.result) == RESULT
    repair = scripted_model.requests[1]["messages"][-1]["content"]
    assert "total" in repair and "number" in repair
    assert (draft.prompt_tokens, draft.cost_micros) == (200, 7200)


def test_it_leaves_out_and_notes_a_value_that_never_fits(
    builder: Actor, document: Document, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    wrong = {**RESULT, "total": "a lot"}
    scripted_model.will(answers(wrong), answers(wrong))
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    assert draft.result.get("total") is None
    assert (draft.notes[0]["where"], draft.notes[0]["value"]) == ("total", "a lot")


@pytest.mark.parametrize("reply", [says("I see nothing."), answers({"total": 1})])
def test_it_fails_when_the_answer_cannot_be_used(
    builder: Actor, document: Document, prompt: PromptRevision, scripted_model: ScriptedModel, reply: Any
) -> None:
    scripted_model.will(reply, reply)
    with pytest.raises(ModelFailed, match="does not fit the schema"):
        extractions.prepare(builder, document=document, prompt_revision=prompt)


def test_it_says_which_value_did_not_fit_when_it_fails(
    builder: Actor, document: Document, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    wrong = answers({**RESULT, "number": 7, "total": "a lot"})
    scripted_model.will(wrong, wrong)
    with pytest.raises(ModelFailed) as failed:
        extractions.prepare(builder, document=document, prompt_revision=prompt)
    assert "does not fit the schema" in failed.value.sentence
    assert "number must be text or empty, not the number 7." in failed.value.sentence


def test_it_fails_in_words_where_the_model_made_up_a_name_that_reads_like_a_path(
    builder: Actor, document: Document, scripted_model: ScriptedModel
) -> None:
    named = {"type": "object", "description": "By name.", "properties": SCHEMA["properties"]}
    fields = {"any": {**named, "additionalProperties": {"type": "string"}}}
    schema = {"type": "json_schema", "json_schema": {"name": "any", "schema": {"type": "object", "properties": fields}}}
    revision = schemas.create(builder, name="Any", response_format=schema)
    prompt = prompts.create(builder, name="Any", content="Take all.", schema_revision=revision)
    wrong = answers({"any": {"items": [{"sku": "A-1"}], "items.x.y": 5, "items.7.y": 5}})
    scripted_model.will(wrong, wrong)
    with pytest.raises(ModelFailed, match="does not fit the schema"):
        extractions.prepare(builder, document=document, prompt_revision=prompt)


def test_it_says_that_the_model_refused(
    builder: Actor, document: Document, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(refuses("I will not."))
    with pytest.raises(ModelFailed, match="gave no answer.*I will not"):
        extractions.prepare(builder, document=document, prompt_revision=prompt)


def test_without_a_schema_the_answer_is_a_text(
    builder: Actor, document: Document, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("An invoice over 30.50."))
    draft = extractions.prepare(builder, document=document, prompt_revision=None)
    stored = extractions.store(builder, draft=draft)
    assert (stored.result, stored.prompt_revision) == ({"text": "An invoice over 30.50."}, None)
    assert "response_format" not in scripted_model.requests[0]


def test_a_long_document_goes_in_windows_and_rows_of_two_windows_come_once(
    builder: Actor, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    pages = [[f"P-{page}{row} | {page}{row}.00" for row in range(10, 30)] for page in range(1, 5)]
    document = document_with(builder.organization, ["Invoice | INV-9", *pages[0]], *pages[1:])
    LanguageModel.objects.create(
        name="openai/scripted", provider="openai", answers_schema=True, available=True, max_input_tokens=600
    )

    def rows(*numbers: int) -> list[dict[str, Any]]:
        return [{"sku": f"P-{p}{r}", "amount": float(f"{p}{r}")} for p in numbers for r in range(10, 30)]

    windows = [(1, 2), (2, 3), (3, 4)]
    replies = [{"number": "INV-9" if 1 in window else "", "items": rows(*window)} for window in windows]
    scripted_model.will(*map(answers, replies))
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    assert len(scripted_model.requests) == 3
    assert 'excerpt="pages 2 to 3 of 4"' in scripted_model.requests[1]["messages"][1]["content"]
    result = values.strip_row_ids(draft.result)
    assert result["number"] == "INV-9"
    assert [row["sku"] for row in result["items"]] == [row["sku"] for row in rows(1, 2, 3, 4)]
    assert (draft.coverage, draft.page_count) == ([1, 2, 3, 4], 4)


def test_it_halves_a_window_whose_answer_was_cut(
    builder: Actor, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    document = document_with(builder.organization, PAGE, ["C-3 | 5.00"])
    scripted_model.will(
        says('{"number": "INV').with_finish("length"),
        answers(RESULT),
        answers({"number": "INV-7", "items": [{"sku": "C-3", "amount": 5}]}),
    )
    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)
    assert [row["sku"] for row in values.strip_row_ids(draft.result)["items"]] == ["A-1", "B-2", "C-3"]


def test_it_says_when_one_page_alone_is_too_much(
    builder: Actor, document: Document, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(says("{").with_finish("length"))
    with pytest.raises(ModelFailed, match="MODEL_MAX_TOKENS"):
        extractions.prepare(builder, document=document, prompt_revision=prompt)


def test_a_new_run_keeps_what_a_person_corrected(extract: Extract, builder: Actor) -> None:
    first = extract()
    row = first.result["items"][1]["row_id"]
    edits.set_field(builder, extraction=first, where=f"items[{row}].amount", value=21)
    edits.set_field(builder, extraction=first, where="total", value=31)
    second = extract({**RESULT, "number": "INV-8", "items": list(reversed(RESULT["items"]))})
    current = values.strip_row_ids(second.current)
    assert current == {
        "number": "INV-8",
        "total": 31,
        "items": [{"sku": "B-2", "amount": 21}, {"sku": "A-1", "amount": 10}],
    }
    assert values.strip_row_ids(second.result)["total"] == 30.5
    assert [edit.carried_from_id for edit in second.edits.all()] == [edit.pk for edit in first.edits.all()]
    first.refresh_from_db()
    assert values.strip_row_ids(first.current)["total"] == 31


def test_an_edit_of_a_run_that_was_overtaken_is_refused(extract: Extract, builder: Actor) -> None:
    first, second = extract(), extract()
    with pytest.raises(Conflict, match="There is a newer run of this prompt"):
        edits.set_field(builder, extraction=first, where="total", value=31)
    edits.set_field(builder, extraction=second, where="total", value=31)


def test_an_edit_that_has_no_place_in_the_new_run_is_shown_and_not_applied(extract: Extract, builder: Actor) -> None:
    first = extract()
    row = first.result["items"][1]["row_id"]
    edits.set_field(builder, extraction=first, where=f"items[{row}].amount", value=21)
    second = extract({**RESULT, "items": [RESULT["items"][0]]})
    assert values.strip_row_ids(second.current)["items"] == [RESULT["items"][0]]
    assert second.conflicts[0]["value"] == 21


def test_withdrawing_makes_the_earlier_run_current(extract: Extract, builder: Actor, document: Document) -> None:
    first, second = extract(), extract()
    assert extractions.get_newest(document) == second
    extractions.withdraw(builder, extraction=second)
    assert extractions.get_newest(document) == first
    with pytest.raises(Conflict):
        extractions.withdraw(builder, extraction=second)
