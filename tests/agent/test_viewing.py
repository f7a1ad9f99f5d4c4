"""Pages as pictures: offered to models that see, sent as they are, bounded, and of one's own documents only."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse
from PIL import Image

from accounts.actor import Actor
from agent.conversation import threads
from agent.conversation.model_input import pictures
from agent.conversation.text_protocol import PERSON
from agent.models import Thread, ToolCall
from agent.policy.offered_tools import list_usable
from agent.turns import turns
from documents.intake import uploads
from documents.models import Document, LanguageModel, Usage
from documents.reading import reading
from documents.reading.page_pictures import LONGEST_SIDE, check_area
from kit.errors import Invalid
from llm.client.types import PICTURE_TOKENS
from tests.agent.tongues import InText, Native, Tongue, write_answer
from tests.agent.tool_documents import Do, document  # noqa: F401 - document is a fixture
from tests.scripted_model import ScriptedModel, calls, says

pytestmark = pytest.mark.django_db
VIEW = ("view_page", {"page": 1})


@pytest.fixture
def paper(actor: Actor) -> Document:
    document = uploads.store(actor, name="note.txt", content=ContentFile(b"Total 12.50\n" * 30))
    while reading.read_next(holder="test"):
        pass
    document.refresh_from_db()
    return document


@pytest.fixture
def seeing(scripted_model: ScriptedModel) -> ScriptedModel:
    LanguageModel.objects.update_or_create(
        name=scripted_model.model, defaults={"provider": "openai", "available": True, "calls_tools": True, "sees": True}
    )
    return scripted_model


def talk(actor: Actor, document: Document, work: Callable[[], None], *texts: str) -> Thread:
    thread = threads.create(actor, document=document)
    for text in texts or ("What stands there?",):
        turns.start(actor, thread=thread, text=text, model="openai/scripted")
        work()
    return thread


def list_shown(request: dict[str, Any]) -> list[Image.Image]:
    """The pictures of a request."""
    parts = [part for each in request["messages"] if isinstance(each.get("content"), list) for part in each["content"]]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    return [Image.open(io.BytesIO(base64.b64decode(url.removeprefix("data:image/jpeg;base64,")))) for url in urls]


def list_texts(request: dict[str, Any]) -> list[str]:
    """The words of each message of a request, beside its pictures."""
    contents = [each.get("content") for each in request["messages"]]
    return [each if isinstance(each, str) else each[0]["text"] for each in contents if each]


@pytest.mark.django_db(transaction=True)
def test_a_model_that_sees_is_shown_the_part_that_it_asks_for(
    seeing: ScriptedModel, actor: Actor, paper: Document, work: Callable[[], None]
) -> None:
    seeing.will(calls(VIEW, ("view_page", {"page": 1, "area": [0, 0, 1, 0.25]})), says("A note."))
    thread = talk(actor, paper, work)
    whole, part = list_shown(seeing.requests[1])
    assert max(whole.size) <= LONGEST_SIDE and whole.format == "JPEG"
    assert part.width / part.height == pytest.approx(4 * whole.width / whole.height, rel=0.02)
    message = next(each for each in seeing.requests[1]["messages"] if isinstance(each.get("content"), list))
    assert message["role"] == "user" and message["content"][0]["text"].startswith(pictures.SHOWN)
    assert thread.turns.get().status == "completed"
    kept = ToolCall.objects.filter(tool="view_page").values_list("result", flat=True)
    assert all(len(json.dumps(result)) < 400 for result in kept)


@pytest.mark.django_db(transaction=True)
def test_a_picture_is_reserved_for_and_not_counted_as_text(
    seeing: ScriptedModel, actor: Actor, paper: Document, work: Callable[[], None]
) -> None:
    seeing.will(calls(VIEW), says("A note.").without_usage())
    talk(actor, paper, work)
    counted = max(Usage.objects.values_list("prompt_tokens", flat=True))
    assert PICTURE_TOKENS < counted < PICTURE_TOKENS + 8000


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("tongue", [Native(), InText()], ids=["calls", "text"])
def test_of_many_the_newest_are_shown_and_a_line_names_the_others(
    seeing: ScriptedModel, actor: Actor, paper: Document, work: Callable[[], None], settings: Any, tongue: Tongue
) -> None:
    settings.MODELS_WITHOUT_TOOLS = (seeing.model,) if tongue.as_text else ()
    for _ in range(pictures.MAX_SHOWN + 1):
        seeing.will(tongue.calls(VIEW), tongue.says("Seen."))
    talk(actor, paper, work, *(f"Look {number}" for number in range(pictures.MAX_SHOWN + 1)))
    last = seeing.requests[-1]
    assert len(list_shown(last)) == pictures.MAX_SHOWN
    lines = [each for each in list_texts(last) if "Here you saw page 1" in each]
    assert len(lines) == 1 and f"{PERSON}\nHere you saw" not in lines[0]


@pytest.mark.django_db(transaction=True)
def test_a_model_that_sees_nothing_is_not_offered_it_and_told_so(
    scripted_model: ScriptedModel, actor: Actor, paper: Document, work: Callable[[], None]
) -> None:
    scripted_model.will(calls(VIEW), says("Well."))
    thread = talk(actor, paper, work)
    assert "view_page" not in {tool.name for tool in list_usable(thread.turns.get())}
    call = ToolCall.objects.get()
    assert call.status == "failed" and "sees no pictures" in str(call.result)
    assert not list_shown(scripted_model.requests[1])


@pytest.mark.django_db(transaction=True)
def test_a_setting_names_models_that_see(
    scripted_model: ScriptedModel, actor: Actor, paper: Document, work: Callable[[], None], settings: Any
) -> None:
    settings.MODELS_WITH_PICTURES = ["openai/scr*"]
    scripted_model.will(calls(VIEW), says("A note."))
    thread = talk(actor, paper, work)
    assert len(list_shown(scripted_model.requests[1])) == 1
    assert "view_page" in {tool.name for tool in list_usable(thread.turns.get())}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"page": 3}, "There is no page 3. The document has 2 pages."),
        ({"page": -1}, "There is no page -1"),
        ({"page": 10**30}, "There is no page"),
        ({"page": 1, "area": [0, 0, 1]}, "area is four numbers"),
        ({"page": 1, "area": [0, 0, 1e9, 1]}, "area is four numbers"),
        ({"page": 1, "area": [0.5, 0, 0.5, 1]}, "area is four numbers"),
        ({"page": 1, "area": "all"}, "do not fit"),
        ({"page": 1, "document": "foreign.txt"}, "not found"),
    ],
)
def test_a_page_that_is_not_there_is_refused_with_a_sentence(
    document: Document, do: Do, stranger: Actor, settings: Any, arguments: dict[str, Any], problem: str
) -> None:
    uploads.store(stranger, name="foreign.txt", content=ContentFile(b"secret"))
    settings.MODELS_WITH_PICTURES = ["none"]
    assert problem in str(do("view_page", **arguments).result)


@pytest.mark.parametrize("numbers", [[float("nan"), 0, 1, 1], [0, 0, float("inf"), 1], [-0.1, 0, 1, 1], []])
def test_an_area_is_finite_and_on_the_page(numbers: list[float]) -> None:
    with pytest.raises(Invalid):
        check_area(numbers)


@pytest.mark.django_db(transaction=True)
def test_a_page_in_the_trash_is_shown_no_more(
    seeing: ScriptedModel, actor: Actor, paper: Document, work: Callable[[], None]
) -> None:
    seeing.will(calls(VIEW), says("Seen."), says("Gone."))
    thread = talk(actor, paper, work)
    Document.objects.filter(pk=paper.pk).update(trashed_at=paper.created_at)
    turns.start(actor, thread=thread, text="And now?", model="openai/scripted")
    work()
    assert not list_shown(seeing.requests[2]) and pictures.GONE in json.dumps(seeing.requests[2])


@pytest.mark.django_db(transaction=True)
def test_the_page_shows_people_what_the_model_saw(
    seeing: ScriptedModel,
    actor: Actor,
    paper: Document,
    work: Callable[[], None],
    client: Client,
    signed_in: Callable[[Client, Actor], Client],
) -> None:
    seeing.will(calls(("view_page", {"page": 1, "area": [0, 0, 1, 0.5]})), says("A note."))
    thread = talk(actor, paper, work)
    page = (
        signed_in(client, actor)
        .get(reverse("document-agent", args=[actor.organization.pk, paper.pk]), {"thread": thread.pk})
        .content.decode()
    )
    assert 'class="crop"' in page and f"reading={paper.readings.get().pk}" in page and "a part of it" in page


@pytest.mark.django_db(transaction=True)
def test_a_model_that_sees_and_writes_its_calls_is_shown_the_page_too(
    seeing: ScriptedModel, actor: Actor, paper: Document, work: Callable[[], None], settings: Any
) -> None:
    settings.MODELS_WITHOUT_TOOLS = (seeing.model,)
    seeing.will(*(says(write_answer([VIEW], "")) for _ in range(2)), says(write_answer((), "A note.")))
    thread = talk(actor, paper, work)
    assert [len(list_shown(request)) for request in seeing.requests] == [0, 1, 2]
    text = list_texts(seeing.requests[1])[-1]
    assert pictures.SHOWN in text and f"{PERSON}\n{pictures.SHOWN}" not in text
    for request in seeing.requests:
        roles = [each["role"] for each in request["messages"]]
        assert roles == ["system", *("user", "assistant") * (len(roles) // 2 - 1), "user"]
    assert thread.messages.filter(role="assistant").last().blocks == [{"type": "text", "text": "A note."}]


@pytest.mark.django_db(transaction=True)
def test_what_only_a_picture_may_show_is_unchecked_and_not_asked_again(
    seeing: ScriptedModel, actor: Actor, paper: Document, work: Callable[[], None], signed_in: Any
) -> None:
    seeing.will(calls(VIEW), says("The stamp says 14.03.2026. The total is 12.50."))
    thread = talk(actor, paper, work)
    assert len(seeing.requests) == 2
    page = signed_in(Client(), actor).get(reverse("thread-items", args=[actor.organization.pk, thread.pk])).content
    shown = " ".join(page.decode().split())
    assert shown.count('class="unchecked"') == 1 and "One sentence is not checked." in shown
    assert "It rests on the picture of page 1 at most, where no such words could be read." in shown


@pytest.mark.django_db(transaction=True)
def test_a_picture_excuses_no_line_of_another_page(
    seeing: ScriptedModel, actor: Actor, work: Callable[[], None]
) -> None:
    long = uploads.store(actor, name="long.txt", content=ContentFile(b"Total 12.50\n" * 120))
    while reading.read_next(holder="test"):
        pass
    answer = "The stamp says 14.03.2026 [D1:1.1]. The total is 99.99 [D1:2.1]."
    seeing.will(calls(VIEW, ("get_ocr_text", {"pages": "1-2"})), says(answer), says(answer))
    talk(actor, long, work)
    asked = str(seeing.requests[2]["messages"][-1]["content"])
    assert "Not found: 99.99" in asked and "14.03.2026" not in asked
