"""References in words, in each language that has them."""

from __future__ import annotations

import pytest

from printed.references.reference_words import find_field, find_number, parse_reference

SECOND = {"position": 2}
LAST_INVOICE = {"is_latest": True, "type": "invoice"}
THAT_SUPPLIER = {"is_pointing": True, "field": "vendor"}


@pytest.mark.parametrize(
    ("texts", "meant"),
    [
        (
            "the second one; the 2nd; das zweite; le deuxième; el segundo; la seconda; het tweede; o segundo; drugi",
            SECOND,
        ),
        (
            "the last invoice; the most recent bill; die letzte Rechnung; la dernière facture; la última factura;"
            " l'ultima fattura; de laatste factuur; a última fatura; ostatnia faktura",
            LAST_INVOICE,
        ),
        (
            "that supplier; dieser Lieferant; ce fournisseur; ese proveedor; questo fornitore; deze leverancier;"
            " esse fornecedor; ten dostawca",
            THAT_SUPPLIER,
        ),
        ("the oldest contract; der älteste Vertrag; najstarsza umowa", {"is_earliest": True, "type": "contract"}),
        ("the last invoice from Acme", {**LAST_INVOICE, "rest": ("acme",)}),
        ("that tag; dieses Schlagwort; cette étiquette; esa etiqueta", {"is_pointing": True, "kind": "tag"}),
        ("the Invoice schema; das Schema Invoice", {"kind": "schema", "rest": ("invoice",)}),
        ("the last invoice of Müller", {"rest": ("müller",)}),
        ("the second page of the contract", {"rest": ("page",)}),
        ("all invoices; alle Rechnungen", {"kind": "", "type": ""}),
        ("that invoice number", {"is_pointing": True, "field": "invoice_number"}),
        ("the fifth document; das fünfte Dokument", {"position": 5, "kind": "document"}),
    ],
)
def test_it_tells_what_is_meant(texts: str, meant: dict[str, object]) -> None:
    for text in texts.split("; "):
        words = parse_reference(text)
        assert {name: getattr(words, name) for name in meant} == meant, text


@pytest.mark.parametrize(
    "text",
    [
        "Paid",
        "no such",
        "Q3 2026",
        "invoice_07.pdf",
        "Acme",
        "",
        "\0",
        "a" * 100_000,
        "not the last one",
        "nicht die letzte",
        "every last invoice",
    ],
)
def test_a_name_says_nothing_of_which(text: str) -> None:
    assert not parse_reference(text).says_which


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("4711", "4711"),
        ("invoice 4711", "4711"),
        ("Rechnung Nr. RE-2026/0815", "RE-2026/0815"),
        ("#10042", "10042"),
        ("numéro de facture 2026-118", "2026-118"),
        # Dates, files, small numbers, and numbers among other words.
        ("2026-11-27", ""),
        ("27.11.2026", ""),
        ("scan_4711.pdf", ""),
        ("12", ""),
        ("Acme contract 2026", ""),
        ("4711 and 4712", ""),
    ],
)
def test_it_finds_the_number_that_is_named(text: str, number: str) -> None:
    assert find_number(text) == number


@pytest.mark.parametrize(
    ("path", "field"),
    [("supplier", "vendor"), ("sellerName", "vendor"), ("seller.name", "vendor"), ("total", "total"), ("colour", "")],
)
def test_it_tells_which_field_a_path_means(path: str, field: str) -> None:
    assert find_field(path) == field
