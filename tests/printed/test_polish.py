"""A Polish document, from its numbers to its fields: all that is known of the language is its table."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from agent.citations.statements.checking import Proof, check_statement
from documents.values import State
from offline_model.fields.extraction import extract
from offline_model.fields.layout import read_layout
from offline_model.fields.search import find_kind
from offline_model.fields.tables import find_tables
from printed.dates import find_dates, find_partial_dates
from printed.quantities import find_quantities
from printed.stopwords import FILLERS
from printed.units import find_unit
from tests.documents.locate_pages import find

INVOICE = """\
[1.1] Wronex Sp. z o.o.
[1.2] ul. Długa 7, 00-238 Warszawa | NIP: 7251801126
[1.3] FAKTURA VAT nr FV/2026/118
[1.4] Data wystawienia: 3 marca 2026 r. | Termin płatności: 17.03.2026r.
[1.5] Nabywca: Łódzkie Zakłady Papieru | NIP: 5252248481
[1.6] Nazwa towaru | Ilość | Cena netto | Wartość netto
[1.7] Papier biały | 10 | 12,50 | 125,00
[1.8] Koperty | 4 | 1 200,25 | 4 801,00
[1.9] Razem netto | 4 926,00
[1.10] Kwota VAT | 1 132,98
[1.11] Razem do zapłaty | 6 058,98 zł
"""

PAGE = """
FAKTURA nr FV/2026/118
Data wystawienia    3 marca 2026 r.
Termin płatności    17 marca 2026 r.

Nazwa            Ilość     Cena    Wartość
Papier biały        10    12,50     125,00

                  Razem netto     4 926,00
                  Do zapłaty      6 058,98
"""


def part(kind: str, form: str = "") -> dict[str, str]:
    return {"type": kind, "format": form} if form else {"type": kind}


def test_the_offline_model_reads_its_labels() -> None:
    schema = {
        "type": "object",
        "properties": {
            "vendor": part("string"),
            "customer": part("string"),
            "invoice_number": part("string"),
            "invoice_date": part("string", "date"),
            "due_date": part("string", "date"),
            "tax_id": part("string"),
            "currency": part("string"),
            "subtotal": part("number"),
            "tax": part("number"),
            "total": part("number"),
        },
    }
    assert extract(read_layout(INVOICE), schema) == {
        "vendor": "Wronex Sp. z o.o.",
        "customer": "Łódzkie Zakłady Papieru",
        "invoice_number": "FV/2026/118",
        "invoice_date": "2026-03-03",
        "due_date": "2026-03-17",
        "tax_id": "7251801126",
        "currency": "PLN",
        "subtotal": 4926.0,
        "tax": 1132.98,
        "total": 6058.98,
    }


def test_the_offline_model_knows_the_kind_and_the_table() -> None:
    layout = read_layout(INVOICE)
    [table] = find_tables(layout)
    assert find_kind(layout).name == "Invoice"
    assert table.columns == ("description", "quantity", "unit_price", "amount") and len(table.rows) == 2


def test_values_are_located_by_the_labels_beside_them() -> None:
    values = {"invoice_date": "2026-03-03", "due_date": "2026-03-17", "subtotal": 4926, "total": 6058.98}
    found = find(values, PAGE)
    assert [found[name].words for name in values] == ["3 marca 2026", "17 marca 2026", "4 926,00", "6 058,98"]
    assert {each.state for each in found.values()} == {State.NORMALIZED}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("3 marca 2026 r.", date(2026, 3, 3)),
        ("z dnia 17.03.2026r.", date(2026, 3, 17)),
        ("1 października 2026", date(2026, 10, 1)),
        ("31 grudnia 2025 roku", date(2025, 12, 31)),
        ("5 maja 2026", date(2026, 5, 5)),
    ],
)
def test_days_are_read_in_every_case_of_the_month(text: str, day: date) -> None:
    [printed] = find_dates(text)
    assert printed.days == {day}


def test_a_month_is_read_where_a_day_is_not_said() -> None:
    [partial] = find_partial_dates("w październiku 2026")
    assert (partial.month, partial.year) == (10, 2026)


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [("trzydzieści dni", 30, "day"), ("dwa lata", 2, "year"), ("sześciu miesięcy", 6, "month")],
)
def test_numbers_in_words_are_read_with_their_unit(text: str, number: int, unit: str) -> None:
    [quantity] = find_quantities(text)
    assert (quantity.number, quantity.unit) == (Decimal(number), unit)


def test_units_stand_behind_numbers() -> None:
    unit = find_unit("14 tygodni", 0, 2)
    assert unit and unit.kinds == {"week"}


def test_a_question_is_not_looked_for_by_its_stopwords() -> None:
    assert {"jaki", "ktora", "jest", "oraz", "sa"} <= FILLERS


@pytest.mark.parametrize(
    ("sentence", "missing"),
    [
        ("Termin płatności to 17 marca 2026 r.", []),
        ("Termin płatności to 18 marca 2026 r.", ["18 marca 2026"]),
        ("Do zapłaty jest 6058,98 zł.", []),
        ("Do zapłaty jest 6059,98 zł.", ["6059,98"]),
    ],
)
def test_sentences_are_checked(sentence: str, missing: list[str]) -> None:
    line = "Termin płatności: 17.03.2026r. Do zapłaty 6 058,98 zł"
    assert check_statement(sentence, [Proof(line)]).missing == missing
