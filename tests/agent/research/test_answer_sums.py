"""Numbers of a sentence that come of others in its lines, and quantities in words."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from typing import Any

import pytest

from accounts.actor import Actor
from agent.citations.statements.checking import check_statement
from agent.citations.statements.proofs import Proof
from agent.models import Thread
from tests.agent.research.cited_answers import answer_with, read, research, show  # noqa: F401 - fixtures
from tests.documents.reading_rows import document_with
from tests.scripted_model import says

OLD, NEW = "Roof inspection, hall 3 | 1 450.00 | 450.00", "Roof inspection, hall 3 | 1 | 480.00 | 480.00"
LETTER = "from 1 January 2025 an inspection costs EUR 480 instead of EUR 450"


@pytest.mark.parametrize(
    ("statement", "lines", "sums"),
    [
        ("It rose by 6.7 %.", [OLD, NEW], ["(480.00 − 450.00) ÷ 450.00 = 6.7 %"]),
        ("It rose by **6.7 percent**.", [NEW, OLD], ["(480.00 − 450.00) ÷ 450.00 = 6.7 percent"]),
        ("Von 450,00 stieg er um 7 Prozent auf 480,00.", [OLD, NEW], ["(480.00 − 450.00) ÷ 450.00 = 7 Prozent"]),
        ("It rose from 450 to 480, by 7 %.", [LETTER], ["(480 − 450) ÷ 450 = 7 %"]),
        ("It rose by EUR 30.", [LETTER], ["480 − 450 = 30"]),
        ("It rose by 30.00, or 6.7 %.", [OLD, NEW, "480 is 6.7 percent above"], ["480.00 − 450.00 = 30.00"]),
        ("450.00 and 480.00 are 930.00 in May 2024.", ["17 May 2024", OLD, NEW], ["450.00 + 480.00 = 930.00"]),
        ("On average 465.00.", [OLD, NEW], ["(450.00 + 480.00) ÷ 2 = 465.00"]),
        ("On average 465.", [OLD, NEW], ["(450.00 + 480.00) ÷ 2 = 465"]),
        ("93.75 % of 480.00.", [OLD, NEW], ["450.00 ÷ 480.00 = 93.75 %"]),
    ],
)
def test_a_number_that_comes_of_those_of_its_lines_shows_how(statement: str, lines: list[str], sums: list[str]) -> None:
    verdict = check_statement(statement, list(map(Proof, lines)))
    assert (list(verdict.missing), list(map(str, verdict.sums))) == ([], sums)


@pytest.mark.parametrize(
    ("statement", "lines", "missing"),
    [
        ("It rose by 6.8 %.", [OLD, NEW], "6.8"),
        ("It rose by 8 %.", [OLD, NEW], "8"),
        ("It rose by 93 %.", ["7 | 90", "14 | 4"], "93"),
        ("It rose by 6 %.", [LETTER], "6"),
        ("It rose by 3.", ["from 5 to 8"], "3"),
        ("It rose by EUR 31.", [LETTER], "31"),
        ("On average 466.00.", [OLD, NEW], "466.00"),
        ("Together 931.00.", [OLD, NEW], "931.00"),
    ],
)
def test_another_number_is_not_proven(statement: str, lines: list[str], missing: str) -> None:
    assert list(check_statement(statement, list(map(Proof, lines))).missing) == [missing]


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("Three months' notice is needed.", "by giving three months' written notice"),
        ("It ends after 3 months.", "three months"),
        ("It ends after thirty days.", "a period of 30 days"),
        ("It runs for two years.", "Die Laufzeit beträgt 24 Monate."),
        ("Sechs Wochen vorher.", "six weeks before"),
        ("It stays fixed for the first two years.", "unchanged for the first two years"),
        ("A three-month notice.", "three months"),
        ("Late payment costs 1.5% per month.", "charged at 1.5% a month"),
        ("Up to 100,000 EUR per calendar year.", "bis zu 100.000 EUR je Kalenderjahr"),
        ("It ends within a month.", "at 1.5% per year within a month"),
        ("At most €250k, or EUR 0.25m.", "limited to EUR 250,000"),
        ("A 24-month term.", "Die Laufzeit beträgt 24 Monate"),
        ("The 3rd delivery weighs 10 kg.", "delivery 3: 10kg"),
        ("In six cases and two of them.", "in cases"),
        ("Over the two years.", "12.05.2024 to 12.05.2025"),
    ],
)
def test_a_quantity_in_words_is_found_as_a_number_and_in_words(statement: str, line: str) -> None:
    assert check_statement(statement, [Proof(line)]).missing == []


@pytest.mark.parametrize(
    ("statement", "line", "missing"),
    [
        ("Six months' notice is needed.", "by giving three months' written notice", "six months"),
        ("It is fixed for three years.", "unchanged for the first two years", "three years"),
        ("Nach drei Wochen endet es.", "Frist von sechs Wochen", "drei wochen"),
        ("It ends after thirty days.", "a period of 60 days", "thirty days"),
        ("Three weeks' notice.", "three months' written notice", "three weeks"),
        ("Late payment costs 1.5% per year.", "charged at 1.5% per month", "per year"),
        ("Up to 100,000 EUR per month.", "bis zu 100.000 EUR je Kalenderjahr", "per month"),
        ("At most €260k is due.", "limited to EUR 250,000", "260 thousand"),
        ("Letter 2024-ABC.", "2024 ABD", "2024-ABC"),
        ("A 36-month term.", "Die Laufzeit beträgt 24 Monate", "36"),
        ("At most ten percent.", "at most 5 percent", "ten percent"),
    ],
)
def test_another_quantity_in_words_is_not_proven(statement: str, line: str, missing: str) -> None:
    assert list(check_statement(statement, [Proof(line)]).missing) == [missing]


@pytest.mark.django_db(transaction=True)
def test_a_mean_is_shown_with_what_it_is_of(answer_with: Any, signed_in: Any, actor: Actor, research: Thread) -> None:
    months = document_with(actor.organization, ["March 450.00", "April 480.00"], name="months.pdf")
    answer_with(read(months), says("It was 465.00 on average [D1:1.1] [D1:1.2]."))
    page = show(signed_in, actor, research)
    assert "How 465.00 was calculated" in page and "÷ 2 </td>" in page and "unsupported" not in page


@pytest.mark.parametrize(
    ("statement", "lines", "units"),
    [
        ("Together 570.00.", ["Total EUR 480.00", "Total USD 90.00"], "EUR and USD"),
        ("Together 570.00 EUR.", ["Total EUR 480.00", "Total 90.00 USD"], "EUR and USD"),
        ("It is 390.00 less.", ["EUR | 480.00", "USD | 90.00"], "EUR and USD"),
        ("On average 285.00.", ["480.00 €", "90.00 $"], "EUR and USD"),
        ("It rose by 6.7 %.", ["450.00 EUR", "480.00 USD"], "EUR and USD"),
        ("Together 570.00 USD.", ["480.00 EUR", "90.00 EUR"], "EUR"),
        ("Together 570.00.", ["480.00 kg", "90.00 days"], "day and kg"),
        ("Together 600.00.", ["480.00 EUR", "90.00 USD", "30.00"], "EUR and USD"),
    ],
)
def test_parts_in_different_currencies_or_units_make_no_sum(statement: str, lines: list[str], units: str) -> None:
    verdict = check_statement(statement, list(map(Proof, lines)))
    assert not verdict.sums and verdict.missing[0].endswith(f"whose parts are in {units}")


@pytest.mark.parametrize(
    ("statement", "lines", "note"),
    [
        ("Together 570.00 EUR.", ["480.00 EUR", "90.00 €"], "in EUR"),
        ("Together 570.00.", ["480.00 EUR", "90.00"], "in EUR; 90.00 stands without one"),
        ("Together 570.00.", ["480.00", "90.00"], ""),
        ("Together 570.00.", ["$480.00", "USD 90.00"], "in USD"),
        ("Together 570.00 EUR.", ["480.00 EUR | 7.00 USD", "90.00 EUR"], "in EUR"),
    ],
)
def test_a_sum_says_its_currency_and_which_part_has_none(statement: str, lines: list[str], note: str) -> None:
    verdict = check_statement(statement, list(map(Proof, lines)))
    assert verdict.missing == [] and [each.note for each in verdict.sums] == [note]
