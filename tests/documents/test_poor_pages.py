"""Pages that were read badly are shown as pictures to an extraction model that sees: these alone, few, and paid for."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.base import ContentFile

from accounts.actor import Actor
from documents import extractions
from documents.extractions.estimates import estimate_runs
from documents.extractions.windowing.poor_pages import MAX_IN_RUN, MAX_PICTURES, PoorPages
from documents.intake import uploads
from documents.models import Document, LanguageModel, Page, PromptRevision, Reading, Usage
from documents.reading import reading
from llm.client import PICTURE_TOKENS
from tests.agent.test_viewing import list_shown
from tests.documents.extraction_rows import RESULT, builder, prompt  # noqa: F401 - fixtures
from tests.documents.reading_rows import document_with
from tests.scripted_model import ScriptedModel, answers, fails, says

pytestmark = pytest.mark.django_db(transaction=True)
LETTER = b"Invoice INV-7 Total 30.50\n" * 700


@pytest.fixture
def letter(builder: Actor) -> Reading:
    """Of more pages than a request shows."""
    document = uploads.store(builder, name="letter.txt", content=ContentFile(LETTER))
    while reading.read_next(holder="test"):
        pass
    return document.readings.get()


@pytest.fixture
def seeing(scripted_model: ScriptedModel) -> ScriptedModel:
    LanguageModel.objects.create(name=scripted_model.model, provider="openai", available=True, sees=True)
    return scripted_model


@pytest.mark.parametrize(
    ("changes", "sees", "shown"),
    [
        ({"confidence": 0.6}, True, [2]),
        ({"illegible": 40}, True, [2]),
        ({"fault": "Its end is missing."}, True, [2]),
        ({"confidence": 0.97}, True, []),
        ({"confidence": 0.6}, False, []),
    ],
    ids=["doubtful", "illegible", "damaged", "read well", "a model that sees nothing"],
)
def test_only_a_page_that_was_read_badly_is_shown(
    builder: Actor,
    letter: Reading,
    prompt: PromptRevision,
    seeing: ScriptedModel,
    changes: dict[str, Any],
    sees: bool,
    shown: list[int],
) -> None:
    LanguageModel.objects.update(sees=sees)
    letter.pages.filter(number=2).update(**changes)
    seeing.will(answers(RESULT).without_usage())
    extractions.prepare(builder, document=letter.document, prompt_revision=prompt)
    request = seeing.requests[0]
    words = json.dumps(request["messages"])
    assert len(list_shown(request)) == len(shown) and ("the pictures show" in words) is bool(shown)
    assert ("on page 2," in words) is bool(shown)
    assert (Usage.objects.get().prompt_tokens > PICTURE_TOKENS + 11_000) is bool(shown)


def test_its_pictures_are_bounded_in_a_request_and_in_a_run(builder: Actor, letter: Reading) -> None:
    letter.pages.update(confidence=0.5)
    count = letter.page_count or 0
    pages = PoorPages(letter)
    assert count > MAX_PICTURES and pages.draw(range(1, count + 1)).pages == list(range(1, MAX_PICTURES + 1))
    assert PoorPages(letter, [3, 5]).shown == [3, 5]
    [note] = pages.list_notes()
    assert note["reason"].startswith(f"Pages {MAX_PICTURES + 1} to {count} were read badly")
    long = document_with(builder.organization, *[["A"]] * (MAX_IN_RUN + 2)).readings.get()
    Page.objects.filter(reading=long).update(illegible=90)
    pages = PoorPages(long)
    assert pages.shown == list(range(1, MAX_IN_RUN + 1)) and pages.draw([1]).files == []
    pages.drawn.update(pages.shown)
    [note] = pages.list_notes()
    assert note["reason"].startswith(f"Pages {MAX_IN_RUN + 1} to {MAX_IN_RUN + 2} were read badly")


def test_a_result_names_the_badly_read_pages_that_the_model_did_not_see(
    builder: Actor, prompt: PromptRevision, seeing: ScriptedModel
) -> None:
    undrawable = document_with(builder.organization, ["A"], ["B"])
    Page.objects.filter(reading__document=undrawable, number=2).update(illegible=90)
    seeing.will(answers(RESULT))
    draft = extractions.prepare(builder, document=undrawable, prompt_revision=prompt)
    assert "Page 2 was read badly, and the model saw no picture of it." in [note["reason"] for note in draft.notes]


def test_a_server_that_takes_no_pictures_is_asked_without_them(
    builder: Actor, letter: Reading, prompt: PromptRevision, seeing: ScriptedModel
) -> None:
    letter.pages.filter(number=1).update(confidence=0.5)
    seeing.will(fails(400, "no image support"), answers(RESULT))
    draft = extractions.prepare(builder, document=letter.document, prompt_revision=prompt)
    assert [len(list_shown(request)) for request in seeing.requests] == [1, 0] and draft.result["number"] == "INV-7"
    assert "pictures" not in json.dumps(seeing.requests[1]["messages"][1])


def test_a_question_without_a_schema_is_shown_them_too(builder: Actor, letter: Reading, seeing: ScriptedModel) -> None:
    letter.pages.filter(number=1).update(confidence=0.5)
    seeing.will(says("A letter."))
    extractions.prepare(builder, document=letter.document, prompt_revision=None)
    assert len(list_shown(seeing.requests[0])) == 1


def test_they_are_part_of_the_estimate(builder: Actor, letter: Reading, prompt: PromptRevision, settings: Any) -> None:
    settings.EXTRACTION_MODEL = "hosted_vllm/measured"

    def count_tokens() -> int:
        rows = Document.objects.filter(pk=letter.document_id)
        [estimated] = estimate_runs(builder, documents=rows, prompt_revisions=[prompt]).prompts
        return estimated.prompt_tokens

    text = count_tokens()
    letter.pages.filter(number__lte=2).update(confidence=0.5)
    assert count_tokens() == text
    settings.MODELS_WITH_PICTURES = ("hosted_vllm/*",)
    assert count_tokens() == text + 2 * PICTURE_TOKENS
