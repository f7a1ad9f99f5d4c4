"""The lines that a model names beside its values: hints for the locator, which are stored nowhere."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import json
from typing import Any

import pytest

from accounts.actor import Actor
from documents import extractions, values
from documents.extractions.draft import ExtractionDraft
from documents.extractions.model_requests.line_hints import DESCRIPTION, LINES, add_lines, parse_lines, take_lines
from documents.extractions.model_requests.model_answers import read_cut_answer
from documents.locate import locate
from documents.locate.leaves import LineSpan
from documents.models import LanguageModel, PromptRevision
from documents.values import add_row_ids
from llm.client import ModelFailed
from tests.anthropic_model import AnthropicModel, anthropic_model  # noqa: F401 - a fixture
from tests.documents.extraction_rows import PAGE, RESULT, builder, prompt  # noqa: F401 - fixtures
from tests.documents.reading_rows import document_with
from tests.documents.words_builder import pages
from tests.scripted_model import Reply, ScriptedModel, answers, calls, says

TWICE = "Net 30.50\nGross 30.50\nRest 12.00"


def find(value: dict[str, Any], text: str, lines: str) -> dict[str, str]:
    stored = add_row_ids(value)
    places = locate(stored, {}, pages(text), parse_lines(lines))
    return {values.get_wire_path(stored, where): place.blocks[0] for where, place in places.items() if place.blocks}


def test_a_line_decides_between_places_that_are_equally_good() -> None:
    assert find({"x": 30.5}, TWICE, "") == {}
    assert find({"x": 30.5}, TWICE, "x 1.1") == {"x": "1.1.2"}
    assert find({"x": 30.5}, TWICE, "x: [1.2]") == {"x": "1.2.2"}


@pytest.mark.parametrize("lines", ["x 1.3", "x 9.9", "y 1.1", "x 1.1-1.2", "1.1", "x one", "x 1.99999999999999", "; ;"])
def test_lines_that_do_not_say_the_value_change_nothing(lines: str) -> None:
    assert find({"x": 30.5}, TWICE, lines) == {}


def test_a_label_is_stronger_than_a_line() -> None:
    assert find({"gross": 30.5}, TWICE, "gross 1.1") == find({"gross": 30.5}, TWICE, "") == {"gross": "1.2.2"}


def test_rows_that_are_printed_twice_stand_where_the_model_read_them() -> None:
    table = "P-100 12.00\nP-200 13.00\nAgain\nP-100 12.00\nP-200 13.00"
    rows = {"items": [{"sku": "P-100", "amount": 12.0}, {"sku": "P-200", "amount": 13.0}]}
    assert list(find(rows, table, "items 1.4-1.5").values()) == ["1.4.1", "1.4.2", "1.5.1", "1.5.2"]
    assert find(rows, table, "items 1.3") == find(rows, table, "")


def test_spans_are_read_as_models_write_them() -> None:
    assert parse_lines("number 1.2; total: [3.40]\nitems = 1.5-3.38, 4.1 to 9; name 2.1-2.1") == {
        "number": (LineSpan((1, 2), (1, 2)),),
        "total": (LineSpan((3, 40), (3, 40)),),
        "items": (LineSpan((1, 5), (3, 38)), LineSpan((4, 1), (4, 9))),
        "name": (LineSpan((2, 1), (2, 1)),),
    }
    assert take_lines({LINES: {"total": "1.2"}, "total": 1}) == {"total": (LineSpan((1, 2), (1, 2)),)}
    assert take_lines({LINES: 7}) == take_lines([]) == {}


def test_a_strict_schema_requires_it_and_one_without_a_place_for_it_stays() -> None:
    def ask(strict: bool, **schema: Any) -> dict[str, Any]:
        return {"json_schema": {"strict": strict, "schema": {"type": "object", "properties": {"a": {}}, **schema}}}

    assert add_lines(ask(True, required=["a"]))["json_schema"]["schema"]["required"] == [LINES, "a"]
    assert "required" not in add_lines(ask(False))["json_schema"]["schema"]
    for own in (ask(True, properties={LINES: True}), ask(False, properties={}), ask(False, maxProperties=1)):
        assert add_lines(own) is own


def test_an_answer_that_was_cut_in_its_lines_keeps_its_rows() -> None:
    cut = read_cut_answer('{"items": [{"sku": "A"}, {"sku": "B"}], "_lines": "items 1.1-1.2"')
    assert cut and (cut.path, cut.result["items"]) == ("items", [{"sku": "A"}])


def run(actor: Actor, prompt: PromptRevision, model: ScriptedModel, reply: Reply) -> ExtractionDraft:
    page = ["Invoice | INV-7", "INV-8", "A-1 | 10.00", "B-2 | 20.50", "Paid | 30.50", "Rest | 30.50"]
    model.will(reply)
    document = document_with(actor.organization, page)
    return extractions.prepare(actor, document=document, prompt_revision=prompt)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("mode", ["schema", "tool", "text"])
def test_it_is_asked_in_every_mode_and_stored_nowhere(
    builder: Actor, prompt: PromptRevision, scripted_model: ScriptedModel, mode: str
) -> None:
    abilities = {"answers_schema": mode == "schema", "calls_tools": mode == "tool"}
    LanguageModel.objects.create(name="openai/scripted", provider="openai", available=True, **abilities)
    answer = {LINES: "total 1.6", **RESULT}
    reply = calls(("give_result", answer)) if mode == "tool" else says(json.dumps(answer))
    draft = run(builder, prompt, scripted_model, reply)
    request = scripted_model.requests[0]
    assert (LINES in request["messages"][0]["content"]) is (mode != "tool") and LINES in json.dumps(request)
    assert [each["role"] for each in request["messages"]] == ["system", "user"]
    assert json.dumps(request).count("Grand total") == json.dumps(request).count(DESCRIPTION) == 1
    assert values.strip_row_ids(draft.result) == RESULT and draft.notes == []
    assert draft.provenance["total"]["blocks"] == ["1.6.2"]


@pytest.mark.django_db(transaction=True)
def test_a_model_that_names_none_does_as_before(
    builder: Actor, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    draft = run(builder, prompt, scripted_model, answers(RESULT))
    assert values.strip_row_ids(draft.result) == RESULT and not draft.provenance["total"].get("blocks")


@pytest.mark.django_db(transaction=True)
def test_a_provider_that_shows_the_schema_is_sent_it_once(
    builder: Actor, prompt: PromptRevision, anthropic_model: AnthropicModel
) -> None:
    document = document_with(builder.organization, PAGE)
    with pytest.raises(ModelFailed):
        extractions.prepare(builder, document=document, prompt_revision=prompt, model="anthropic/claude-sonnet-4-5")
    assert {json.dumps(request).count("Grand total") for request in anthropic_model.requests} == {1}
