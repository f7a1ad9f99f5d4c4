"""Numbers of a sentence with what stands beside them, against those of its lines."""

from __future__ import annotations

import pytest

from agent.citations.statements.checking import check_statement
from agent.citations.statements.proofs import Proof
from agent.citations.statements.uncited import list_facts


@pytest.mark.parametrize(
    ("statement", "lines", "missing"),
    [
        ("It costs 39.80 USD.", ["Total due EUR 39.80"], "39.80 USD"),
        ("It costs $39.80.", ["Total due €39.80"], "39.80 $"),
        ("It costs 39.80USD.", ["Total (EUR): 39.80"], "39.80 USD"),
        ("Es kostet 39,80 Franken.", ["Summe 39,80 Euro"], "39,80 Franken"),
        ("It rose by 39.80 %.", ["Total due EUR 39.80"], "39.80 %"),
        ("The discount is 5 EUR.", ["Discount 5 %"], "5 EUR"),
        ("La remise est de 5 euros.", ["Remise 5 pour cent"], "5 euros"),
        ("Payable within 30 months.", ["payable within 30 days"], "30 months"),
        ("Die Frist beträgt 3 Monate.", ["Kündigungsfrist: 3 Wochen"], "3 Monate"),
        ("Il termine è di 3 mesi.", ["entro 3 settimane"], "3 mesi"),
        ("El plazo es de 3 meses.", ["en 3 semanas"], "3 meses"),
        ("De termijn is 3 maanden.", ["binnen 3 weken"], "3 maanden"),
        ("Termin wynosi 3 miesiące.", ["w ciągu 3 tygodni"], "3 miesiące"),
        ("A 30-day period.", ["within 30 weeks"], "30 day"),
        ("It weighs 5 kg.", ["Weight 5 t"], "5 kg"),
        ("Revenue was 3 million EUR.", ["Revenue: 3 thousand EUR"], "3 million"),
        ("Revenue was 3 million EUR.", ["Revenue: EUR 3"], "3 million"),
        ("It costs 5 EUR.", ["Date 2026-05-04"], "5 EUR"),
        ("It costs 17 EUR.", ["Invoice AZ-17"], "17 EUR"),
        ("It costs 2 EUR.", ["a", "b"], "2"),
        ("On page 1, 500 EUR are due.", ["due are 700 EUR"], "500"),
        ("See page 2 and 500,000.00 EUR are due.", ["due are 700 EUR"], "500,000.00"),
    ],
)
def test_a_number_with_another_unit_is_not_proven(statement: str, lines: list[str], missing: str) -> None:
    assert list(check_statement(statement, [Proof(line) for line in lines]).missing) == [missing]


@pytest.mark.parametrize(
    ("statement", "lines"),
    [
        ("It costs EUR 39.80.", ["Total 39.80"]),
        ("It costs 39.80 EUR.", ["Total: 39.80€"]),
        ("Es kostet 39,80 Euro.", ["Gesamt 39.80", "EUR"]),
        ("It costs $5.", ["US$ 5.00"]),
        ("Cena jest 5 PLN.", ["Razem 5,00 zł"]),
        ("It costs 5.00 EUR.", ["Widget 5.00/piece, VAT 19 %"]),
        ("Es kostet 12 Euro.", ["Preis 12,- EUR"]),
        ("Interest is 5 percent.", ["Zinsen 5 %"]),
        ("VAT is 19 %.", ["VAT % 19"]),
        ("Within 30 days.", ["30 (thirty) calendar days"]),
        ("Within 30 days.", ["within thirty days"]),
        ("Within 30 days.", ["a 30-day period"]),
        ("Innerhalb von 30 Tagen.", ["payable within 30 days"]),
        ("Laufzeit 36 Monate.", ["Laufzeit 36 Mon."]),
        ("Die Wohnung hat 85 m².", ["85 qm"]),
        ("Revenue was 3 million EUR.", ["Revenue: 3,000,000 EUR"]),
        ("Revenue was 3,000,000 EUR.", ["Revenue: 3 million EUR"]),
        ("Revenue was 3 million EUR.", ["Revenue 3", "in millions of EUR"]),
        ("Der Umsatz war 1,2 Mio. EUR.", ["Umsatz 1.200 TEUR"]),
        ("A credit of 40.00 EUR.", ["Credit EUR -40.00"]),
        ("It has 2 parts.", ["a", "b"]),
        ("It stands on pages 1, 3 and 500 of it.", ["700 pages"]),
        ("On page 3 it says 5 EUR.", ["5 EUR"]),
        ("It stands on pages 1 and 3.", ["700 pages"]),
        ("See pages 1, 3", ["700 pages"]),
        ("In 2026 it costs 5 EUR.", ["2026-05-04: EUR 5"]),
    ],
)
def test_a_number_with_its_unit_or_without_one_is_proven(statement: str, lines: list[str]) -> None:
    assert check_statement(statement, [Proof(line) for line in lines]).missing == []


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("It costs １２ EUR.", "costs 11 EUR"),
        ("It costs 1\u200b2 EUR.", "costs 1 of 2 EUR"),
        ("It costs 1\u00ad2 EUR.", "costs 1 of 2 EUR"),
        ("It costs \u202e08.93\u202c EUR.", "costs 08.93 EUR"),
        ("Ze\u0301be\u0301de\u0301e signed.", "signed: Anna"),
    ],
)
def test_signs_that_nobody_sees_hide_no_fact(statement: str, line: str) -> None:
    assert check_statement(statement, [Proof(line)]).missing


def test_a_line_is_read_whatever_signs_it_is_printed_with() -> None:
    assert check_statement("Zébédée paid 12 EUR.", [Proof("Ze\u0301be\u0301de\u0301e: １\u200b２EUR")]).missing == []


@pytest.mark.parametrize("statement", ["The rate is 5 %.", "It costs 9 EUR."])
def test_a_small_amount_needs_a_source_too(statement: str) -> None:
    [amount] = list_facts(statement)
    assert not amount.is_said_by(Proof("7 for 3")) and amount.is_said_by(Proof("9 for 5"))
    assert list_facts("It has 9 pages in 5 parts.") == []
