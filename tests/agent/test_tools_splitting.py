"""The agent splits a document by a card that shows where each part begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.actor import Actor
from accounts.models import Member, Role
from agent.conversation import threads
from agent.conversation.addresses import address_of
from agent.models import Thread, ToolCall
from agent.tools.intake.splitting import _format_part, _parse_part
from documents import document_changes
from documents.definitions import tags
from documents.intake import splitting
from documents.intake.splitting import PartPages
from documents.models import Document
from kit.errors import Conflict, Invalid
from tests.agent.test_tools_schemas import carry_out
from tests.agent.tool_rows import undo
from tests.documents.extraction_rows import make_prompt
from tests.documents.parts.split_rows import put_whole

Do = Callable[..., ToolCall]
PARTS = ["1-2 Invoice 17", "4-5"]
NAMES = ["Invoice 17.pdf", "scans, pages 4–5.pdf"]


@pytest.fixture
def whole(actor: Actor) -> Document:
    return put_whole(actor)


@pytest.fixture
def thread(actor: Actor, whole: Document) -> Thread:
    return threads.create(actor, document=whole)


def names_of(whole: Document) -> list[str]:
    return [part.name for part in whole.list_parts()]


def test_what_the_card_showed_is_made_and_taken_back(actor: Actor, whole: Document, do: Do) -> None:
    card = do("split_document", approve=False, parts=PARTS)
    assert (card.status, card.reach) == ("pending", "document")
    assert card.effective == {"document_id": whole.pk, "parts": ["1-2: Invoice 17.pdf", "4-5: scans, pages 4–5.pdf"]}
    assert card.preview["title"] == "Split scans.pdf into 2 documents"
    assert [row["name"] for row in card.preview["rows"]] == ["Pages 1–2", "Pages 4–5"]
    assert [(page["page"], page["height"]) for page in card.preview["first_pages"]] == [(1, 80), (4, 80)]
    assert not names_of(whole)
    done = carry_out(actor, card)
    assert [part["document_name"] for part in done.result["parts"]] == names_of(whole) == NAMES
    undo(done)
    assert not names_of(whole) and Document.objects.in_trash().count() == 2


def test_a_part_that_somebody_changed_since_is_not_taken_back(actor: Actor, whole: Document, do: Do) -> None:
    call = do("split_document", parts=PARTS)
    document_changes.rename(actor, document=whole.list_parts()[1], name="Receipt.pdf")
    with pytest.raises(Conflict, match="changed since"):
        undo(call)
    assert len(names_of(whole)) == 2


def test_a_card_comes_back_when_the_document_was_split_meanwhile(actor: Actor, whole: Document, do: Do) -> None:
    card = do("split_document", approve=False, parts=PARTS)
    splitting.split(actor, document=whole, parts=[PartPages(1, 3)])
    late = carry_out(actor, card)
    assert late.status != "succeeded" and names_of(whole) == ["scans, pages 1–3.pdf"]


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (["1-9 All"], "There is no page 9; the document has 5."),
        (["Invoice"], "Write each part as its pages and its name"),
        ([], "Say which pages"),
    ],
)
def test_the_model_is_told_what_is_wrong(do: Do, parts: list[str], sentence: str) -> None:
    assert sentence in do("split_document", approve=False, parts=parts).result["error"]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("3", PartPages(3, 3)),
        ("1-2 2026 invoice.pdf", PartPages(1, 2, "2026 invoice.pdf")),
        (" 10 – 12: Lease, signed ", PartPages(10, 12, "Lease, signed")),
        ("4,Receipt", PartPages(4, 4, "Receipt")),
    ],
)
def test_it_reads_pages_and_a_name(text: str, part: PartPages) -> None:
    assert _parse_part(text) == part


@pytest.mark.parametrize("part", [PartPages(1, 1, "-5 degrees.pdf"), PartPages(2, 3, ": 7 – 9.pdf")])
def test_a_name_is_never_read_as_pages(part: PartPages) -> None:
    assert _parse_part(_format_part(part)) == part


@pytest.mark.parametrize("text", ["", "x-2 a", "2nd page", "-1 a", "1234567 a"])
def test_what_is_no_part_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        _parse_part(text)


def test_tags_that_start_prompts_make_it_an_act_of_the_organization(actor: Actor, whole: Document, do: Do) -> None:
    prompt = make_prompt(actor)
    tag = tags.create(actor, name="bills")
    prompt.tags.add(tag)
    document_changes.update(actor, document=whole, tag_ids=[tag.pk])
    card = do("split_document", approve=False, parts=PARTS)
    assert card.reach == "organization" and "“bills” starts" in card.preview["effect"]


def test_a_viewer_s_agent_splits_nothing(actor: Actor, whole: Document, do: Do) -> None:
    Member.objects.filter(user=actor.user).update(role=Role.VIEWER)
    assert do("split_document", approve=False, parts=PARTS).status == "denied"


def test_the_card_shows_the_first_page_of_each_part(
    actor: Actor, whole: Document, thread: Thread, do: Do, client: Client, signed_in: Callable[..., Any]
) -> None:
    do("split_document", approve=False, parts=PARTS)
    text = signed_in(client, actor).get(address_of(thread)).text
    assert text.count("/pages/1.webp?w=160") == text.count("/pages/4.webp?w=160") == 1
