"""Sentences in a document's thread that name no line: what stands somewhere passes, what stands nowhere is marked."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from agent.citations.labels import join_label
from agent.citations.sentences import list_sentences
from agent.citations.statements.proofs import Proof
from agent.citations.statements.uncited import list_facts, look_for
from agent.conversation import threads
from agent.conversation.cited_messages import read_message
from agent.models import Thread
from agent.turns import turns
from documents.definitions import tags
from documents.models import Document
from documents.reading.blocks import BlockPlace
from tests.agent.turn_rows import Work
from tests.documents.reading_rows import document_with
from tests.scripted_model import MODEL, ScriptedModel, calls, says

FAR = [f"Line {number} of the sheet" for number in range(1, 900)]
LINES = [
    "Work order 17",
    "Hours: 2.0",
    "Total due 1,164.47 EUR by 30 April 2026",
    "Freight 41.50 USD",
    *FAR,
    "Clerk: Petra Novak, Brno",
]


@pytest.fixture
def order(actor: Actor) -> Document:
    return document_with(actor.organization, LINES, name="order-17.pdf")


@pytest.fixture
def beside(actor: Actor, order: Document) -> Thread:
    thread = threads.create(actor, document=order)
    Thread.objects.filter(pk=thread.pk).update(model=MODEL)
    return Thread.objects.get(pk=thread.pk)


@pytest.fixture
def answer(actor: Actor, beside: Thread, work: Work, scripted_model: ScriptedModel) -> Callable[..., int]:
    """How often the model is asked."""

    def run(*replies: Any, text: str = "Who approved this?") -> int:
        scripted_model.will(*replies)
        turns.start(actor, thread=beside, text=text)
        work()
        return len(scripted_model.requests)

    return run


@pytest.fixture
def list_marked(signed_in: Any, actor: Actor, beside: Thread) -> Callable[[], list[str]]:
    def read() -> list[str]:
        where = reverse("thread-items", args=[actor.organization.pk, beside.pk])
        return re.findall(r'<mark class="doubt">(.*?)</mark>', signed_in(Client(), actor).get(where).content.decode())

    return read


@pytest.mark.django_db(transaction=True)
def test_an_invention_beside_a_document_is_asked_for_once_and_then_marked(
    answer: Any, list_marked: Any, beside: Thread, api_as: Any, actor: Actor
) -> None:
    said = "H. Kern on 14.03.2026, 3.5 hours."
    assert answer(says(said), says(said)) == 2 and list_marked() == [said]
    body = (
        api_as(actor)
        .get(f"/v0/orgs/{actor.organization.pk}/documents/{beside.document_id}/chat/turns/{beside.turns.get().pk}")
        .json()
    )
    assert body["unsupported"] == [said] and not body["nothing_read"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "said",
    [
        "It is due on 30.04.2026: 1,164.47 EUR for 2 hours, says Petra Novak of Brno.",
        "You asked about INV-2026-9, and there is no such number.",
        "It carries the tag Nordwind Urgent, and order-17.pdf is its name.",
        "It says “Total due 1,164.47 EUR”.",
        "That makes 2,328.94, as calculated.",
        "Press Approve to go on. The **Net Amount** is missing, in English.",
    ],
)
def test_what_stands_somewhere_is_not_asked_again(answer: Any, list_marked: Any, actor: Actor, said: str) -> None:
    tags.create(actor, name="Nordwind Urgent")
    computed = calls(("calculate_expression", {"expression": "1164.47 * 2"}))
    assert answer(computed, says(said), text="What of INV-2026-9?") == 2 and list_marked() == []


@pytest.mark.django_db(transaction=True)
def test_a_sum_of_two_currencies_is_no_source_though_a_tool_has_computed_it(answer: Any, list_marked: Any) -> None:
    computed = calls(
        ("calculate_expression", {"expression": "1164.47 + 41.5"}),
        ("calculate_expression", {"expression": "41.5 + 1164.47"}),
    )
    assert answer(computed, says("That makes 1,205.97."), says("That makes 1,205.97.")) == 3
    assert list_marked() == ["That makes 1,205.97."]


@pytest.mark.django_db(transaction=True)
def test_a_name_alone_is_marked_without_a_round_for_it(answer: Any, list_marked: Any) -> None:
    assert answer(says("Ludmila Kern approved it.")) == 1 and list_marked() == ["Ludmila Kern approved it."]


@pytest.mark.django_db(transaction=True)
def test_what_a_refused_call_claims_is_no_source(answer: Any, list_marked: Any) -> None:
    refused = calls(("update_document", {"name": "Kern-9000.pdf", "no_such": True}))
    assert answer(refused, says("It is Kern-9000."), says("It is Kern-9000.")) == 3
    assert list_marked() == ["It is Kern-9000."]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "said",
    [
        "H. Kern approved it on 14.03.2026.",
        "Approved by Miller.",
        "The total is 9,000.50 EUR.",
        "It is due on 1 May 2026 [D1:1.3].",
        "I create the tag Ready, since 9,000.50 are due.",
    ],
)
def test_an_invention_beside_calls_is_marked_without_a_round_for_it(
    answer: Any, list_marked: Any, said: str, beside: Thread
) -> None:
    proposed = calls(("create_tag", {"name": "Ready", "description": "9,000.50 due"}), text=said)
    assert answer(proposed) == 1 and [re.sub(r" \[.*\]", "", said)] == list_marked()
    (message,) = beside.messages.filter(role="assistant")
    assert "[unsupported]" in read_message(message).text and not read_message(message).citations


@pytest.mark.django_db(transaction=True)
def test_what_stands_somewhere_is_not_marked_beside_calls(answer: Any, list_marked: Any) -> None:
    said = (
        "1,164.47 EUR are due by 30 April 2026 [D1:1.3]. Petra Novak is the clerk. I list up to 200 documents, create "
        "the tag “Kestrl 2026-17” and ask for approval."
    )
    assert answer(calls(("list_documents", {"limit": 200}), ("create_tag", {"name": "Kestrl 2026-17"}), text=said)) == 1
    assert list_marked() == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("expression", ["4500.25 * 2", "1164.47 + 7836.03", "days('2021-01-01', '2026-04-30')"])
def test_a_result_of_an_invented_input_is_no_source(answer: Any, list_marked: Any, expression: str) -> None:
    results = {"4500.25 * 2": "9,000.50", "1164.47 + 7836.03": "9,000.50"}
    said = f"That makes {results.get(expression, '1,945')}."
    assert answer(calls(("calculate_expression", {"expression": expression})), says(said), says(said)) == 3
    assert list_marked() == [said]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("1164.47 / 1.19", "Without 19 % it is 978.55."),
        ("round(1164.47 * 0.81, 2)", "Less 19 % it is 943.22."),
        ("(1164.47 + 1164.47) / 2", "The mean is 1,164.47."),
        ("2 * 1164.47 * 12", "It is 27,947.28 a year for two."),
    ],
)
def test_a_result_of_known_inputs_is_one(answer: Any, list_marked: Any, expression: str, said: str) -> None:
    assert answer(calls(("calculate_expression", {"expression": expression})), says(said), text="And with 19 %?") == 2
    assert list_marked() == []


@pytest.mark.django_db(transaction=True)
def test_a_result_of_a_result_is_one(answer: Any, list_marked: Any) -> None:
    first, second = ({"expression": each} for each in ("1164.47 * 3", "3493.41 * 3"))
    said = "That makes 10,480.23."
    assert (
        answer(calls(("calculate_expression", first)), calls(("calculate_expression", second)), says(said)) == 3
        and list_marked() == []
    )


@pytest.mark.django_db(transaction=True)
def test_what_a_search_in_vain_and_an_error_repeat_is_no_source(answer: Any, list_marked: Any) -> None:
    said = "It is KN-9000-77, “Kestrl roof repair of 2021”."
    vain = calls(
        ("search_documents", {"query": "KN-9000-77"}),
        ("read_document", {"document": "Kestrl roof repair of 2021"}),
    )
    assert answer(vain, says(said), says(said)) == 3 and list_marked() == [said]


def find_nowhere(sentence: str, *lines: str) -> set[str]:
    facts = list_facts(sentence)
    return {fact.written for fact in look_for(facts, list(map(Proof, lines)), ()).nowhere}


@pytest.mark.parametrize(
    ("sentence", "line"),
    [
        ("It was H. Kern.", "approved: H. Kern"),
        ("It took 3.5 hours.", "3.5 h"),
        ("Hours: 2.5", "2.5"),
        ("Due are 1,164.47 EUR.", "total 1164.47"),
        ("On 3 May 2026.", "2026-05-03"),
        ("In May 2026.", "3.5.2026"),
        ("Within three months.", "3 months"),
        ("The Hartmann GmbH sends it.", "HARTMANN GmbH, Köln"),
        ("“Northwind Ltd” it says.", "to: Northwind Ltd."),
        ("Write to ap@kern.example.", "mail ap@kern.example"),
        ("Kern signed it.", "signed: Kern"),
        ("Mr. Kern approved it.", "approved KERN"),
        ("Herr Kern hat den Vertrag unterschrieben.", "Unterschrift Kern"),
        ("Approved by Miller and Baker.", "OK: Baker, Miller"),
        ("The buyer is Grant Baker.", "sold to Grant Baker"),
        ("Baker's signature is missing.", "to sign: Baker"),
        ("Net is 200.00 (245.00 − 45.00).", "245.00 less 45.00"),
        ("Tax is 19.00 EUR (100.00 EUR × 19 %).", "100.00 EUR, 19 %"),
        ("2 × 40.00 = 80.00.", "each 40.00"),
    ],
)
def test_a_fact_is_found_where_it_stands_and_nowhere_else(sentence: str, line: str) -> None:
    assert find_nowhere(sentence, line) == set() and find_nowhere(sentence, "Invoice 7 of 1 June 2020: 8.00 USD")


@pytest.mark.parametrize(
    ("sentence", "line"),
    [
        ("Due are 40.00 EUR.", "40.00 USD"),
        ("It took 3 hours.", "3 days"),
        ("On 3 May 2026.", "4 May 2026"),
        ("Net is 210.00 (245.00 − 45.00).", "245.00 less 45.00"),
        ("Net is 200.00 (245.00 − 45.00).", "245.00"),
        ("It is 9,000 (90 × 10 × 10).", "90 EUR"),
        ("Net is 200.00 (245.00 − 45.00).", "245.00 USD less 45.00 EUR"),
    ],
)
def test_another_currency_unit_or_day_is_no_source(sentence: str, line: str) -> None:
    assert find_nowhere(sentence, line)


@pytest.mark.parametrize(
    "sentence",
    [
        "The Baker signed it.",
        "Approved by Management.",
        "Signed by the tenant.",
        "Press Approve to go on.",
        "The Price column works.",
        "Contact: Sales.",
        "See the Page list and the Case field.",
        "Von der Geschäftsleitung genehmigt.",
    ],
)
def test_a_role_and_a_heading_are_no_names(sentence: str) -> None:
    assert list_facts(sentence) == []


def test_a_label_and_the_value_below_it_are_one() -> None:
    lines = {
        BlockPlace(1, 2): "Bill to:",
        BlockPlace(1, 3): "Northwind Ltd",
        BlockPlace(1, 4): "Brno 60200, Main Street 9",
    }

    def join(line: int) -> str:
        place = BlockPlace(1, line)
        return join_label(place, lines[place], {other: text for other, text in lines.items() if other != place})

    assert join(2) == "Bill to: Northwind Ltd" and join(3) == "Bill to: Northwind Ltd"
    assert join(4) == "Brno 60200, Main Street 9"


def test_a_quotation_with_a_full_stop_is_not_split() -> None:
    text = "“Payment is due. Pay in 30 days.” stands on page 2. Then it ends."
    assert [each.text.strip() for each in list_sentences(text)] == [text[:51], "Then it ends."]
    ended = [each.text.strip() for each in list_sentences("It says “Pay in 30 days.” Then it ends.")]
    assert ended == ["It says “Pay in 30 days.”", "Then it ends."]
