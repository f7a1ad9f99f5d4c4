"""What a person sees below an answer: its sums, how many documents it tells of, and amounts without a source."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import re
from typing import Any

import pytest

from accounts.actor import Actor
from agent.citations.checked_answers import NOTHING_READ
from agent.models import Thread
from documents.models import Document, Extraction
from documents.retention import families
from tests.agent.research.cited_answers import answer_with, invoice, read, research, show  # noqa: F401 - fixtures
from tests.documents.checked_invoice import INVOICE, SUM, make_prompt, store_invoice, store_run
from tests.documents.reading_rows import document_with
from tests.documents.sheet_rows import store_sheets
from tests.scripted_model import calls, says

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_sum_is_shown_with_its_parts_as_long_as_they_are_there(
    answer_with: Any, invoice: Document, signed_in: Any, actor: Actor, research: Thread
) -> None:
    other = document_with(actor.organization, ["Total due 10.20"], name="other.pdf")
    both = calls(("read_document", {"document": invoice.pk}), ("read_document", {"document": other.pk}))
    answer_with(both, says("Both come to 50.00 [D1:1.2, D2:1.1]. Less by 29.60 [D2:1.1, D1:1.2]."))
    page = " ".join(show(signed_in, actor, research).split())
    added, taken = re.findall(r'<table class="sum">.*?</table>', page)
    for table, parts, result in ((added, ["39.80", "+ 10.20"], "50.00"), (taken, ["39.80", "− 10.20"], "29.60")):
        rows = re.findall(r'data-source="(\w+)\.\d+\.\d+".*?<td class="r num"> ?(.*?) ?</td>', table)
        assert [number for _, number in rows] == parts and f"<b>{result}</b>" in table
        assert {each for each, _ in rows} == {invoice.readings.get().pk, other.readings.get().pk}
    families.trash(actor, document=other)
    assert '<table class="sum">' not in show(signed_in, actor, research)


def test_an_answer_says_of_how_many_documents_it_tells(
    answer_with: Any, invoice: Document, signed_in: Any, actor: Actor, research: Thread
) -> None:
    others = [document_with(actor.organization, [f"Letter {number}"]) for number in (1, 2, 3)]
    reads = calls(*(("read_document", {"document": each.pk}) for each in (invoice, others[0])))
    answer_with(reads, says("It is 39.80 [D1:1.2]."))
    assert "1 cited, 2 read of 4 documents" in " ".join(show(signed_in, actor, research).split())


def test_an_amount_without_a_source_is_asked_for_and_then_marked(
    answer_with: Any, invoice: Document, signed_in: Any, actor: Actor, research: Thread
) -> None:
    said = "It is 39.80 [D1:1.2]. Due are 39.80. It was 41.00 on 3 May 2026."
    asked = answer_with(read(invoice), says(said), says(said))
    assert (
        len(asked) == 3
        and "it names no source, and none was found for 41.00, 3 May 2026" in asked[2]
        and "Due are" not in asked[2]
    )
    page = show(signed_in, actor, research)
    assert re.findall(r'<mark class="doubt">(.*?)</mark>', page) == ["It was 41.00 on 3 May 2026."]
    assert "It names no source, and none was found for 41.00, 3 May 2026." in page


@pytest.mark.parametrize(
    "said",
    ["You asked about 41.00.", "These are 12 letters of 2026.", "acme.pdf tells nothing of it.", "It is “due” today."],
)
def test_what_needs_no_source_is_not_marked(answer_with: Any, invoice: Document, said: str) -> None:
    assert len(answer_with(read(invoice), says(said), text="What of 41.00?")) == 2


INVENTED = "Contract Omega of 3 May 2021 is worth 9,000,000 EUR."


def test_an_invention_is_marked_where_nothing_was_read_too(
    answer_with: Any, signed_in: Any, actor: Actor, research: Thread, api_as: Any
) -> None:
    asked = answer_with(says(INVENTED), says(INVENTED))
    assert len(asked) == 2 and "none was found for" in asked[1]
    page = show(signed_in, actor, research)
    assert re.findall(r'<mark class="doubt">(.*?)</mark>', page) == [INVENTED] and NOTHING_READ in page
    turn = f"/v0/orgs/{actor.organization.pk}/chat/turns/{research.turns.get().pk}"
    result = api_as(actor).get(turn).json()
    assert (result["unsupported"], result["nothing_read"]) == ([INVENTED], True)
    assert "9,000,000, 3 May 2021" in result["unsupported_because"][0]
    file = api_as(actor).get(f"/v0/orgs/{actor.organization.pk}/turns/{research.turns.get().pk}/answer")
    assert NOTHING_READ in file.content.decode() and "Unsupported: “Contract Omega" in file.content.decode()


def test_plain_talk_is_neither_marked_nor_said_to_rest_on_nothing(
    answer_with: Any, signed_in: Any, actor: Actor, research: Thread
) -> None:
    assert len(answer_with(says("Hello. Which documents do you mean? I can do that in 3 steps."))) == 1
    assert 'class="doubt"' not in show(signed_in, actor, research) and NOTHING_READ not in show(
        signed_in, actor, research
    )


BANK = [["Booked", "Text", "Amount", "Currency"], ["03.02.2026", "ACME Tools invoice INV-1001", "-1010.00", "EUR"]]
JOIN = {"with": "values", "key": "Text", "with_key": "number", "compare": "Amount", "with_compare": "total"}
DIFFERS = "INV-1001 was paid with 1,010.00 [D1:1.2], which differs by {} from the invoice."


@pytest.fixture
def reconciled(actor: Actor) -> Any:
    """A call that finds an invoice over 1,000.00 in a bank's file, paid with ten more."""
    document = store_sheets(actor.organization, "bank.csv", {"": BANK})
    prompt = make_prompt(actor, [])
    run = store_invoice(actor, prompt, "a.pdf", number="INV-1001", total="1000.00", currency="EUR", line_items=[])
    run.provenance = {"total": {"page": 1, "blocks": ["1.1"], "state": "exact"}}
    run.save()
    return calls(("table_query", {"document": document.pk, "join": JOIN}))


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        (DIFFERS.format("10.00"), 0),
        (DIFFERS.format("EUR 10.00"), 0),
        (DIFFERS.format("11.00"), 1),
        (DIFFERS.format("USD 10.00"), 1),
        ("One row was looked at, and 1 of 1 differs, by 10.00 [D1:1.2].", 0),
        ("1 of 1 differs, by 10.00.", 0),
        ("It differs by 10.00, the sum is 2,010.00 [D1:1.2].", 1),
    ],
)
def test_a_figure_that_a_tool_worked_out_costs_no_round_and_an_invented_one_does(
    answer_with: Any, reconciled: Any, said: str, asks: int
) -> None:
    assert len(answer_with(reconciled, says(said), says(said))) == 2 + asks


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("Its 2 lines add up to 35.00, the page says 34.00 [D1:1.1].", 0),
        ("It has 2 rows of line_items [D1:1.1].", 0),
        ("Its 2 lines add up to 36.00, the page says 34.00 [D1:1.1].", 1),
    ],
)
def test_what_a_check_has_added_up_costs_no_round_and_another_sum_does(
    answer_with: Any, actor: Actor, said: str, asks: int
) -> None:
    document = document_with(actor.organization, ["Subtotal 34.00"], name="sum.pdf")
    run = store_run(actor, make_prompt(actor, [SUM]), document, {**INVOICE, "subtotal": 34})
    place = {"page": 1, "blocks": ["1.1.1"], "state": "exact"}
    Extraction.objects.filter(pk=run.pk).update(provenance={"subtotal": place})
    result = calls(("get_extraction_result", {"document": "sum.pdf"}))
    assert len(answer_with(result, says(said), says(said))) == 2 + asks


@pytest.mark.parametrize(
    "said",
    [
        "Shall I ‘set up a rule for all of them’?",
        "Soll ich „eine Regel für alle Rechnungen“ anlegen?",
        "Do you want me to use 5,000.00 EUR as its limit?",
        "Which of them is meant, “the lease with Omega Ltd”?",
    ],
)
def test_an_offer_or_a_question_to_the_person_is_no_claim(answer_with: Any, said: str) -> None:
    assert len(answer_with(says(said), says(said))) == 1


def test_a_question_with_an_invented_figure_is_a_claim(answer_with: Any) -> None:
    said = "Did you know that Omega owes 9,000,000.00 EUR?"
    assert len(answer_with(says(said), says(said))) == 2


@pytest.mark.parametrize(("said", "asks"), [("It is 39.80, below 41.00 [D1:1.2].", 0), ("It is 41.00 [D1:1.2].", 1)])
def test_a_figure_of_the_person_is_taken_as_a_limit_and_not_as_what_a_line_says(
    answer_with: Any, invoice: Document, said: str, asks: int
) -> None:
    assert len(answer_with(read(invoice), says(said), says(said), text="Is it 41.00?")) == 2 + asks


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("It is 39.80 [D1:1.2] and 10.20 [D2:1.1], in all 50.00 [D1:1.2, D2:1.1].", 0),
        ("It is 39.80 [D1:1.2] and 10.20 [D2:1.1], in all 51.00 [D1:1.2, D2:1.1].", 1),
        ("It is 39.80 [D1:1.2] and 10.20 [D2:1.1], in all 50.00 [D1:1.2].", 0),
    ],
)
def test_a_sum_in_a_longer_sentence_comes_of_the_lines_behind_it(
    answer_with: Any, invoice: Document, actor: Actor, said: str, asks: int
) -> None:
    other = document_with(actor.organization, ["Total due 10.20"], name="other.pdf")
    both = calls(("read_document", {"document": invoice.pk}), ("read_document", {"document": other.pk}))
    assert len(answer_with(both, says(said), says(said))) == 2 + asks
