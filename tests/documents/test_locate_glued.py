"""Values that stand in one word with their label, or whose marks stand apart."""

import pytest

from documents.locate import locate
from documents.values import State
from tests.documents.locate_pages import find, one
from tests.documents.words_builder import page


@pytest.mark.parametrize(
    ("value", "text", "words"),
    [
        ("562044387", "Facture n°562044387", "562044387"),
        (562044387, "Facture n°562044387", "562044387"),
        ("562044387", "Facture No.562044387", "562044387"),
        ("562044387", "Invoice562044387", "562044387"),
        ("DE123456789", "VATDE123456789", "DE123456789"),
        (1234.56, "TOTAL1,234.56", "1,234.56"),
        (1234.56, "TOTALRM1,234.56", "RM1,234.56"),
        (1234.56, "Total....1,234.56", "1,234.56"),
        (1234.56, "Total NT$1,234.56", "NT$1,234.56"),
        (1234.56, "Total ZZ$1,234.56", "$1,234.56"),
        (1234.56, "Total 1,234.56SR", "1,234.56"),
        (1234.56, "Total 1 ,234.56", "1 ,234.56"),
        (1234567.5, "Total 1 ,234 ,567.50", "1 ,234 ,567.50"),
        (1234.56, "Total 1,234 .56", "1,234 .56"),
        (1234.56, "Total 1.234, 56", "1.234, 56"),
        (1234.56, "Total 1 234 , 56", "1 234 , 56"),
        (-40.5, "Total ( 40.50 )", "( 40.50 )"),
        ("2026-03-12", "Date Mar 12 , 2026", "Mar 12 , 2026"),
        ("2026-03-12", "Date 12 March , 2026", "12 March , 2026"),
        ("2026-03-12", "Date March12,2026", "March12,2026"),
        ("2026-03-12", "Date12/03/2026", "12/03/2026"),
        ("2026-03-12", "12/03/202611:45", "12/03/2026"),
    ],
)
def test_it_parts_a_value_from_what_is_glued_to_it(value, text, words):
    location = one(value, text, name="total")
    assert location.is_located
    assert location.words == words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (150, "Total 1.50"),
        (1.5, "Total 150"),
        (150, "TOTAL1.50"),
        (1.5, "TOTAL150"),
        (234.56, "Total 1 ,234.56"),
        (1, "Total 1 ,234.56"),
        (34.56, "TOTAL1,234.56"),
        (1234.56, "Total 11 ,234.56"),
        (8.5, "Total M8.50"),
        (4, "Total Item4"),
        (562044387, "Total X562044387"),
        ("44387", "Total n°562044387"),
    ],
)
def test_it_parts_no_value_from_its_own_digits(value, text):
    assert one(value, text, name="total").state is State.NOT_LOCATED


def test_it_boxes_the_value_and_not_its_label():
    location = locate({"total": 1234.56}, {}, [(1, page("TOTAL1,234.56"))])["total"]
    assert location.blocks == ("1.1.1",)
    assert location.boxes[0][0] == pytest.approx(0.05)


HEADS = [
    ("Prijs per stuk", "Prijs incl. BTW"),
    ("Prijs per stuk  ", "Prijs"),
    ("Cena jedn.", "Wartość netto"),
    ("Prezzo unitario", "Importo"),
    ("Rate", "Extended price"),
    ("Preço unit.", "Valor total"),
    ("Precio unitario", "Importe"),
    ("P.U. HT", "Total HT"),
    ("à-pris", "Belopp"),
]


@pytest.mark.parametrize(("price", "amount"), HEADS)
def test_it_tells_price_from_amount_by_heads_of_many_languages(price, amount):
    text = f"Artikel        {price:18}{amount}\nBlue bag       80.91             80.91"
    found = find({"items": [{"name": "Blue bag", "unit_price": 80.91, "amount": 80.91}]}, text)
    assert found["items.0.unit_price"].boxes[0][0] < found["items.0.amount"].boxes[0][0]


def test_it_reads_heads_of_two_lines():
    text = (
        "           Prijs per         Prijs\nArtikel    stuk              incl. BTW\nBlue bag   80.91             80.91"
    )
    found = find({"items": [{"name": "Blue bag", "unit_price": 80.91, "amount": 80.91}]}, text)
    assert found["items.0.unit_price"].boxes[0][0] < found["items.0.amount"].boxes[0][0]


def test_a_head_that_is_known_for_another_column_names_no_field():
    text = "Artikel    Aantal   Kosten        Extended price\nBlue bag   3        80.91         80.91"
    found = find({"items": [{"name": "Blue bag", "quantity": 3, "unit_price": 80.91}]}, text)
    assert not found["items.0.unit_price"].is_located


def test_it_does_not_choose_between_two_heads_that_name_a_field_alike():
    text = "Artikel    Bedrag        Bedrag\nBlue bag   80.91         80.91"
    found = find({"items": [{"name": "Blue bag", "amount": 80.91}]}, text)
    assert not found["items.0.amount"].is_located
