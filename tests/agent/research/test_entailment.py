"""Sentences whose facts stand in their lines: which of them are proven, and which are cited and not checked."""

from __future__ import annotations

import pytest

from agent.citations.statements.checking import State, check_statement
from agent.citations.statements.negations import denies_documents
from agent.citations.statements.proofs import Proof

BOTH = "Seller: Anna Novak, Buyer: Bruno Keller"
PAYS = "Anna Novak pays Bruno Keller"


def state_of(statement: str, *lines: str) -> State:
    return check_statement(statement, [Proof(line) for line in lines]).state


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("The roof is slate and in good condition.", "Roof: slate, in good condition"),
        ("The total amounts to 39.80 EUR.", "Total due EUR 39,80"),
        ("The total is 39.80 EUR.", "Gesamtbetrag 39,80 EUR"),
        ("Die Miete beträgt 500 EUR.", "Monthly rent EUR 500"),
        ("Le loyer s'élève à 500 EUR.", "Loyer mensuel : 500 EUR"),
        ("El alquiler es de 500 EUR.", "Alquiler mensual: 500 EUR"),
        ("The tenant has paid.", "Payable by the tenant"),
        ("The tenant pays the landlord.", "The tenant pays the landlord monthly"),
        ("The seller is Anna Novak and the buyer is Bruno Keller.", BOTH),
        ("| Total | 120.00 |", "Net 100.00 | VAT 20.00 | Total 120.00"),
        ("The rent is 900 and the deposit 500.", "Deposit 500, rent 900"),
        ("No pets are allowed.", "Pets are not allowed."),
        ("They pay 250.00 EUR for the window.", "We do not cover the roof, but pay 250.00 EUR for the window."),
        ("It says “carried out without complications”.", "Surgery was carried out without complications."),
        ("Two windows are broken.", "2 broken windows"),
        ("屋根はスレート", "屋根はスレート。良好"),
        ("The invoice number is INV-8.", "Invoice no. INV-8"),
        ("Bruno Keller is the buyer.", BOTH),
        ("20 pumps at 5.00 come to 100.00.", "Pump | 20 | 5.00 | 100.00"),
        ("Der Mieter zahlt dem Vermieter 500 EUR Miete.", "Der Mieter zahlt dem Vermieter monatlich 500 EUR Miete."),
    ],
)
def test_a_sentence_with_the_words_of_its_line_is_proven(statement: str, line: str) -> None:
    assert state_of(statement, line) is State.PROVEN


@pytest.mark.parametrize(
    ("statement", "lines"),
    [
        ("The roof is made of gold.", ["Roof: slate, in good condition"]),
        ("Das Dach ist aus Gold.", ["Dach: Schiefer, guter Zustand"]),
        ("Le toit est en or.", ["Toit : ardoise, bon état"]),
        ("El techo es de oro.", ["Techo: pizarra, buen estado"]),
        ("屋根は金でできている。", ["屋根:スレート"]),
        ("ACME terminated the contract on 5 May 2026.", ["ACME signed the contract on 5 May 2026"]),
        ("The total is 39.80 and was paid in gold.", ["Total 39.80"]),
        ("The total is 120.00.", ["Subtotal 120.00"]),
        ("Die Summe beträgt 120,00 EUR.", ["Zwischensumme 120,00 EUR"]),
        ("Two windows are broken.", ["Three windows are broken"]),
        ("The employer pays the insurance.", ["The employee pays the insurance"]),
        ("Yes.", ["Roof: slate"]),
    ],
)
def test_words_that_stand_in_no_line_leave_it_unchecked(statement: str, lines: list[str]) -> None:
    assert state_of(statement, *lines) is State.NOT_CHECKED


@pytest.mark.parametrize(
    ("statement", "lines"),
    [
        ("Bruno Keller pays Anna Novak.", [PAYS]),
        ("Anna Novak is paid by Bruno Keller.", [PAYS]),
        ("Anna Novak pays Bruno Keller.", ["Anna Novak pays rent.", "Bruno Keller pays power."]),
        ("Anna Novak pays Bruno Keller.", ["Anna Novak pays Carla Weiss; Carla Weiss pays Bruno Keller"]),
        ("The tenant pays the landlord.", ["The landlord pays the tenant"]),
        ("Der Vermieter zahlt dem Mieter die Miete.", ["Der Mieter zahlt dem Vermieter die Miete"]),
        ("Le locataire paie le bailleur.", ["Le bailleur paie le locataire"]),
        ("El inquilino paga al arrendador.", ["El arrendador paga al inquilino"]),
        ("The seller is Bruno Keller and the buyer is Anna Novak.", [BOTH]),
        ("The seller is Bruno Keller and the buyer is Anna Novak.", BOTH.split(", ")),
        ("Anna Novak is the buyer.", [BOTH]),
        ("| Seller | Bruno Keller |", [BOTH.replace(",", " |")]),
        ("The VAT is 120.00.", ["Net 100.00 VAT 20.00 Total 120.00"]),
        ("| VAT | 120.00 |", ["Net 100.00 | VAT 20.00 | Total 120.00"]),
        ("| VAT | 120.00 |", ["Net | 100.00 | VAT | 20.00 | Total | 120.00"]),
        ("The rent is 500 and the deposit 900.", ["Deposit 500, rent 900"]),
        ("Anna Novak signed on 5 May 2026.", ["Anna Novak signed 3 May 2026, Bruno Keller signed 5 May 2026"]),
    ],
)
def test_who_does_it_to_whom_and_what_is_beside_what_is_compared(statement: str, lines: list[str]) -> None:
    assert state_of(statement, *lines) is State.NOT_CHECKED


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("Anna Novak signed before Bruno Keller.", "Bruno Keller signed before Anna Novak"),
        ("Anna Novak signed before Bruno Keller.", "Anna Novak signed after Bruno Keller"),
        ("It ended before 5 May 2026.", "It ended after 5 May 2026"),
        ("It ends after 5 May 2026.", "It ends on 5 May 2026"),
        ("The tenant may keep pets.", "The tenant must keep pets"),
        ("All windows are broken.", "Window 7: broken"),
        ("They pay for the roof.", "They pay for the roof if a storm broke it"),
        ("They pay for the roof.", "They refuse to pay for the roof."),
        ("ACME has delivered the pumps.", "ACME agrees to deliver the pumps"),
        ("The tenant may keep pets.", "The tenant may keep pets with the consent of the landlord"),
        ("No lease names a deposit.", "Lease of hall 7, deposit: see annex"),
    ],
)
def test_small_words_that_turn_it_around_leave_it_unchecked(statement: str, line: str) -> None:
    assert state_of(statement, line) is State.NOT_CHECKED


@pytest.mark.parametrize(
    "statement",
    [
        "The net is 200.00 (245.00 − 45.00).",
        "ACME Corp of Kingston: net 200.00.",
        "The schema Supplier invoice takes the net, 200.00.",
    ],
)
def test_what_stands_near_or_is_the_product_s_own_is_worth_no_round(statement: str) -> None:
    beside = {"D1:1.1": "ACME Corp", "D1:1.2": "12 Harbour Road, Kingston", "D1:1.3": "Gross 245.00", "D1:1.4": "45.00"}
    verdict = check_statement(statement, [Proof("Net 200.00", beside=beside)], "Supplier".__eq__)
    assert not verdict.missing and check_statement(statement, [Proof("Net 200.00")]).missing


@pytest.mark.parametrize(
    ("text", "is_denied"),
    [
        ("No lease names a deposit.", True),
        ("None of the contracts mentions a deposit.", True),
        ("Kein Vertrag nennt eine Kaution.", True),
        ("Aucun contrat ne mentionne de caution.", True),
        ("Ningún contrato menciona una fianza.", True),
        ("The lease does not mention one.", True),
        ("Keiner nennt eine Kaution.", True),
        ("None names a deposit.", True),
        ("None of them has a deposit.", True),
        ("Aucun ne mentionne de caution.", True),
        ("The tenant does not have a dog.", False),
        ("Does no lease name a deposit?", False),
        ("I did not change the document.", False),
        ("The lease names a deposit.", False),
    ],
)
def test_what_documents_do_not_say_is_told_from_other_negations(text: str, is_denied: bool) -> None:
    assert denies_documents(text) is is_denied
