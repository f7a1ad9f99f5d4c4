"""What a sentence says, against the lines that it names."""

from __future__ import annotations

import pytest

from agent.citations.evidence import find_words
from agent.citations.sentences import list_cited_sentences
from agent.citations.statements.checking import check_statement
from agent.citations.statements.proofs import Proof


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("The total is 39.80 EUR.", "Total due EUR 39,80"),
        ("It is dated 4 April 2026.", "Date 2026-04-04"),
        ("It says “paid in full”.", "Paid  in full."),
        ("The Acme Corp invoice INV-8 is due.", "Acme Corp INV-8"),
        ("Die Rechnung der Müller GmbH beträgt 1.234,50 EUR.", "Müller GmbH Gesamt 1 234,50"),
        ("A credit of 40.00 stands on page 3.", "Credit -40.00"),
        ("1. **Alice** signed it.", "signed: alice"),
        ("Payment is due in 30 days.", "payable within 30 days"),
        ("Don't pay: Landlord's duty.", "the owner pays"),
        ("**Total Amount:** 39.80", "Total due 39.80"),
        ("Invoice Novak's sum is 5.", "Novak 5"),
        ("Die Heizkostenabrechnung ist von Bob.", "Bob: Abrechnung der Heizung"),
        ("Laut Novak ist sie offen.", "Novak, offen"),
        ("Ich habe die Rechnung von ACME geöffnet.", "ACME Ltd"),
        ("Paiement avant Noël par Alice.", "Alice, noel"),
        ("Montant total: 5", "Somme 5"),
        ("Faktura jest na 5.", "Razem 5"),
        ("| a.txt | 39.80 EUR  | Acme Corp  |", "Acme Corp: 39.80 EUR"),
        ("| Novak | Acme Corp |", "Acme Corp, Novak"),
        ("_Acme_ **Corp** paid `INV_8`.", "Acme Corp INV_8"),
        ("It runs from 1.2.2024 to 11.2.2024.", "from 1.2.2024 to 11.2.2024"),
        ("In 2024 it was 5.", "5 of 15.03.2024"),
        ("In April 2026 it was 5.", "15.04.2026: 5"),
        ("Since March it is 5.", "from 1 March 2026: 5"),
        ("Am 5. Mai ist sie fällig.", "fällig 05.05.2026"),
        ("Due on May 5.", "due 5 May"),
        ("Due in May 2026.", "até 5 de maio de 2026"),
        ("It is due on 5 May 2026.", "splatnost 5. května 2026"),
        ("Due in March 2026.", "termin: 5 marca 2026"),
        ("Paid in August 2026.", "betald 3 augusti 2026"),
        ("They may pay 5 in March.", "in March 5"),
        ("- **Liability** – 500,000 EUR a year.", "Liability: 500,000 EUR a year"),
        ("Liability (per year) - 500,000 EUR.", "Liability per year: 500,000 EUR"),
    ],
)
def test_it_finds_what_the_line_says(statement: str, line: str) -> None:
    assert check_statement(statement, [Proof(line)]).missing == []


@pytest.mark.parametrize(
    ("statement", "line", "missing"),
    [
        ("The total is 39.90.", "Total due 39.80", "39.90"),
        ("It is 15.", "1.5", "15"),
        ("It is -5.", "5", "-5"),
        ("The balance is −\u00a05.", "balance 5", "−\u00a05"),
        ("Credit: - 5.00.", "Credit: 5.00", "- 5.00"),
        ("It is 34.", "1 234", ""),
        ("It is 3980.", "39.80", "3980"),
        ("It is dated 5 April 2026.", "2026-04-04", "5 April 2026"),
        ("It says “paid in part”.", "Paid in full", "“paid in part”"),
        ("It was signed by Bob.", "signed: Alice", "Bob"),
        ("The number is INV-7.", "INV-70", "INV-7"),
        ("ACME owes it.", "Acmeco owes", "ACME"),
        ("Das ist die Rechnung von ACME.", "Rechnung von Acmeco", "Rechnung von ACME"),
        ("Zebedee loan bears interest.", "The loan bears interest.", "Zebedee"),
        ("John signed it.", "signed: Alice", "John"),
        ("Zebedee Ziegler, Freising", "Mioi Ziegler, Freising", "Zebedee Ziegler"),
        ("Terms: Zebedee pays.", "Terms: Alice pays", "Zebedee"),
        ("Unterschrieben wurde es von Zebedee.", "Unterschrieben: Alice", "Zebedee"),
        ("Zebedee zahlt die Miete.", "Alice zahlt die Miete", "Zebedee"),
        ("Zebedee paie le loyer.", "Alice paie le loyer", "Zebedee"),
        ("Zebedee Müller GmbH: 5", "Alice Müller GmbH: 5", "Zebedee Müller GmbH"),
        ("It is dated 32.01.2024.", "Date: 22.01.2024", "32.01.2024"),
        ("| a.txt | 39.80 EUR | Bcme Corp |", "Acme Corp: 39.80 EUR", "Bcme Corp"),
        ("In May 2026 it was 5.", "15.04.2026: 5", "May 2026"),
        ("Am 5. Mai ist sie fällig.", "fällig 05.04.2026", "5. Mai"),
        ("Since March it is 5.", "from 1 April 2026: 5", "March"),
        ("Depuis mai 2026.", "avril 2026", "mai 2026"),
        ("In 2025 it was 5.", "5 of 15.03.2024", "2025"),
    ],
)
def test_it_names_what_the_line_does_not_say(statement: str, line: str, missing: str) -> None:
    assert list(check_statement(statement, [Proof(line)]).missing) == [missing or "34"]


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("Your insurance covers the roof damage.", "We do not cover the damage to the roof, as it was caused by wear."),
        ("Die Versicherung deckt den Schaden.", "Wir decken den Schaden nicht."),
        ("Die Versicherung zahlt nicht.", "Wir zahlen den Schaden."),
        ("The application was approved.", "Your application was not approved."),
        ("The fee is refundable.", "The fee is not refundable."),
        ("The invoice has been paid.", "The invoice has not been paid yet."),
        ("The work is not finished.", "The work was finished on time."),
        ("They didn't accept the offer.", "We accept your offer."),
        ("Es besteht Anspruch auf Urlaub.", "Es besteht kein Anspruch auf Urlaub."),
        ("Le loyer est payé.", "Le loyer n'est pas payé."),
        ("El pago se aceptó.", "El pago no se aceptó."),
        ("Pets are allowed.", "No pets allowed."),
        ("Pets are allowed in the flat.", "Pets are not allowed in the flat."),
        ("The claim is covered.", "The claim isn't covered."),
    ],
)
def test_a_sentence_that_denies_what_its_line_says_is_not_proven_nor_the_other_way_round(
    statement: str, line: str
) -> None:
    assert len(check_statement(statement, [Proof(line)]).missing) == 1
    assert check_statement(statement, [Proof(statement)]).missing == [] == check_statement(line, [Proof(line)]).missing


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("They refuse to cover the roof.", "We do not cover the damage to the roof."),
        ("The roof is excluded from cover.", "We do not cover the roof."),
        ("Payable within 14 days.", "Payable not later than 14 days after receipt."),
        ("The amount is 5.", "Invoice no. 5, amount 5"),
        (
            "It ends on 31 December 2028 unless it is renewed.",
            "The lease ends on 31 December 2028 and is renewed unless notice is given",
        ),
        ("They pay 250.00 EUR for the window.", "We do not cover the roof, but pay 250.00 EUR for the window."),
        ("The damage to the roof is not covered.", "We do not cover the damage to the roof."),
        ("The roof is uncovered by the insurance.", "We do not cover the roof."),
        ("No discount is granted.", "Discount: none"),
        ("Die Miete ist fällig.", "Die Miete ist fällig, nicht die Nebenkosten."),
        ("Die Rechnung wurde nicht bezahlt.", "Die Rechnung ist offen."),
        ("The price is net, VAT is not included.", "plus VAT 19 %"),
        ("It is not only cheap but quick.", "cheap and quick"),
        ("The tenant may keep pets with consent.", "The tenant must not keep pets without consent."),
        ("The offer is binding until 30 June.", "This offer is not binding after 30 June."),
        ("The machine can no longer be repaired.", "The machine is beyond repair."),
        ("The heating doesn't work.", "The heating is out of order."),
        ("The contract can be cancelled.", "The contract cannot be cancelled before 2028."),
        ("O valor é de 500.", "no valor de 500 EUR"),
    ],
)
def test_what_is_denied_in_other_words_or_with_an_exception_is_left_alone(statement: str, line: str) -> None:
    assert check_statement(statement, [Proof(line)]).missing == []


def test_a_sum_names_its_parts_and_needs_each_line() -> None:
    lines = [Proof("March 1,200.00"), Proof("April 300.00 EUR")]
    assert [str(each) for each in check_statement("Together 1,500.00.", lines).sums] == [
        "1,200.00 + 300.00 = 1,500.00 in EUR; 1,200.00 stands without one"
    ]
    assert [str(each) for each in check_statement("It fell by 900.00.", lines).sums] == [
        "1,200.00 − 300.00 = 900.00 in EUR; 1,200.00 stands without one"
    ]
    assert list(check_statement("Together 1,500.00.", [*lines, Proof("May 1.00")]).missing) == ["1,500.00"]
    assert check_statement("Both months, 2 in all.", lines).missing == []


def test_the_column_of_a_long_table_is_added_up() -> None:
    rows = [Proof(f"{at} | Pipe | {at + 1} pcs | {at}.50 | {at * 10}.05") for at in range(1, 13)]
    assert str(check_statement("Together 780.60.", rows).sums[0]).endswith("+ 120.05 = 780.60")
    assert list(check_statement("Together 780.70.", rows).missing) == ["780.70"]


def test_a_document_s_name_tells_whom_it_is_about_and_no_amount() -> None:
    proof = Proof("Total 39.80", "Acme 500.pdf")
    assert check_statement("For Acme it is 39.80.", [proof]).missing == []
    assert list(check_statement("It is 500.", [proof]).missing) == ["500"]
    lease = Proof("The deposit is EUR 13,750.", "lease-hall-7.pdf")
    assert check_statement("The deposit of hall 7 is EUR 13,750.", [lease]).missing == []
    assert list(check_statement("The deposit of hall 8 is EUR 13,750.", [lease]).missing) == ["8"]


def test_a_document_s_name_tells_of_which_year_it_is() -> None:
    lease = Proof("Rent: 1,200.00 EUR", "Lease Brno 2025.txt")
    assert not check_statement("In 2025 the rent was 1,200.00 EUR.", [lease]).missing
    assert not check_statement("| 2025 | 1,200.00 |", [lease]).missing
    assert list(check_statement("In 2026 it was 1,200.00 EUR.", [lease]).missing) == ["2026"]
    assert check_statement("The rent is 2025 EUR.", [lease]).missing


def test_without_a_line_nothing_is_proven() -> None:
    assert check_statement("It is so.", []).missing


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It is 3 [1]. That is 5 [2].", [("It is 3 [1].", [1], []), ("That is 5 [2].", [2], [])]),
        ("It is 3.50. [1] Next.", [("It is 3.50. [1]", [1], [])]),
        ("- Sum [D1:1.2, D2:1.3]\n- No", [("- Sum [D1:1.2, D2:1.3]", [], ["D1:1.2", "D2:1.3"])]),
        ("See a[1] or [2](x).\n```\nx [3]\n```", []),
        ("Both [1, 2].", [("Both [1, 2].", [1, 2], [])]),
        ("Er endet am 5. April 2026 [1].", [("Er endet am 5. April 2026 [1].", [1], [])]),
        ("Im 2. Quartal der Miete [1].", [("Im 2. Quartal der Miete [1].", [1], [])]),
        ("It costs 5. Alice pays [1].", [("Alice pays [1].", [1], [])]),
        ("1. Alice pays [1]", [("Alice pays [1]", [1], [])]),
        ("Inv. 17 of Dr. J. Novak, approx. 5 [1]. More.", [("Inv. 17 of Dr. J. Novak, approx. 5 [1].", [1], [])]),
        (
            "Acme Inc. owes it [1]. It is No. 3 [2].",
            [("Acme Inc. owes it [1].", [1], []), ("It is No. 3 [2].", [2], [])],
        ),
        ("It was paid. 500 remain [1].", [("500 remain [1].", [1], [])]),
    ],
)
def test_sentences_are_told_apart_by_their_proof(text: str, sentences: list[tuple[str, list[int], list[str]]]) -> None:
    assert [(each.text.strip(), each.numbers, each.blocks) for each in list_cited_sentences(text)] == sentences


def test_a_sentence_ends_with_its_last_word() -> None:
    assert [text.end for text in list_cited_sentences("It is 3 [1]  \nIt is 5 [2] \n")] == [11, 25]


def test_words_are_found_over_the_end_of_a_line_and_never_in_parts() -> None:
    words = ["Total", "due", "in", "No.12", "of", "1,500.00"]
    assert find_words("no. 12", words) == range(3, 4)
    assert find_words("due in", words) == range(1, 3)
    assert find_words("1.50", ["150"]) is None and find_words("150", ["1.50", "150"]) == range(1, 2)
    assert find_words("1500.00", words) is None and find_words("otal", words) is None and find_words("…", words) is None


def test_words_that_fold_to_fewer_letters_stay_apart() -> None:
    assert find_words("cafe", ["cafe\u0301\u0301\u0301", "x", "y"]) == range(1)
    assert find_words("12", ["\ufb01\ufb01\ufb01\ufb01:12", "x"]) == range(1)


BESIDE = {"D1:1.1": "Mioi Ziegler, Freising", "D1:1.7": "The internet connection fails daily. Freising, Mioi Ziegler."}
BESIDE |= {"D1:1.8": "The old dog bit her.", "D1:1.9": "The roof leaks."}


@pytest.mark.parametrize(
    ("statement", "missing"),
    [
        ("The internet connection fails daily, Freising, Mioi Ziegler.", ["what else it says, which is in D1:1.7"]),
        ("Mioi Ziegler lives in Freising.", []),
        ("Mioi Ziegler of Freising complains about a broken modem since weeks.", []),
        ("Mioi Ziegler in Freising meldet, dass das Internet täglich ausfällt.", []),
        ("The roof leaks, Mioi Ziegler.", ["what else it says, which is in D1:1.9"]),
        ("The old dog bit Mioi Ziegler.", ["what else it says, which is in D1:1.8"]),
    ],
    ids=[
        "in another line",
        "in this one",
        "in words of its own",
        "in another language",
        "in two words",
        "in short words",
    ],
)
def test_what_stands_in_another_line_is_not_proven_by_this_one(statement: str, missing: list[str]) -> None:
    assert list(check_statement(statement, [Proof(BESIDE["D1:1.1"], beside=BESIDE)]).missing) == missing


def test_a_sentence_does_not_end_inside_of_its_quotation() -> None:
    text = "It says “The line fails. Freising” [D1:1.1]. Then more. It is “due.” [D1:1.2]."
    assert [each.text.strip() for each in list_cited_sentences(text)] == [
        "It says “The line fails. Freising” [D1:1.1].",
        "It is “due.” [D1:1.2].",
    ]
