"""A document with a page, a prompt and the result that a model gives."""

from __future__ import annotations

import pytest

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import Member, Organization, Role, User
from documents.definitions import prompts, schemas
from documents.models import Document, PromptRevision
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
    schema = schemas.create(builder, name="Invoice", response_format=FORMAT)
    return prompts.create(builder, name="Read invoices", content="Take the lines.", schema_revision=schema)
