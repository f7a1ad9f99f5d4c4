"""An invoice with lines, its schema, and a run on it that needed no model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accounts.actor import Actor
from documents import extractions, values
from documents.checks.checked_values import CheckedValues
from documents.checks.definitions import parse_checks
from documents.checks.findings import CheckResult
from documents.checks.judging import judge
from documents.checks.schema_paths import SchemaPaths
from documents.definitions import prompts, schemas
from documents.extractions import ExtractionDraft
from documents.models import Document, Extraction, PromptRevision
from tests.documents.reading_rows import document_with


def field(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": [kind, "null"], "description": "As printed.", **more}


LINE = {
    "type": "object",
    "properties": {name: field("number") for name in ("quantity", "unit_price", "amount")} | {"sku": field("string")},
    "required": [],
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "number": field("string"),
        "vendor": {"type": "object", "description": "Who sends it.", "properties": {"vat": field("string")}},
        "invoice_date": field("string", format="date"),
        "due_date": field("string", format="date"),
        "iban": field("string"),
        "currency": field("string"),
        "line_items": {"type": "array", "description": "The lines.", "items": LINE},
        "line_count": field("integer"),
        "subtotal": field("number"),
        "tax": field("number"),
        "total": field("string"),
    },
    "required": [],
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "invoice", "schema": SCHEMA}}
SUM = {"kind": "sum", "column": "line_items.amount", "field": "subtotal"}
SAME_NUMBER = {"kind": "duplicate", "fields": ["number"]}
INVOICE: dict[str, Any] = {
    "number": "INV-1",
    "currency": "EUR",
    "line_items": [
        {"quantity": 2, "unit_price": 10, "amount": 20, "sku": "A"},
        {"quantity": 3, "unit_price": 5, "amount": 15, "sku": "B"},
    ],
    "subtotal": 35,
    "tax": 7,
    "total": "42.00",
}


def judge_values(check: dict[str, Any], result: dict[str, Any], **about: Any) -> list[CheckResult]:
    stored = values.add_row_ids(result, SCHEMA)
    return judge(parse_checks([check], SCHEMA), CheckedValues(stored, SchemaPaths(SCHEMA), **about))


def make_prompt(actor: Actor, checks: Sequence[dict[str, Any]]) -> PromptRevision:
    schema = schemas.create(actor, name="Invoice", response_format=FORMAT, value_checks=list(checks))
    return prompts.create(actor, name="Invoice", content="Read it.", schema_revision=schema)


def store_run(actor: Actor, prompt: PromptRevision, document: Document, result: dict[str, Any]) -> Extraction:
    reading = document.readings.get()
    draft = ExtractionDraft(
        document_id=document.pk,
        reading_id=reading.pk,
        prompt_revision_id=prompt.pk,
        schema_revision_id=prompt.schema_revision_id,
        model="openai/x",
        raw="{}",
        result=values.add_row_ids(result, SCHEMA),
        provenance={},
        coverage=[1],
        page_count=1,
    )
    return extractions.store(actor, draft=draft)


def store_invoice(actor: Actor, prompt: PromptRevision, name: str, **changes: Any) -> Extraction:
    document = document_with(actor.organization, ["Invoice"], name=name)
    return store_run(actor, prompt, document, INVOICE | changes)
