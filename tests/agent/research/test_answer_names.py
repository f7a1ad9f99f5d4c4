"""Names, quotations, addresses, days of the week and bounds of a sentence, against its lines."""

from __future__ import annotations

import pytest

from agent.citations.statements.checking import check_statement
from agent.citations.statements.proofs import Proof


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("It was signed by Šárka.", "signed: Anna"),
        ("Kern signed it.", "signed: Anna"),
        ("Miller asks for 40.00.", "Total 40.00"),
        ("Miller and Baker approved it.", "approved: Anna Miller"),
        ("Frau Stern hat es genehmigt.", "genehmigt: Anna"),
        ("The seller is Łódź Sp.", "seller: Kraków Sp."),
        ("The buyer is Аcme Corp.", "buyer: Acme Corp"),
        ("Договор подписал Иван.", "Договор подписала Анна"),
        ("Τον υπέγραψε ο Γιώργος.", "Τον υπέγραψε η Άννα"),
        ("It says ‘paid in part’.", "Paid in full"),
        ("It says 'paid in part'.", "Paid in full"),
        ("It says ‹paid in part›.", "Paid in full"),
        ("It says “costs 5 €”.", "costs 5 %"),
        ("It says “the change is -5”.", "the change is 5"),
        (f"It says “{'word ' * 100}never”.", "word " * 100 + "always"),
        ("Mail to eve@evil.example.", "Mail to ana@acme.example"),
        ("See www.evil.example/pay.", "See www.acme.example/pay"),
        ("It costs ⑫ EUR.", "costs 11 EUR"),
        ("It costs Ⅻ EUR.", "costs 11 EUR"),
        ("It begins at 14:30.", "from 15:30 for 14 guests on 30 chairs"),
        ("The IBAN is DE89 3704 0044 0532 0130 00.", "DE89370400440532013001"),
        ("It is on Monday.", "on Tuesday at noon"),
        ("Termin ist am Montag.", "Termin am 2026-05-05"),
        ("Il est fermé le lundi.", "fermé le mardi"),
        ("It costs at least 5,000 EUR.", "at most 5,000 EUR"),
        ("Die Frist beträgt mindestens 30 Tage.", "höchstens 30 Tage"),
        ("It takes more than 30 days.", "up to 30 days"),
        ("Il faut au moins 3 jours.", "au plus 3 jours"),
        ("5 or more are needed.", "5 or fewer"),
        ("It is > 5.", "≤ 5"),
        ("Prices rose by 5 %.", "Prices fell by 5 %"),
        ("Der Umsatz ist um 5 % gestiegen.", "Umsatz: Rückgang, gesunken um 5 %"),
        ("Le loyer a augmenté de 5 %.", "baisse du loyer de 5 %"),
    ],
)
def test_it_marks_what_the_line_does_not_say(statement: str, line: str) -> None:
    assert check_statement(statement, [Proof(line)]).missing
    assert not check_statement(statement, [Proof(statement)]).missing


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("ŁUKASZ signed it.", "signed: Łukasz"),
        ("Umowę podpisano z Adamem Nowakiem.", "Strony: Adam Nowak"),
        ("Договор подписан Иваном Петровым.", "Подпись: Иван Петров"),
        ("The tenants' duty and the landlord's are equal.", "equal duties of tenants and landlords"),
        ("It says ‘don’t pay’ and 'net'.", "Don't pay; net"),
        ("It says “5 due”.", "5 due in €"),
        ("Write to Ana@Acme.example.", "Contact: ana@acme.example"),
        ("The IBAN is DE89 3704 0044 0532 0130 00.", "IBAN DE89370400440532013000"),
        ("The IBAN is DE89370400440532013000.", "IBAN DE89 3704 0044 0532 0130 00"),
        ("It begins at 14:30.", "Beginn 14.30 Uhr"),
        ("Termin ist am Dienstag.", "Termin am 2026-05-05"),
        ("It is on Tuesday.", "am Dienstag"),
        ("It takes 30 days at most.", "not more than 30 days"),
        ("At most 5 are needed.", "They must not be more than 5."),
        ("It is at least 5.", "It is 5"),
        ("Over 5 years old.", "5 years"),
        ("Invoice No. 17 is due.", "Rechnung Nr. 17"),
        ("Prices rose by 5 %.", "Price increase 5 %"),
        ("Higher costs reduced the profit by 5 %.", "The profit fell by 5 %"),
        ("The rent did not fall but rose by 5 %.", "increase of 5 %"),
        ("The rent is 5 % higher.", "Rent: 5 %"),
    ],
)
def test_it_finds_what_the_line_says(statement: str, line: str) -> None:
    assert check_statement(statement, [Proof(line)]).missing == []


PAGE = [
    "Hartmann & Co, Köln",
    "Invoice 7",
    *[f"Position {number} | {number}.00" for number in range(3, 30)],
    "Total due 39.80 EUR",
    "Sea View | 1,200 EUR",
    "Highlands House | Ben Novak",
    "Signed: Anna Petrov",
]


@pytest.mark.parametrize(
    ("statement", "line", "missing"),
    [
        ("Hartmann & Co asks for 39.80 EUR.", 30, []),
        ("Anna Petrov signed for 39.80 EUR.", 30, []),
        ("Hartmann & Co asks for 38.70 EUR.", 30, ["38.70"]),
        ("Ben Novak asks for 39.80 EUR.", 30, ["Ben Novak"]),
        ("Anna Petrov owns Highlands House.", 32, ["Anna Petrov"]),
        ("Peter Kern asks for 39.80 EUR.", 30, ["Peter Kern"]),
    ],
    ids=["at the head", "near it", "another amount", "in a row", "beside another name", "nowhere"],
)
def test_a_name_may_stand_near_the_line_where_that_names_nobody_else(
    statement: str, line: int, missing: list[str]
) -> None:
    beside = {f"D1:1.{at}": text for at, text in enumerate(PAGE, start=1) if at != line}
    proof = Proof(PAGE[line - 1], beside=beside, block_id=f"r.1.{line}")
    assert list(check_statement(statement, [proof]).missing) == missing
