"""Values of tables with empty cells and long descriptions, over two pages, as models give them and the pages prove."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

import json
from typing import Any

import pytest

from accounts.actor import Actor
from documents import extractions
from documents.definitions import prompts, schemas
from documents.models import Document, PromptRevision
from documents.reading.page_text import make_data_block, mark_pages
from offline_model import ChatRequest, answer
from tests.documents.extraction_rows import builder  # noqa: F401 - a fixture
from tests.documents.reading_rows import document_with
from tests.scripted_model import ScriptedModel, answers

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = [
    "Invoice 7",
    "Description|Quantity|Unit price|Amount",
    "Paper white|3|2.50|7.50",
    "and acid free",
    "Pens||1.25|",
]
SECOND = ["Binder|4||8.00", "Folder||3.75|"]
KINDS = {"description": "string", "quantity": "number", "unit_price": "number", "amount": "number"}
FIELDS = {name: {"type": [kind, "null"], "description": f"The {name} of the line"} for name, kind in KINDS.items()}
ITEMS_PART = {"type": "array", "description": "The lines", "items": {"type": "object", "properties": FIELDS}}
SCHEMA = {"type": "object", "properties": {"items": ITEMS_PART}}
FORMAT = {"type": "json_schema", "json_schema": {"name": "invoice", "schema": SCHEMA}}
ROWS = [
    ("Paper white and acid free", 3, 2.5, 7.5),
    ("Pens", None, 1.25, None),
    ("Binder", 4, None, 8),
    ("Folder", None, 3.75, None),
]
ITEMS: list[dict[str, Any]] = [dict(zip(KINDS, row, strict=True)) for row in ROWS]


@pytest.fixture
def document(builder: Actor) -> Document:
    return document_with(builder.organization, FIRST, SECOND, user=builder.user)


@pytest.fixture
def prompt(builder: Actor) -> PromptRevision:
    revision = schemas.create(builder, name="Invoice", response_format=FORMAT)
    return prompts.create(builder, name="Read invoices", content="Take the lines.", schema_revision=revision)


@pytest.mark.usefixtures("unpriced")
def test_a_model_reads_aligned_rows_and_a_long_description_is_proven_on_all_its_lines(
    builder: Actor, document: Document, prompt: PromptRevision, scripted_model: ScriptedModel
) -> None:
    scripted_model.will(answers({"items": ITEMS}))

    draft = extractions.prepare(builder, document=document, prompt_revision=prompt)

    sent = json.dumps(scripted_model.requests[0]["messages"])
    for line in (
        "[1.3] Paper white and acid free | 3 | 2.50 | 7.50",
        "[1.5] Pens |  | 1.25 | ",
        "[1.2] Description | Quantity | Unit price | Amount\\n[2.1] Binder | 4 |  | 8.00",
        "[2.2] Folder |  | 3.75 | ",
    ):
        assert line in sent
    row = draft.result["items"][0]["row_id"]
    assert draft.provenance[f"items[{row}].description"]["words"] == "Paper white and acid free"
    assert {draft.provenance[f"items[{row}].{name}"]["state"] for name in KINDS} <= {"exact", "normalized"}


def test_the_offline_model_leaves_empty_cells_empty(document: Document) -> None:
    block = make_data_block("document", mark_pages(document.readings.get()), name="a.pdf", pages=2)

    reply = answer(ChatRequest([{"role": "user", "content": f"Extract.\n{block}"}], response_format=FORMAT))

    assert json.loads(reply.text)["items"] == ITEMS
