"""Values of two documents that differ: numbers first, then dates, rows of one name beside each other."""

from __future__ import annotations

import csv
import re
from decimal import Decimal
from urllib.parse import quote

import pytest
from django.urls import reverse

from accounts.actor import Actor
from documents.extractions.value_differences import ValueDifference, compare_values
from documents.models import Extraction, Reading
from tests.documents.checked_invoice import INVOICE, make_prompt, store_invoice, store_run
from tests.documents.reading_rows import document_with
from tests.page_client import PageClient as Client

pytestmark = pytest.mark.django_db
LINES = INVOICE["line_items"]
FREIGHT = {"quantity": 1, "unit_price": 4, "amount": 4, "sku": "C"}


def write(difference: ValueDifference) -> tuple[str, str, str]:
    sides = (side.text if side else "–" for side in (difference.one, difference.other))
    return (difference.title, *sides)


def test_what_differs_is_listed_by_kind_and_rows_by_their_names(actor: Actor) -> None:
    prompt = make_prompt(actor, [])
    one = store_invoice(actor, prompt, "1.pdf", due_date="2026-01-31", vendor={"vat": "DE1"})
    changed = {"due_date": "31.12.2025", "vendor": {"vat": "DE2"}, "total": "EUR 50.00", "iban": "DE89"}
    # A new row before the others moves them, and is no change of theirs.
    lines = [FREIGHT, LINES[0], {**LINES[1], "amount": 18}]
    other = store_invoice(actor, prompt, "2.pdf", line_items=lines, **changed)
    compared = compare_values(one.document, other.document)
    assert compared
    assert [write(each) for each in compared.differences] == [
        ("Line items · C · Quantity", "–", "1"),
        ("Line items · C · Unit price", "–", "4"),
        ("Line items · C · Amount", "–", "4"),
        ("Line items · B · Amount", "15", "18"),
        ("Total", "42.00", "EUR 50.00"),
        ("Due date", "2026-01-31", "31.12.2025"),
        ("Vendor · VAT", "DE1", "DE2"),
        ("IBAN", "–", "DE89"),
        ("Line items · C · SKU", "–", "C"),
    ]
    by_title = {each.title: each for each in compared.differences}
    assert (by_title["Total"].growth, by_title["Due date"].days) == (Decimal("8.00"), -31)
    assert compared.prompts == ("Invoice", "Invoice") and compared.same == 11


@pytest.mark.parametrize(
    ("was", "now"),
    [("42.00", "42,00"), ("EUR 42.00", "EUR 42"), ("  due  soon", "due soon"), ("EUR\xa01\xa0234.50", "EUR 1 234.50")],
)
def test_one_amount_or_text_written_in_two_ways_is_the_same(actor: Actor, was: str, now: str) -> None:
    prompt = make_prompt(actor, [])
    one, other = (store_invoice(actor, prompt, f"{text}.pdf", total=text) for text in (was, now))
    compared = compare_values(one.document, other.document)
    assert compared and compared.differences == []


@pytest.mark.parametrize("beside", [("EUR", "USD"), ("$", "")])
def test_an_other_currency_is_a_difference(actor: Actor, beside: tuple[str, str]) -> None:
    prompt = make_prompt(actor, [])
    one, other = (store_invoice(actor, prompt, f"{each}.pdf", total=f"{each} 42.00") for each in beside)
    compared = compare_values(one.document, other.document)
    assert compared and [each.title for each in compared.differences] == ["Total"]


def test_results_of_one_schema_are_compared_where_no_prompt_has_both(actor: Actor) -> None:
    prompt = make_prompt(actor, [])
    one, other = store_invoice(actor, prompt, "1.pdf"), store_invoice(actor, prompt, "2.pdf", total="7.00")
    Extraction.objects.filter(pk=other.pk).update(prompt_revision=None)
    compared = compare_values(one.document, other.document)
    assert compared and [each.title for each in compared.differences] == ["Total"]
    assert compare_values(one.document, document_with(actor.organization, ["Letter"], name="3.pdf")) is None


def test_the_page_shows_them_before_the_text(actor: Actor, client: Client, signed_in) -> None:
    prompt = make_prompt(actor, [])
    one, other = store_invoice(actor, prompt, "1.pdf"), store_invoice(actor, prompt, "2.pdf", total="7.00")
    address = reverse("compare", args=[actor.organization.pk])
    text = signed_in(client, actor).get(f"{address}?ids={one.document_id}+{other.document_id}").text
    html = " ".join(text.split())
    assert "1 value differs" in html and "12 values the same, found by Invoice" in html
    assert html.index("<del>42.00</del>") < html.index("<ins>7.00</ins>") < html.index("<h2>Text</h2>")
    assert "−35" in html and "Not located" in html


def test_a_value_whose_text_changed_is_listed_once_and_its_word_is_drawn(
    actor: Actor, client: Client, signed_in
) -> None:
    prompt, documents = make_prompt(actor, []), []
    for total, law, verb in (("42.00", "Austria", "alone applies"), ("7.00", "Bavaria", "alone governs")):
        lines = ["We thank you.", f"The total is {total} EUR.", f"The law of {law} {verb}."]
        document = document_with(actor.organization, lines, name=f"{total}.pdf")
        run, reading = store_run(actor, prompt, document, INVOICE | {"total": total}), document.readings.get()
        place = {"total": {"blocks": ["1.2.4"], "page": 1}}
        Extraction.objects.filter(pk=run.pk).update(reading=reading, provenance=place)
        documents.append(document)
    address = f"{reverse('compare', args=[actor.organization.pk])}?ids={documents[0].pk}+{documents[1].pk}"
    page = signed_in(client, actor)
    html = " ".join(page.get(address).text.split())
    assert "2 changes" in html and html.count("data-compare-change=") == 2 and "Text of value 1" in html
    # Each word that differs is drawn, of either side, and boxed where its place opens.
    for document in documents:
        ((place, boxed),) = re.findall(rf"/({document.readings.get().pk}(.1.3.4,1.3.6))\?strip=1", html)
        strip = page.get(reverse("research-place", args=[actor.organization.pk, place]), {"strip": "1"})
        opened = page.get(reverse("place", args=[actor.organization.pk, place]))
        assert strip.text.count("<rect") == 2 and opened["Location"].endswith(quote(boxed))
    rows = list(csv.reader(page.get(f"{address}&form=csv").content.decode("utf-8-sig").splitlines()))
    assert [row[:3] for row in rows[1:]] == [["1", "changed", "value"], ["2", "changed", "words"]]
    # One word that is of no value makes it a change of its own.
    Extraction.objects.filter(document=documents[1]).update(provenance={"total": {"blocks": ["1.2.3"], "page": 1}})
    assert "3 changes" in page.get(address).text


def test_the_differences_are_given_as_a_file_with_both_places(actor: Actor, client: Client, signed_in) -> None:
    prompt = make_prompt(actor, [])
    one, other = (
        store_invoice(actor, prompt, f"{number}.pdf", total=total) for number, total in ((1, "42.00"), (2, "=7"))
    )
    address = reverse("compare", args=[actor.organization.pk])
    answer = signed_in(client, actor).get(f"{address}?ids={one.document_id}+{other.document_id}&form=csv")
    assert 'filename="1.pdf and 2.pdf.csv"' in answer["Content-Disposition"]
    head, value, *_ = csv.reader(answer.content.decode("utf-8-sig").splitlines())
    assert head == ["number", "kind", "about", "under", "was", "page", "now", "now on page"]
    assert value == ["1", "changed", "value", "Total", "42.00", "", "'=7", ""]


def test_the_file_has_the_passages_of_the_texts_and_what_was_not_read(actor: Actor, client: Client, signed_in) -> None:
    one, other = (
        document_with(actor.organization, ["The rent is due.", last], name=f"{last[:3]}.pdf")
        for last in ("It is 500 EUR.", "Now it is 750 EUR.")
    )
    Reading.objects.filter(document=other).update(reason="Page 3 was not read.")
    address = reverse("compare", args=[actor.organization.pk])
    answer = signed_in(client, actor).get(f"{address}?ids={one.pk}+{other.pk}&form=csv")
    _, *rows = csv.reader(answer.content.decode("utf-8-sig").splitlines())
    assert [row[1] for row in rows][-1:] == ["note"] and "Page 3 was not read." in rows[-1][4]
    assert any("500" in row[4] and row[5] for row in rows) and any("750" in row[6] and row[7] for row in rows)
