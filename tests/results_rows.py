"""Documents with results, made at once: as many fields as asked for, of each kind that a schema has."""

from __future__ import annotations

from collections.abc import Iterable

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import Member, Organization, Role, User
from documents import values
from documents.definitions import prompts, schemas
from documents.models import Document, Extraction, PromptRevision
from kit.json_types import JsonObject, JsonSchema

_KINDS: tuple[JsonSchema, ...] = (
    {"type": "number", "description": "An amount"},
    {"type": "string", "description": "A name"},
    {"type": "string", "format": "date", "description": "A day"},
    {"type": "string", "description": "A text"},
)
_ENTRY: JsonSchema = {
    "sku": {"type": "string", "description": "Article"},
    "amount": {"type": "number", "description": "Amount"},
}


def make_people() -> Actor:
    organization = Organization.objects.create(name="Results", default_prompt_enabled=False)
    user = User.objects.create_user("ruth@results.example", name="Ruth")
    Member.objects.create(organization=organization, user=user, role=Role.ADMIN)
    return enter(user, organization.pk)


def make_invoice_prompt(actor: Actor, fields: int) -> PromptRevision:
    properties: JsonSchema = {f"field_{at}": _KINDS[at % len(_KINDS)] for at in range(fields)}
    entry: JsonSchema = {"type": "object", "properties": _ENTRY}
    properties["items"] = {"type": "array", "description": "Lines", "items": entry}
    schema: JsonSchema = {"type": "object", "properties": properties}
    response_format = {"type": "json_schema", "json_schema": {"name": "invoice", "schema": schema}}
    revision = schemas.create(actor, name="Invoice", response_format=response_format)
    return prompts.create(actor, name="Read invoices", content="Take the fields.", schema_revision=revision)


def make_values(number: int, fields: int) -> JsonObject:
    written = (number + 0.5, f"Supplier {number} & sons", f"2026-03-{number % 28 + 1:02}", f"A text of {number}")
    return {f"field_{at}": written[at % len(written)] for at in range(fields)}


def make_extracted(actor: Actor, prompt: PromptRevision, numbers: Iterable[int], fields: int) -> list[Document]:
    """A document for each number, with a completed run."""
    listed = list(numbers)
    documents = Document.objects.bulk_create(
        Document(
            organization=actor.organization,
            name=f"invoice {number}.pdf",
            sha256=f"{number}",
            size=1,
            file="x",
            state=Document.State.LLM_COMPLETED,
        )
        for number in listed
    )
    stored = [values.add_row_ids(make_values(number, fields)) for number in listed]
    Extraction.objects.bulk_create(
        Extraction(
            document=document,
            number=1,
            prompt_revision=prompt,
            schema_revision=prompt.schema_revision,
            model="offline/rules",
            status="completed",
            result=each,
            current=each,
            coverage=[1],
            page_count=1,
        )
        for document, each in zip(documents, stored, strict=True)
    )
    return documents
