"""Rows of a list named by what names them: on cards, in warnings, and as the model addresses them."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from agent.calls import execution
from agent.models import Message, Thread, Turn
from documents.models import Extraction
from documents.values import add_row_ids, find_where
from documents.values.row_keys import RowNames, describe_key, find_key_column, locate_rows
from kit.errors import Invalid, NotFound
from tests.agent.conftest import propose_all
from tests.agent.decision_rows import say
from tests.agent.test_tools_corrections import document, extraction, prompt, read  # noqa: F401 - they are fixtures
from tests.agent.tool_documents import Do

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
MISSING = "The new value was not found on the pages."


def rows_of(*rows: Any) -> Any:
    return add_row_ids({"rows": list(rows)})["rows"]


@pytest.mark.parametrize(
    ("rows", "column"),
    [
        ([{"text": "x", "item_no": "A1"}, {"text": "y", "item_no": "A2"}], "item_no"),
        ([{"amount": 1, "Description": "x"}, {"amount": 2, "Description": "y"}], "Description"),
        ([{"id": "1", "name": "x"}, {"id": "1", "name": "y"}], "name"),
        ([{"id": None, "name": "x"}, {"id": "1", "name": "y"}], "name"),
        ([{"id": True}, {"id": False}], ""),
        ([{"amount": 1}, {"amount": 2}], ""),
        ([{"id": "1"}], ""),
        (["a", "b"], ""),
    ],
)
def test_the_key_of_a_list_tells_all_its_rows_apart(rows: list[Any], column: str) -> None:
    assert find_key_column(rows_of(*rows)) == column


def test_a_key_is_bounded_and_a_row_to_come_has_none() -> None:
    rows = rows_of({"name": "x" * 99}, {"name": "y"})
    assert (describe_key(rows, 0), describe_key(rows, 1), describe_key(rows, 2)) == ("x" * 40, "y", "")


STORED = add_row_ids({"assets": [{"no": "A.1", "parts": [{"id": 7}, {"id": 8}]}, {"no": "B"}, {"no": "B"}], "sum": 1})


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("sum", "sum"),
        ("assets[no=A.1].no", "assets.0.no"),
        ("assets[no=A.1].parts[id=8].id", "assets.0.parts.1.id"),
        ("assets[no=A.1]", "assets.0"),
    ],
)
def test_a_row_is_addressed_by_a_value_of_it(path: str, expected: str) -> None:
    assert locate_rows(STORED, path) == expected
    assert find_where(STORED, locate_rows(STORED, path))


@pytest.mark.parametrize(
    ("path", "error", "sentence"),
    [
        ("assets[no=C].no", NotFound, "No row of assets has no “C”. The first have: A.1, B, B."),
        ("assets[no=B].no", Invalid, "2 rows of assets have no “B”. Name one by its position from 0: 1, 2."),
        ("assets[sku=B].no", Invalid, "The rows of assets have no sku. Their columns are: no, parts."),
        ("sum[no=B]", Invalid, "sum is no list"),
        ("nothing[no=B]", NotFound, "nothing"),
        ("assets[no=A.1]1.no", Invalid, "After assets[no=A.1] comes a dot or nothing."),
    ],
)
def test_a_key_of_none_or_several_rows_is_refused(path: str, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=re.escape(sentence)):
        locate_rows(STORED, path)


def test_a_row_of_a_long_list_is_named_by_its_key_alone(extraction: Extraction, do: Do) -> None:
    wrong = do("update_extraction_field", path="line_items.2.amount", value=9, approve=False)
    assert wrong.status == "pending"
    rows = add_row_ids({"line_items": [{"sku": f"A{number}", "amount": number} for number in range(12)]})
    Extraction.objects.filter(pk=extraction.pk).update(
        current={**extraction.current, **rows}, result={**extraction.current, **rows}
    )
    refused = do("update_extraction_field", path="line_items.4.amount", value=9, approve=False)
    assert refused.result["error"] == "Name rows of line_items by sku. Position 4 is line_items[sku=A4]."
    card = do("update_extraction_field", path="line_items[sku=A4].amount", value=9)
    assert card.preview["title"] == "Change Amount in row 5 (A4) of Line items on this document"
    assert card.preview["change"]["note"] == "after A3, before A5"
    assert card.status == "succeeded" and card.result["changed"] == {"line_items[sku=A4].amount": 9}


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("assets.0.parts.1.id", "assets[no=A].parts[id=8].id"),
        ("assets.0", "assets[no=A]"),
        ("plain.1.x", "plain.1.x"),
        ("odd.0.no", "odd.0.no"),
        ("sum", "sum"),
        ("assets.7.no", "assets.7.no"),
    ],
)
def test_a_path_names_rows_by_keys_that_lead_back(path: str, named: str) -> None:
    stored = add_row_ids(
        {
            "assets": [{"no": "A", "parts": [{"id": 7}, {"id": 8}]}, {"no": "B"}],
            "plain": [{"x": 1}, {"x": 1}],
            "odd": [{"no": "[1]"}, {"no": "2"}],
            "sum": 1,
        }
    )
    assert RowNames(stored).name(path) == named
    if path != "assets.7.no":
        assert locate_rows(stored, named) == path


def test_a_card_names_the_row_that_the_model_has_named(extraction: Extraction, do: Do) -> None:
    card = do("update_extraction_field", path="line_items[sku=B].amount", value=9, approve=False)
    assert card.effective["path"] == "line_items.1.amount"
    assert card.preview["title"] == "Change Amount in row 2 (B) of Line items on this document"
    assert card.preview["warnings"] == [MISSING] and "effect" not in card.preview
    several = [{"path": "line_items[sku=C]", "remove": True}, {"path": "line_items[sku=A].amount", "value": 1}]
    names = [row["name"] for row in do("update_extraction_field", changes=several, approve=False).preview["changes"]]
    assert names == ["Row 3 (C) of Line items", "Amount in row 1 (A) of Line items"]


def test_a_wrong_key_is_answered_to_the_model(extraction: Extraction, do: Do) -> None:
    error = do("update_extraction_field", path="line_items[sku=Z].amount", value=9).result["error"]
    assert error == "No row of line_items has sku “Z”. The first have: A, B, C."
    assert read(extraction)["line_items"][1]["amount"] == 3


def ask(thread: Thread, *texts: str) -> None:
    for text in texts:
        turn = Turn.objects.create(
            thread=thread,
            number=thread.turns.count() + 1,
            model="none",
            status="completed",
            limit_micros=1,
            max_rounds=1,
        )
        blocks = [{"type": "text", "text": text}]
        Message.objects.create(thread=thread, turn=turn, number=900 + turn.number, role="user", blocks=blocks)


@pytest.mark.parametrize(
    ("texts", "path", "asks"),
    [
        (("Set the amount of sku C to 9",), "line_items[sku=B].amount", "Your message names C, not B."),
        (("Row 1 has 9",), "line_items.1.amount", "Your message names 1, not B."),
        (("Set the amount of sku C to 9", "yes, do it"), "line_items[sku=B].amount", "Your message names C, not B."),
        (("Set the amount of sku C to 9", "yes, do it"), "line_items[sku=C].amount", ""),
        (("Set sku C to 9", "I meant another document, so please read that one first"), "line_items[sku=B].amount", ""),
        (("The amount should be 9",), "line_items[sku=B].amount", ""),
    ],
)
def test_a_change_of_another_row_than_the_message_names_asks_in_every_mode(
    extraction: Extraction, do: Do, thread: Thread, texts: tuple[str, ...], path: str, asks: str
) -> None:
    Thread.objects.update(mode="auto")
    ask(thread, *texts)
    card = do("update_extraction_field", path=path, value=9, approve=False)
    assert (card.status, card.why_asks) == (("pending", asks) if asks else ("approved", ""))
    assert card.preview["warnings"][:1] == [asks or MISSING]
    several = do("update_extraction_field", changes=[{"path": path, "value": 8}], approve=False)
    assert several.status == card.status
    marked = do("verify_values", paths=[path], approve=False)
    said = [words for words in marked.preview["warnings"] if words.startswith("Your message")]
    assert said == ([asks] if asks else [])


def test_a_person_verifies_what_was_named_by_its_key(extraction: Extraction, do: Do) -> None:
    card = do("verify_values", paths=["line_items[sku=B].amount"], approve=False)
    assert [row["name"] for row in card.preview["rows"]] == ["Amount in row 2 (B) of Line items"]


def test_each_row_of_a_card_shows_where_its_value_stands_or_stood(
    extraction: Extraction, do: Do, actor: Actor, signed_in: Any, thread: Thread
) -> None:
    place = {"state": "exact", "page": 1, "boxes": [[0.1, 0.1, 0.2, 0.12]], "words": "A"}
    where = find_where(extraction.current, "line_items.0.sku")
    Extraction.objects.filter(pk=extraction.pk).update(provenance={where: place})
    changes = [{"path": "line_items.0.amount", "value": 77}, {"path": "vendor", "value": "Ostrava"}]
    card = do("update_extraction_field", changes=changes, approve=False)
    notes = [row["crop"]["note"] for row in card.preview["changes"]]
    assert notes == ["where its row is", "found exactly as written"]
    assert card.preview["warnings"] == ["Not found on the pages: the new Amount in row 1 (A) of Line items."]
    page = signed_in(Client(), actor).get(reverse("thread-items", args=[actor.organization.pk, thread.pk]))
    html = page.content.decode()
    assert html.count('class="crop"') == 2 and "where its row is" in html
    assert html.count("effect-warn") == 1


def test_a_card_of_a_thread_about_no_document_shows_the_page_of_the_one_it_changes(
    extraction: Extraction, do: Do, actor: Actor, signed_in: Any, thread: Thread
) -> None:
    document = extraction.document
    Thread.objects.update(document=None)
    do("update_extraction_field", document=document.name, path="vendor", value="Ostrava Tools", approve=False)
    page = signed_in(Client(), actor).get(reverse("thread-items", args=[actor.organization.pk, thread.pk]))
    picture = reverse("page-image", args=[actor.organization.pk, document.pk, 1])
    assert f'href="{picture}?' in page.content.decode()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("query_fields", {"columns": ["vendor"]}), ("get_extraction_result", {}), ("list_documents", {})],
)
def test_a_question_over_values_waits_for_their_change_in_the_same_answer(
    extraction: Extraction, actor: Actor, thread: Thread, name: str, arguments: dict[str, Any]
) -> None:
    change, question = propose_all(
        thread, ("update_extraction_field", {"path": "vendor", "value": "Brno"}), (name, arguments)
    )
    execution.execute(question.pk, holder="test")
    question.refresh_from_db()
    assert (change.status, question.status) == ("pending", "approved")
    say(actor, change)
    execution.execute(change.pk, holder="test")
    execution.execute(question.pk, holder="test")
    question.refresh_from_db()
    assert question.status == "succeeded" and "Brno" in str(question.result)
