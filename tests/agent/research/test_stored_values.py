"""Sentences whose line says a value alone, where the product keeps it under the name that they give it."""

# ruff: noqa: F811 - fixtures are imported

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from agent.models import Message, Thread
from documents import extractions
from documents.definitions import prompts, schemas
from documents.extractions import ExtractionDraft
from documents.models import Document
from documents.values import add_row_ids, iterate_leaves, map_wire_paths
from tests.agent.research.cited_answers import answer_with, read, research  # noqa: F401 - they are fixtures
from tests.agent.tool_rows import FORMAT
from tests.documents.reading_rows import document_with
from tests.scripted_model import says

pytestmark = pytest.mark.django_db(transaction=True)
LINES = ["Invoice 7", "Hartmann & Co", "ACME Corp", "39.80", "39.80 5 2.50"]
VALUES = {
    "vendor": ("Hartmann & Co", "1.2.1", "exact"),
    "customer_name": ("ACME Corp", "1.3.1", "exact"),
    "total": (39.8, "1.4.1", "normalized"),
    "contact": ("Hartmann", "1.1.1", "similar"),
    "quantity": (5, "1.5.2", "exact"),
    "unit_price": (2.5, "1.5.3", "exact"),
}


@pytest.fixture
def invoice(actor: Actor) -> Document:
    document = document_with(actor.organization, LINES, name="acme.pdf")
    schema = schemas.create(actor, name="Invoice", response_format=FORMAT)
    prompt = prompts.create(actor, name="Invoice", content="Read it.", schema_revision=schema)
    result = add_row_ids({name: value for name, (value, _, _) in VALUES.items()})
    paths = map_wire_paths(result)
    places: Any = {
        where: {
            "state": VALUES[paths[where]][2],
            "page": 1,
            "boxes": [],
            "words": "",
            "blocks": [VALUES[paths[where]][1]],
        }
        for where, _ in iterate_leaves(result)
    }
    draft = ExtractionDraft(
        document_id=document.pk,
        reading_id=document.readings.get().pk,
        prompt_revision_id=prompt.pk,
        schema_revision_id=prompt.schema_revision_id,
        model="none",
        raw="",
        result=result,
        provenance=places,
        coverage=[1],
        page_count=1,
    )
    extractions.store(actor, draft=draft)
    return document


@pytest.mark.parametrize(
    ("text", "is_proven"),
    [
        ("The supplier is Hartmann & Co [D1:1.2].", True),
        ("Der Lieferant ist Hartmann & Co [D1:1.2].", True),
        ("The customer is ACME Corp [D1:1.3].", True),
        ("The supplier is Hartmann & Co [D1:1.2], the customer ACME Corp [D1:1.3].", True),
        ("The unit price is 2.50 [D1:1.5].", True),
        ("The customer is Hartmann & Co [D1:1.2].", False),
        ("The supplier is ACME Corp [D1:1.3].", False),
        ("The customer is Hartmann & Co, the supplier is ACME Corp [D1:1.2, D1:1.3].", False),
        ("The unit price is 5 [D1:1.5].", False),
        ("The quantity is 2.50 and the unit price is 5 [D1:1.5].", False),
        ("The contact is Invoice 7 [D1:1.1].", False),
        ("The supplier is not Hartmann & Co [D1:1.2].", False),
    ],
)
def test_a_line_proves_what_the_product_keeps_its_value_as(
    answer_with: Callable[..., list[str]], invoice: Document, research: Thread, text: str, is_proven: bool
) -> None:
    answer_with(read(invoice), says(text), says(text))
    block = Message.objects.filter(role="assistant").latest("number").blocks
    [checked] = [each for each in block if each["type"] == "checked"]
    assert (not checked["unsupported"] and not checked["not_checked"]) is is_proven, checked
