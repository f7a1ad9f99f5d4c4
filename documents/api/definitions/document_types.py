"""Types that documents of an organization can have."""

from __future__ import annotations

from rest_framework.request import Request

from accounts.access import fetch
from accounts.api.access import OrganizationView
from accounts.api.wire.described import describe
from accounts.api.wire.fields import RequestBody, StrictTextField, TrueOrFalse
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents.api.definitions import definition_answers
from documents.models import DocumentType
from documents.types import catalogue

TAKEN = "There is a type “Bill” already."


class NewDocumentType(RequestBody):
    """A type that people alone give."""

    name = StrictTextField()


class DocumentTypeChange(RequestBody):
    """A field that is left out or null stays. An empty id takes the usual schema or prompt away."""

    name = StrictTextField(required=False, allow_null=True)
    is_on = TrueOrFalse(required=False, allow_null=True, default=None, help_text="Whether documents can get it.")
    schema_id = StrictTextField(required=False, allow_null=True, allow_blank=True)
    prompt_id = StrictTextField(required=False, allow_null=True, allow_blank=True)


class DocumentTypes(OrganizationView):
    roles = {"GET": Role.VIEWER, "POST": Role.BUILDER}
    bodies = {"POST": NewDocumentType}

    @describe("List types of documents")
    def get(self, request: Request) -> Answer[definition_answers.DocumentTypes]:
        """By name, the types that rules tell and those that people added; `key` stays when one is renamed."""
        rows = catalogue.list_types(self.actor.organization)
        return Answer({"document_types": [serialize_type(row) for row in rows]})

    @describe("Add a type of documents", refusals={400: ["A name is needed."], 409: [TAKEN]})
    def post(self, request: Request) -> Answer[definition_answers.DocumentType]:
        """Rules do not know it: people, and programs of theirs, give it to documents."""
        return Answer(serialize_type(catalogue.add_type(self.actor, name=self.read_body()["name"])))


class OneDocumentType(OrganizationView):
    roles = {"GET": Role.VIEWER, "PUT": Role.BUILDER}
    bodies = {"PUT": DocumentTypeChange}

    @describe("Get a type of documents")
    def get(self, request: Request, type_id: str) -> Answer[definition_answers.DocumentType]:
        """With its usual schema and prompt."""
        return Answer(serialize_type(self._fetch(type_id)))

    @describe("Change a type of documents", refusals={400: ["There is no such prompt here."], 409: [TAKEN]})
    def put(self, request: Request, type_id: str) -> Answer[definition_answers.DocumentType]:
        """Documents keep a type that is switched off; no other document gets it."""
        changes = {name: value for name, value in self.read_body().items() if value is not None}
        return Answer(serialize_type(catalogue.change_type(self.actor, document_type=self._fetch(type_id), **changes)))

    def _fetch(self, type_id: str) -> DocumentType:
        return fetch(self.actor, DocumentType.objects.all(), type_id, noun="Type")


def serialize_type(row: DocumentType) -> definition_answers.DocumentType:
    return {
        "id": row.pk,
        "key": row.key,
        "name": row.name,
        "is_on": row.is_on,
        "schema_id": row.schema_id,
        "prompt_id": row.prompt_id,
    }
