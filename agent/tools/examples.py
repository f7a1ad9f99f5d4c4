"""The examples in the guidance for models. A test holds each against our own checker: what it says is what it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kit.json_types import JsonObject

Field: TypeAlias = JsonObject


@dataclass(frozen=True)
class RefusedSchema:
    """A schema that the check refuses; `because` is part of what it says."""

    schema: Field
    because: str


@dataclass(frozen=True)
class SchemaPair:
    """Both pass the check, but only one is good; `why` says what the other one does wrong."""

    bad: dict[str, Field]
    good: dict[str, Field]
    why: str


def group(properties: dict[str, Field], **more: object) -> Field:
    return {
        "type": "object",
        **more,
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def text(description: str, **more: object) -> Field:
    return {"type": ["string", "null"], **more, "description": description}


def number(description: str) -> Field:
    return {"type": ["number", "null"], "description": description}


def whole(name: str, schema: Field) -> JsonObject:
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": schema}}


_LINE = group(
    {
        "description": text("What was delivered or done, as printed, without the article number."),
        "quantity": number("How many or how much, in the line's own unit."),
        "amount": number("Sum of the line in the last column, before tax unless the table says otherwise."),
    }
)
_SHORT = group({"amount": number("Sum of the line in the last column.")})
GOOD_SCHEMA = whole(
    "supplier_invoice",
    group(
        {
            "invoice_number": {
                "type": "string",
                "description": "The seller's number of this invoice, beside “Invoice no.”. Not the order number.",
            },
            "issue_date": text("Day the invoice was written, mostly at the top right. Not delivery.", format="date"),
            "due_date": text("Last day to pay, when a date is printed. Empty when only a term is.", format="date"),
            "seller_name": text("Company that sends the invoice and is paid, as in the letterhead. Not the addressee."),
            "currency": text("Three letters such as EUR or USD; € is EUR, $ is USD unless the page says otherwise."),
            "status": text(
                "paid when a stamp or line says so, open when a sum is still due.", enum=["open", "paid", None]
            ),
            "line_items": {
                "type": "array",
                "description": "One entry for each line that is charged, in order. No subtotals, tax or carried sums.",
                "items": _LINE,
            },
            "total_amount": number("Sum to be paid with tax, beside “Total due” or “Gross”. Not the net sum."),
        }
    ),
)
REFUSED = (
    RefusedSchema({"type": "array", "items": {"type": "string"}}, 'top of the schema must be of type "object"'),
    RefusedSchema({"type": "object", "properties": {"total": {"type": "number"}}}, "has no description"),
    RefusedSchema({"type": "object", "properties": {"total": {"description": "Sum to be paid."}}}, "has no type"),
    RefusedSchema(
        {"type": "object", "properties": {"lines": {"type": "array", "description": "The lines."}}},
        "items must say the type",
    ),
    RefusedSchema(
        {"type": "object", "properties": {"seller.name": {"type": "string", "description": "Who sells."}}},
        "must hold no dot",
    ),
)
BETTER = (
    SchemaPair(
        {"item_1_amount": number("Amount of item 1."), "item_2_amount": number("Amount of item 2.")},
        {"line_items": {"type": "array", "description": "One entry for each charged line.", "items": _SHORT}},
        "The next document has three lines.",
    ),
    SchemaPair(
        {"total": text("Total, for example “1,200.00 EUR”.")},
        {"total_amount": number("Sum to be paid with tax, beside “Total due”. Not the net sum.")},
        "Text cannot be summed or compared, and a value of one document leaks into others.",
    ),
    SchemaPair(
        {"order_number": {"type": "string", "description": "Order number, if there is one."}},
        {"order_number": text("The buyer's order number, beside “Your order”. Empty when none is printed.")},
        "A type without null forces an answer, so the model invents one.",
    ),
    SchemaPair(
        {"date": text("The date.")},
        {"issue_date": text("Day the document was written, at the top right. Not the due date.", format="date")},
        "Which of the dates on the page, and in which form?",
    ),
)
GOOD_PROMPT = """\
These are invoices of suppliers to us, one to five pages, in German or English.
The seller sends the invoice and is paid (letterhead, bank details in the footer); the address in the window is ours.
The total is what is to be paid in the end. Do not take subtotals, net sums or sums carried over to the next page.
Lines: the table of articles or services, also where it goes on over pages. A discount is a line with a minus. \
Freight is a line when it stands in the table.
In German invoices 1.234,56 is 1234.56 and 03.04.2026 is 3 April. Dates without a day stay empty.
Texts stay in the language of the page. What is not printed is empty: compute nothing, not even a missing tax."""
BAD_PROMPTS = {
    "Extract all data from this document as JSON. Be careful and accurate.": (
        "Says neither what the documents are nor which of similar values is meant."
    ),
    "Invoice number is RE-2026-0412, seller is Ostrava Tools s.r.o. Extract the total of 1,234.50 EUR.": (
        "Values of one document: the model will find them in every other."
    ),
    "invoice_number: string. issue_date: date in the form YYYY-MM-DD. total_amount: number.": (
        "Repeats the schema. What is to be said of one field belongs in its description."
    ),
}
REFUSED_PROMPTS = {"  ": "A prompt needs a text"}
