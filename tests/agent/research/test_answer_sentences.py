"""Which sentences of an answer name a proof, however the answer is laid out."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from typing import Any

import pytest

from agent.citations.checked_answers import mark_answer, mark_doubts
from agent.citations.reviewing import MAX_CHECKED
from agent.citations.sentences import Sentence, list_cited_sentences
from agent.citations.statements.checking import MAX_COMPUTED, MAX_FACTS, MAX_STATEMENT, check_statement
from agent.citations.statements.proofs import Proof
from agent.citations.statements.uncited import list_facts
from agent.models import Citation, Message, Thread
from documents.models import Document
from tests.agent.research.test_citations import answer_with, invoice, read, research, show  # noqa: F401 - fixtures
from tests.scripted_model import calls, says


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("The total is\n9 EUR, as it says [1].", ["The total is\n9 EUR, as it says [1]."]),
        ("A debt of 9 EUR,\nto Acme [1].", ["A debt of 9 EUR,\nto Acme [1]."]),
        ("A debt of 9 EUR to the\nAcme Corp [1].", ["A debt of 9 EUR to the\nAcme Corp [1]."]),
        ("The total is 9.\n[1]", ["The total is 9.\n[1]"]),
        ("The total is 9.\n\n(Source: [1])", ["The total is 9.\n\n(Source: [1])"]),
        ("Die Summe ist 9. Siehe [1]. Ja.", ["Die Summe ist 9. Siehe [1]."]),
        ("It is… 9 [1].", ["It is… 9 [1]."]),
        ("It is 9 [1].\nSources: [1], [2]", ["It is 9 [1].", "Sources: [1], [2]"]),
        ("**Vendor:** Acme [1]\n**Total:** 5 [2]", ["**Vendor:** Acme [1]", "**Total:** 5 [2]"]),
        ("Acme [1]\nowes 5 [2]", ["Acme [1]", "owes 5 [2]"]),
        ("- Acme\n- 5 [1]\n# of the\n7 [1]", ["- 5 [1]", "7 [1]"]),
        ("a ``` b\nThe total is 9 [1].", ["The total is 9 [1]."]),
        ("```\nx = y[0] + [1]\n```\nso [1]", ["so [1]"]),
        ("~~~\nThe total is 9 [D1:1.2]\n~~~", ["The total is 9 [D1:1.2]"]),
    ],
)
def test_a_sentence_is_whole_and_none_hides(text: str, sentences: list[str]) -> None:
    assert [each.text.strip() for each in list_cited_sentences(text)] == sentences


def test_a_sentence_that_only_names_a_place_proves_the_one_before_it() -> None:
    [sentence] = list_cited_sentences("It says “due within 30 days.” That is on page 1 [D1:1.2].")
    assert sentence.text.startswith("It says")


def test_a_sentence_that_is_too_long_to_be_checked_is_not_proven() -> None:
    line = [Proof("5 " * MAX_STATEMENT)]
    assert not check_statement("5 " * 99, line).missing
    assert "longer than" in check_statement("5 " * MAX_STATEMENT, line).gap
    many = " ".join(str(1000 + at) for at in range(MAX_FACTS + 1))
    assert "more than" in check_statement(many, [Proof(many)]).gap


def test_few_numbers_of_a_sentence_are_worked_out() -> None:
    lines = [Proof("100 0.5", block_id="D1:1.1"), Proof(" ".join(f"{at}000" for at in range(1, 30)))]
    sums = " ".join(f"{at}100" for at in range(1, 30))
    verdict = check_statement(sums, lines)
    assert len(verdict.sums) == MAX_COMPUTED and len(verdict.missing) == 29 - MAX_COMPUTED


@pytest.mark.django_db(transaction=True)
def test_what_is_beyond_the_sentences_that_are_checked_is_not_proven(
    answer_with: Any,
    invoice: Document,
    research: Thread,
) -> None:
    cited = ("cite_source", {"cited_text": "Total due 39.80", "block_id": "D1:1.2", "citation_number": 1})
    said = says("It is 39.80 [1].\n" * (MAX_CHECKED + 2))
    answer_with(read(invoice), calls(cited), said)
    [block] = [each for each in Message.objects.latest("number").blocks if each["type"] == "checked"]
    assert len(block["not_checked"]) == 2 and "no more than 200" in block["not_checked_because"][0]


@pytest.mark.django_db(transaction=True)
def test_no_mark_is_lost_or_forged(
    answer_with: Any,
    invoice: Document,
    signed_in: Any,
    actor: Any,
    research: Thread,
) -> None:
    said = says(
        "It is 39.80 [D1:1.2]. [unsupported]\n\n| a | b |\n|---|---|\n| Total | 41.00 [D1:1.2] |\n\n"
        "```\nIt is 42.00 [D1:1.2], [1]\n```\n\n[unsupported]: <>"
    )
    answer_with(read(invoice), said, said)
    message = Message.objects.latest("number")
    text = mark_answer(message)
    assert text.count("[unsupported]") == 2 and "41.00 [D1:1.2] [unsupported] |" in text
    assert "⸨Total | 41.00 [D1:1.2]⸩ |" in mark_doubts(message)
    page = show(signed_in, actor, research)
    assert page.count("(unsupported)</span>") == 2 and Citation.objects.count() == 1
    assert page.count('aria-label="Source 1, page 1"') == 3 and "[1]" in page


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("If you like, I can put a tag such as “For Ann Kern” on them.", []),
        ('You can put a tag called "Ann Kern 2026" or “Ann Kern 2027” on it [1].', []),
        ("I could add a new tag “Paid by Ann Kern”.", []),
        ("Sie können ein Schlagwort wie „Für Ann Kern“ anlegen.", []),
        ("Put a tag such as “For Ann Kern” on it.", []),
        ("It has a tag such as “For Ann Kern”.", ["Ann Kern"]),
        ("I can see that the tag “For Ann Kern” is on it.", ["Ann Kern"]),
        ("I can confirm that it says “Ann Kern approved this”.", ["Ann Kern approved this"]),
        ("You can read that it cost 9,000.00, such as “9,000.00 for Ann Kern in all of May”.", ["9,000.00"]),
        ("I can put a tag such as “Ann Kern paid all of 9,000.00 in May” on it.", ["9,000.00"]),
        ("I can put a tag such as “A” on the invoice of Ann Kern over 41.00.", ["41.00", "Ann Kern"]),
    ],
)
def test_words_that_are_only_suggested_need_no_source(text: str, facts: list[str]) -> None:
    said = [fact.written for fact in list_facts(Sentence(0, len(text), text).statement)]
    assert [any(fact in each for each in said) for fact in facts] == [True] * len(facts)
    assert facts or not said
