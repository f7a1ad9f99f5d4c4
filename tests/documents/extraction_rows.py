"""An invoice, its schema, the prompt that reads it and what is in it."""

from __future__ import annotations

import pytest

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import Member, Organization, Role, User
from documents import values
from documents.definitions import prompts, schemas
from documents.models import Document, Extraction, PromptRevision
from tests.documents.reading_rows import document_with

SCHEMA = {
    "type": "object",
    "required": ["number"],
    "properties": {
        "number": {"type": "string", "description": "Invoice number"},
        "total": {"type": "number", "description": "Grand total"},
        "items": {
            "type": "array",
            "description": "The lines",
            "items": {
                "type": "object",
                "properties": {
                    "sku": {"type": "string", "description": "Article"},
                    "amount": {"type": "number", "description": "Line amount"},
                },
            },
        },
    },
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "invoice", "schema": SCHEMA}}
PAGE = ["Invoice | INV-7", "Article | Amount", "A-1 | 10.00", "B-2 | 20.50", "Total | 30.50"]
RESULT = {
    "number": "INV-7",
    "total": 30.5,
    "items": [{"sku": "A-1", "amount": 10}, {"sku": "B-2", "amount": 20.5}],
}


def make_prompt(actor: Actor, content: str = "Take the lines.") -> PromptRevision:
    schema = schemas.create(actor, name="Invoice", response_format=FORMAT)
    return prompts.create(actor, name="Read invoices", content=content, schema_revision=schema)


def run_prompt(document: Document, prompt: PromptRevision | None, result: object = RESULT) -> Extraction:
    """A completed run without a model call."""
    stored = values.add_row_ids(result)
    return Extraction.objects.create(
        document=document,
        number=document.extractions.count() + 1,
        prompt_revision=prompt,
        model="offline/rules",
        schema_revision=prompt.schema_revision if prompt else None,
        status="completed",
        result=stored,
        current=stored,
        reading=document.readings.get(),
        coverage=[1],
        page_count=1,
    )


@pytest.fixture
def builder() -> Actor:
    user = User.objects.create_user("bea@acme.example", name="Bea")
    organization = Organization.objects.create(name="Acme", default_prompt_enabled=False)
    Member.objects.create(organization=organization, user=user, role=Role.ADMIN)
    return enter(user, organization.pk)


@pytest.fixture
def document(builder: Actor) -> Document:
    return document_with(builder.organization, PAGE, user=builder.user)


@pytest.fixture
def prompt(builder: Actor) -> PromptRevision:
    return make_prompt(builder)
