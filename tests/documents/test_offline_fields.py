"""The offline model on other schemas and pages: what a property means, who issued a page, which sums add up."""

import random

import pytest

from benchmarks.recognition.invoices.facts import make_facts
from benchmarks.recognition.invoices.pages import LAYOUTS
from benchmarks.recognition.invoices.words import LANGUAGES
from benchmarks.recognition.offline_fields import judge_all, make_schema, read_invoice
from offline_model.fields.extraction import extract
from offline_model.fields.layout import read_layout
from offline_model.fields.search import find_fields
from offline_model.fields.values import parse_code

NUMBER, TEXT = {"type": ["number", "null"]}, {"type": ["string", "null"]}
DUTCH = """\
[1.1] FACTUUR.
[1.2] ATTN: iLuma Limited | Factuurnr. | n°562044387
[1.3] 4 Mill Lane, Leeds LS1 4AP | Factuurdatum | 12 maart 2025
[1.4] Aantal | Product | Prijs per stuk | Prijs incl. BTW
[1.5] 2 | Eiken plank 40 mm | € 12,50 | € 25,00
[1.6] 1 | Toner zwart | € 80,00 | € 80,00
[1.7]  |  | Subtotaal | € 86,78
[1.8]  |  | BTW 21% | € 18,22
[1.9]  |  | Te betalen | € 105,00
[1.10] Lichtpunt Media B.V. · Havenstraat 3 · 3011 AB Rotterdam · KvK 27134982 · BTW NL854502130B01
"""


def objects(**properties):
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        (objects(supplier=TEXT, total_gross=NUMBER), {"supplier": "Lichtpunt Media B.V.", "total_gross": 105.0}),
        (
            objects(seller=objects(name=TEXT, vat_id=TEXT)),
            {"seller": {"name": "Lichtpunt Media B.V.", "vat_id": "NL854502130B01"}},
        ),
        (objects(buyer=objects(vat_id=TEXT)), {"buyer": {"vat_id": None}}),
        (objects(rechnungsnummer=TEXT), {"rechnungsnummer": "562044387"}),
        (
            objects(a={**NUMBER, "title": "Net amount"}, b={**NUMBER, "description": "The VAT amount."}),
            {"a": 86.78, "b": 18.22},
        ),
        (
            objects(amounts=objects(net=NUMBER, tax=objects(rate=NUMBER))),
            {"amounts": {"net": 86.78, "tax": {"rate": 21}}},
        ),
        (objects(invoice=objects(date=TEXT, due_date=TEXT)), {"invoice": {"date": "12 maart 2025", "due_date": None}}),
        (objects(invoice_total={"type": "string"}), {"invoice_total": "105,00"}),
        (
            objects(positions={"type": "array", "items": objects(title=TEXT, qty=NUMBER, price=NUMBER, total=NUMBER)}),
            {
                "positions": [
                    {"title": "Eiken plank 40 mm", "qty": 2, "price": 12.5, "total": 25.0},
                    {"title": "Toner zwart", "qty": 1, "price": 80.0, "total": 80.0},
                ]
            },
        ),
        (
            {
                **objects(party={"$ref": "#/$defs/party"}),
                "$defs": {"party": objects(iban=TEXT, party={"$ref": "#/$defs/party"})},
            },
            {"party": {"iban": None}},
        ),
    ],
)
def test_it_fills_the_schemas_that_people_make(schema, values):
    given = extract(read_layout(DUTCH), schema)
    assert {name: given[name] for name in values if name != "party"} == {
        n: v for n, v in values.items() if n != "party"
    }
    assert "party" not in values or given["party"]["iban"] is None


@pytest.mark.parametrize(
    ("lines", "vendor"),
    [
        (["FACTUUR.", "ATTN: iLuma Limited", "4 Mill Lane, Leeds LS1 4AP"], None),
        (["Publication annonce légale", "Camille Roussel", "Total TTC 12,00 €"], None),
        (["Bill to: | Date", "Amber Field Ltd | 2025-01-02", "4 Mill Lane, Leeds LS1 4AP"], None),
        (["Amber Field Ltd | Solway Marine Ltd", "4 Mill Lane | 9 High Street", "Leeds LS1 4AP | Bath BA1 5NF"], None),
        (
            ["Amber Field Ltd", "Leeds LS1 4AP", "Invoice 12", "Solway Marine Ltd, Bath, VAT no. GB802331947"],
            "Solway Marine Ltd",
        ),
        (["Sprzedawca: Wolt-Len, ul. Leśna 2", "Nabywca: Lipa Sp. z o.o."], "Wolt-Len"),
        (["Wraxhall Stone", "The Old Quarry 4, Thorley TH1 2AB", "www.wraxhallstone.co.uk"], "Wraxhall Stone"),
    ],
)
def test_the_issuer_is_no_addressee_no_heading_and_no_person(lines, vendor):
    text = "\n".join(f"[1.{at}] {line}" for at, line in enumerate(lines, start=1))
    assert extract(read_layout(text), objects(vendor=TEXT))["vendor"] == vendor


@pytest.mark.parametrize(
    ("lines", "values"),
    [
        (
            ["Total 0% | 39.01", "Net | 100.00", "VAT 20% | 20.00", "Total | 100.00", "Total | 120.00"],
            (100.0, 20.0, 120.0),
        ),
        (["Netto | 100,00", "19 % MwSt auf 100,00 | 19,00", "119,00"], (100.0, 19.0, 119.0)),
        (["Subtotal | 100.00", "VAT | 20.00", "Now please send | 120.00"], (100.0, 20.0, 120.0)),
        (["Total weight | 12.50", "Total VAT | 3.00"], (None, 3.0, None)),
        (["Subtotal", "VAT 20%", "Total", "100.00", "20.00", "120.00"], (None, None, None)),
    ],
)
def test_sums_are_those_that_add_up(lines, values):
    text = "\n".join(f"[1.{at}] {line}" for at, line in enumerate(lines, start=1))
    schema = objects(subtotal=NUMBER, tax=NUMBER, total=NUMBER)
    assert tuple(extract(read_layout(text), schema).values()) == values


@pytest.mark.parametrize(
    ("lines", "given"),
    [
        (["INVOICE # : OR18033002170384", "30 MAR 2018"], {"iban": None, "invoice_date": "2018-03-30"}),
        (["GB29NWBK60161331926819"], {"iban": "GB29NWBK60161331926819", "invoice_date": None}),
        (["Currency: EUR", "Total: 12.50"], {"currency": "EUR"}),
        (
            ["From: a@example.com", "Date: Tue, 03 Mar 2026 10:00:00", "Invoice INV-7"],
            {"iban": None, "invoice_date": None},
        ),
        (["From: a@example.com", "Date: 3 March 2026", "Invoice date: 1 March 2026"], {"invoice_date": "2026-03-01"}),
    ],
)
def test_what_only_looks_like_a_value_is_none(lines, given):
    text = "\n".join(f"[1.{at}] {line}" for at, line in enumerate(lines, start=1))
    schema = objects(iban=TEXT, invoice_date={**TEXT, "format": "date"}, currency=TEXT)
    assert extract(read_layout(text), schema).items() >= given.items()


def test_made_invoices_are_read_in_eight_languages():
    states = []
    for words in LANGUAGES:
        for layout in LAYOUTS:
            facts = make_facts(words, random.Random(f"{words.language}{layout}"))
            marked, _ = read_invoice(layout, facts)
            states += [
                state for _, state in judge_all(extract(read_layout(marked), make_schema(facts.truth)), facts.truth)
            ]
    printed = [state for state in states if state in ("right", "wrong", "silent")]
    assert printed.count("right") > 0.9 * len(printed)
    assert printed.count("wrong") + states.count("invented") <= 0.01 * len(printed)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("INV-2025-49883", "INV-2025-49883"),
        ("2026-01-02", None),
        ("none", None),
        ("NW-2026-1000", "NW-2026-1000"),
        ("NR-7", "NR-7"),
        ("NO2026/4", "NO2026/4"),
        ("N\u00b0 A-12", "A-12"),
        ("N\u00b0A-12", "A-12"),
        ("NO.12", "12"),
        ("No8827", "8827"),
        ("Nr.NW-3", "NW-3"),
    ],
)
def test_it_reads_numbers_of_documents_whole(text, code):
    assert parse_code(text) == code


@pytest.mark.parametrize("lines", ["[1.1] Invoice number: {}", "[1.1] Date | Invoice no\n[1.2] 2026-03-01 | {}"])
def test_a_label_takes_no_letter_of_its_number(lines):
    layout = read_layout(f'<page number="1">\n{lines.format("NW-2026-1000")}\n</page>')
    assert find_fields(layout)["invoice_number"].value == "NW-2026-1000"
