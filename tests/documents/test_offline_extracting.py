"""The offline model as an extractor: JSON for exactly the schema that it was given."""

import json
import time

import pytest
from jsonschema import Draft7Validator

from documents.definitions.schema_rules import find_problems
from offline_model import ChatRequest, answer
from offline_model.chat.schema_draft import draft_schema
from offline_model.fields.layout import read_layout
from offline_model.fields.values import parse_date, parse_integer, parse_number
from printed.folding import fold_letters
from tests.documents import offline_cases as cases

LINE_ITEM = {"description": "string", "quantity": "number", "unit_price": "number", "amount": "number"}


def schema(**types):
    return {"type": "object", "properties": {name: part(type_) for name, type_ in types.items()}}


def part(type_):
    if type_ == "date":
        return {"type": "string", "format": "date"}
    return {"type": type_} if isinstance(type_, str) else type_


def extract(text, form, **also):
    block = f'<data kind="document" name="file.pdf" pages="1">\n<page number="1">\n{text}</page>\n</data>'
    messages = [{"role": "system", "content": "Extract."}, {"role": "user", "content": block}]
    response_format = {"type": "json_schema", "json_schema": {"name": "wanted", "schema": form}}
    return json.loads(answer(ChatRequest(messages, response_format=response_format, **also)).text)


def test_it_folds_letter_by_letter() -> None:
    assert fold_letters("Größe ÉÅ ﬁ") == "grose ea f"


def test_it_folds_a_long_plain_text_at_once() -> None:
    text, before = "Total " * 1_000_000, time.process_time()
    assert fold_letters(text) == "total " * 1_000_000
    assert time.process_time() - before < 0.5


def test_it_fills_a_schema_from_an_invoice():
    form = schema(
        vendor="string",
        customer="string",
        invoice_number="string",
        due_date="date",
        po_number="string",
        currency="string",
        tax_rate="number",
        tax="number",
        total="number",
        iban="string",
    )
    assert extract(cases.INVOICE, form) == {
        "vendor": "Ostrava Tools s.r.o.",
        "customer": "Delmar Logistics",
        "invoice_number": "INV-2025-49883",
        "due_date": "2026-12-27",
        "po_number": "PO755269",
        "currency": "GBP",
        "tax_rate": 20,
        "tax": 2852.76,
        "total": 17116.55,
        "iban": "DE63171754183969143723",
    }


def test_it_reads_the_rows_of_a_table():
    rows = {"type": "array", "items": schema(**LINE_ITEM)}
    items = extract(cases.SKEWED_INVOICE, schema(line_items=rows))["line_items"]
    assert len(items) == 8
    assert items[1] == {"description": "Laser toner black", "quantity": 15, "unit_price": 427.28, "amount": 6409.2}


def test_it_reads_german_labels_and_decimal_commas():
    rows = {"type": "array", "items": schema(**LINE_ITEM)}
    form = schema(
        invoice_number="string",
        invoice_date="date",
        due_date="date",
        subtotal="number",
        tax="number",
        total="number",
        currency="string",
        customer="string",
        iban="string",
        line_items=rows,
    )
    values = extract(cases.GERMAN, form)
    items = values.pop("line_items")
    assert values == {
        "invoice_number": "RE-2026-118",
        "invoice_date": "2026-02-03",
        "due_date": "2026-02-17",
        "subtotal": 1607.0,
        "tax": 305.33,
        "total": 1912.33,
        "currency": "EUR",
        "customer": "Café Süß",
        "iban": "DE89370400440532013000",
    }
    assert items[1] == {"description": "Stuhl Buche", "quantity": 4, "unit_price": 89.5, "amount": 358.0}


def test_it_reads_french_labels():
    form = schema(invoice_number="string", invoice_date="date", due_date="date", subtotal="number", total="number")
    assert extract(cases.FRENCH, form) == {
        "invoice_number": "FA-2026-031",
        "invoice_date": "2026-03-05",
        "due_date": "2026-04-04",
        "subtotal": 122.5,
        "total": 147.0,
    }


@pytest.mark.parametrize(
    ("text", "company", "date", "total"),
    [
        (cases.RECEIPT, "YONGFATT ENTERPRISE", "2018-12-25", 80.9),
        (cases.NOISY_RECEIPT, "BEMED (SP) SDN. BHD.", "2017-02-25", 217.0),
        (cases.CAFE_RECEIPT, "UNIHAKKA INTERNATIONAL SDN BHD", "2018-03-30", 8.2),
    ],
)
def test_it_reads_receipts(text, company, date, total):
    values = extract(text, schema(company="string", date="date", total="number"))
    assert (values["company"].upper(), values["date"], values["total"]) == (company, date, total)


def test_it_reads_a_label_of_its_own_by_the_name_of_the_property():
    text = "[1.1] Warranty period: 24 months\n[1.2] Weight | 12.5\n"
    form = schema(warranty_period="string", weight="number")
    assert extract(text, form) == {"warranty_period": "24 months", "weight": 12.5}


def test_it_invents_nothing():
    form = schema(total="number", bic={"type": ["string", "null"]}, iban="string", cashier="string")
    form["required"] = ["cashier"]
    assert extract("[1.1] Minutes of the meeting\n", form) == {"bic": None, "cashier": ""}


@pytest.mark.parametrize("text", ["9" * 400 + ".50", "-" + "9" * 400 + ",25", "9" * 5000])
def test_it_passes_over_amounts_that_no_number_can_hold(text):
    assert parse_number(text) is None and parse_integer(text) is None


def test_it_takes_only_what_an_enum_allows():
    form = schema(currency={"type": "string", "enum": ["USD", "EUR"]}, payment_method={"enum": ["Cash", "Card"]})
    assert extract("[1.1] Total GBP | 12.00\n[1.2] Paid by: CASH\n", form) == {"payment_method": "Cash"}


def test_it_answers_a_forced_tool_call_with_its_arguments():
    tool = {"type": "function", "function": {"name": "give", "parameters": schema(total="number")}}
    block = f'<data kind="document" name="f" pages="1">\n{cases.INVOICE}</data>'
    choice = {"type": "function", "function": {"name": "give"}}
    reply = answer(ChatRequest([{"role": "user", "content": block}], [tool], choice))
    assert reply.call.name == "give"
    assert reply.call.arguments == {"total": 17116.55}


def test_it_sums_a_document_up_when_no_form_is_asked_for():
    block = f'Summarize.\n<data kind="document" name="f" pages="1">\n{cases.INVOICE}</data>'
    summary = answer(ChatRequest([{"role": "user", "content": block}])).text
    assert summary.startswith("Invoice of 1 page: vendor Ostrava Tools s.r.o.")


@pytest.mark.parametrize("text", [cases.INVOICE, cases.GERMAN, cases.FRENCH, cases.RECEIPT, cases.NOISY_RECEIPT])
def test_it_designs_schemas_that_the_product_accepts(text):
    draft = draft_schema(read_layout(text))
    assert find_problems(draft.response_format) == []
    Draft7Validator.check_schema(draft.response_format["json_schema"]["schema"])


def test_it_designs_the_same_names_for_invoices_of_three_languages():
    names = [set(draft_schema(read_layout(text)).properties) for text in (cases.INVOICE, cases.GERMAN, cases.FRENCH)]
    shared = {
        "vendor",
        "customer",
        "invoice_number",
        "invoice_date",
        "due_date",
        "currency",
        "subtotal",
        "tax",
        "total",
        "line_items",
    }
    assert all(shared <= field_names for field_names in names)


def test_it_names_the_schema_by_the_kind_of_document():
    assert [draft_schema(read_layout(text)).name for text in (cases.INVOICE, cases.RECEIPT)] == ["Invoice", "Receipt"]


@pytest.mark.parametrize(
    ("text", "comma", "number"),
    [
        ("17,116.55", False, 17116.55),
        ("1.249,00 €", True, 1249.0),
        ("RM 31.80", False, 31.8),
        ("1,200", False, 1200),
        ("1.200", True, 1200),
        ("80.91 SR", False, 80.91),
        ("-0.01", False, -0.01),
        ("(12.00)", False, -12.0),
        ("1 234,50", True, 1234.5),
        ("15", False, 15),
        ("1234,567", False, 1234.567),
        ("0,500", False, 0.5),
        ("C$ 12.50", False, 12.5),
        ("A5", False, None),
        ("12 31 00", False, None),
    ],
)
def test_it_reads_amounts(text, comma, number):
    assert parse_number(text, comma) == number


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2026-12-27", "2026-12-27"),
        ("25/12/2018 8:13", "2018-12-25"),
        ("12/25/2018", "2018-12-25"),
        ("30 MAR 2018", "2018-03-30"),
        ("25/FEB/2017", "2017-02-25"),
        ("3. März 2026", "2026-03-03"),
        ("4 avril 2026", "2026-04-04"),
        ("March 30, 2018", "2018-03-30"),
        ("21-11-16", "2016-11-21"),
        ("21.11.86", "1986-11-21"),
        ("12 janv. 2026", "2026-01-12"),
        ("14:11:20", None),
        ("99/99/2018", None),
    ],
)
def test_it_reads_dates(text, iso):
    assert parse_date(text) == iso


def test_a_company_beside_the_word_invoice_is_no_label() -> None:
    text = '<page number="1">\n[1.1] Northwind Fittings Ltd | INVOICE\n[1.2] Invoice no. | INV-7\n[1.3] Ship via | Rail\n</page>'
    names = list(draft_schema(read_layout(text)).properties)
    assert "northwind_fittings_ltd" not in names and "ship_via" in names


FORM = """\
[1.1] MEMBERSHIP APPLICATION FORM
[1.2] Full name: Maria Keller
[1.3] Date of birth: 1984-07-21
[1.4] Member since: 2019
"""
CONTRACT = """\
[1.1] SERVICE AGREEMENT
[1.2] This agreement is made on 3 March 2026.
[1.3] The Client shall pay a monthly fee of EUR 1,200.00.
[1.4] Payment terms: net 30 days
"""


def test_it_names_a_form_as_the_form_does_and_takes_no_birthday_for_its_date():
    drawn = draft_schema(read_layout(FORM))
    assert drawn.name == "Membership application form"
    assert list(drawn.properties) == ["full_name", "date_of_birth", "member_since"]
    assert drawn.properties["date_of_birth"]["format"] == "date"


def test_it_takes_no_sentence_for_a_name():
    form = schema(customer="string", payment_terms="string", date="date")
    assert extract(CONTRACT, form) == {"payment_terms": "net 30 days", "date": "2026-03-03"}
    assert draft_schema(read_layout(CONTRACT)).name == "Contract"


PAIRS = (("Item", "Amount"), ("Tape", "10.00"))


def test_lines_are_the_same_with_the_name_of_their_reading() -> None:
    text = "[1.1] Item | Amount\n[1.2] Tape | 10.00"
    plain, named = read_layout(text), read_layout(text.replace("[", "[D3:"))
    assert [line.cells for line in named.lines] == [line.cells for line in plain.lines] == [*PAIRS]
    assert [line.mark for line in named.lines] == ["D3:1.1", "D3:1.2"]
