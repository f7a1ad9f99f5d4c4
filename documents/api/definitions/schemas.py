"""Schemas: GET takes a revision's id; PUT, DELETE and versions take the id of the schema itself."""

from __future__ import annotations

import json

from django.db.models.functions import Length
from rest_framework.request import Request

from accounts.access import fetch
from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire import conditions
from accounts.api.wire.answers import Message
from accounts.api.wire.answers import Problem as ProblemAnswer
from accounts.api.wire.described import describe, describe_window
from accounts.api.wire.errors import Unprocessable, make_fault
from accounts.api.wire.grid import GRID, UNREADABLE, arrange
from accounts.api.wire.pagination import count_long_rows, read_window
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents.api import answers
from documents.api.definitions import definition_answers, schema_faults
from documents.api.definitions.schema_bodies import SchemaChange, SchemaConfig, SchemaData
from documents.catalog.row_versions import get_definition_version
from documents.checks.definitions import clean_checks
from documents.definitions import definitions, schema_rules, schemas
from documents.definitions.schemas import ValueChecks
from documents.find import lists
from documents.models import Schema, SchemaRevision
from documents.values import is_same
from documents.values.fields import find_result_problems
from kit.errors import Conflict, Invalid, NotFound, Problem
from kit.http.bodies import Body
from kit.json_types import Json, JsonObject
from kit.paging import part_within
from kit.timestamps import format_timestamp

_NAME = "The name has 260 characters; 200 is the most."


class Schemas(OrganizationView):
    body_kind = Body.TEXT
    roles = {"GET": Role.VIEWER, "POST": Role.BUILDER}
    bodies = {"POST": SchemaConfig}

    @describe("List schemas", query=[*describe_window(), *GRID], refusals={400: UNREADABLE})
    def get(self, request: Request) -> Answer[answers.SchemaPage]:
        """The latest revision of each."""
        rows, at = arrange(lists.list_schemas(self.actor), request, lists.SCHEMAS), read_window(request)
        part = part_within(rows, at, letters=Length("latest__response_format"), maximum=lists.MAX_PAGE_LETTERS)
        return Answer({"schemas": [_serialize_latest(schema) for schema in part.rows], **count_long_rows(part, at)})

    @describe("Make a schema, or the next version of the one with this name", refusals={400: [_NAME]})
    def post(self, request: Request) -> Answer[answers.CheckedSchema]:
        """A name that is taken makes the next version of it. The inner schema is JSON Schema, Draft 7."""
        body = self.read_body()
        name, response_format, checks = body["name"], body["response_format"], body.get("value_checks")
        _require_valid(response_format)
        require_valid_checks(checks, response_format)
        return Answer(represent(_save_by_name(self.actor, name, response_format, checks)).body)


def _save_by_name(actor: Actor, name: str, response_format: JsonObject, checks: ValueChecks | None) -> SchemaRevision:
    """A new schema, or the next version of the one that has this name in any case."""
    try:
        return schemas.create(
            actor, name=name, response_format=response_format, value_checks=checks, descriptions=False
        )
    except Conflict as taken:
        other = fetch(actor, Schema.objects.all(), (taken.winner or {}).get("schema_id"), noun="Schema")
    return schemas.save_version(
        actor, schema=other, response_format=response_format, value_checks=checks, descriptions=False, always=True
    )


class OneSchema(OrganizationView):
    body_kind = Body.TEXT
    is_conditional = True
    roles = {"GET": Role.VIEWER, "PUT": Role.BUILDER, "DELETE": Role.BUILDER}
    bodies = {"PUT": SchemaChange}

    @describe("Get a schema revision")
    def get(self, request: Request, schema_id: str) -> Answer[answers.CheckedSchema] | conditions.NotModified:
        """The id is that of a revision, for GET; PUT, DELETE and versions take the id that all revisions share."""
        return conditions.answer_unless_known(request, represent(fetch_revision(self.actor, schema_id)))

    @describe(
        "Change a schema",
        refusals={
            400: [_NAME],
            409: ["There is a schema named “Invoice” already. Use another name, or save a new version of it."],
        },
    )
    def put(self, request: Request, schema_id: str) -> Answer[answers.CheckedSchema]:
        """A new name renames; another `response_format` or `value_checks` makes a revision."""
        schema = _fetch_schema(self.actor, schema_id)
        changes = {name: value for name, value in self.read_body().items() if value is not None}
        if not changes:
            raise Unprocessable(
                [
                    make_fault(
                        "body", "name", "One of name, response_format and value_checks is required", type="missing"
                    )
                ]
            )
        # What clients send back unchanged may have been stored before a rule was made.
        newest: JsonObject = definitions.get_newest_revision(schema).response_format
        if not is_same(changes.get("response_format", newest), newest):
            _require_valid(changes["response_format"])
        require_valid_checks(changes.get("value_checks"), changes.get("response_format", newest))
        expected = conditions.read_expected_versions(request)
        with conditions.name_winner(lambda: _represent_newest(self.actor, schema_id)):
            revision = schemas.save_version(
                self.actor, schema=schema, descriptions=False, expected_versions=expected, **changes
            )
        return conditions.answer(represent(revision))

    @describe(
        "Delete a schema",
        refusals={
            400: ['Cannot delete schema because it has dependent prompts:[{"name": "Invoice", "schema_version": 1}]']
        },
    )
    def delete(self, request: Request, schema_id: str) -> Answer[Message]:
        """All of its revisions, while no prompt uses one. It goes to the trash, where an admin can bring it back."""
        schema, expected = _fetch_schema(self.actor, schema_id), conditions.read_expected_versions(request)
        try:
            with conditions.name_winner(lambda: _represent_newest(self.actor, schema_id)):
                schemas.trash(self.actor, head=schema, expected_versions=expected)
        except Invalid as error:
            raise Invalid(_describe_dependents(schema), code=error.code) if error.code == "in_use" else error from None
        return Answer({"message": "Schema deleted successfully"})


def _describe_dependents(schema: Schema) -> str:
    using = [
        {"name": revision.prompt.name, "schema_version": revision.schema_revision.number}
        for revision in schemas.list_dependents(schema)
        if revision.schema_revision
    ]
    return f"Cannot delete schema because it has dependent prompts:{json.dumps(using, ensure_ascii=False)}"


class SchemaVersions(OrganizationView):
    roles = {"GET": Role.VIEWER}

    @describe("List the versions of a schema", query=describe_window(default=1000, maximum=1000))
    def get(self, request: Request, schema_id: str) -> Answer[answers.SchemaPage]:
        """The newest first."""
        accepted = _fetch_schema(self.actor, schema_id).revisions.filter(status=SchemaRevision.Status.ACCEPTED)
        rows, at = (
            accepted.select_related("schema").order_by("-number"),
            read_window(request, default=1000, maximum=1000),
        )
        part = part_within(rows, at, letters=Length("response_format"), maximum=lists.MAX_PAGE_LETTERS)
        return Answer({"schemas": [serialize_schema(revision) for revision in part.rows], **count_long_rows(part, at)})


class SchemaValidation(OrganizationView):
    """Whether data fits. Takes a revision's id, and as the published Python client names it also the schema's."""

    body_kind = Body.TEXT
    roles = {"POST": Role.VIEWER}
    bodies = {"POST": SchemaData}

    @describe("Check data against a schema revision")
    def post(self, request: Request, schema_id: str) -> Answer[definition_answers.SchemaCheck]:
        schema = fetch_revision_or_latest(self.actor, schema_id).json_schema
        problems = find_result_problems(schema, self.read_body()["data"])
        if not problems:
            return Answer({"valid": True})
        faults: list[definition_answers.DataFault] = [
            {"path": each.where, "message": each.message} for each in problems
        ]
        return Answer({"valid": False, "errors": faults})


def fetch_revision_or_latest(actor: Actor, either_id: str) -> SchemaRevision:
    try:
        return fetch_revision(actor, either_id)
    except NotFound:
        latest = _fetch_schema(actor, either_id).latest
    if latest is None:
        raise NotFound("Schema not found")
    return latest


def _fetch_schema(actor: Actor, schema_id: str) -> Schema:
    return fetch(actor, Schema.objects.select_related("latest"), schema_id, noun="Schema")


def fetch_revision(actor: Actor, revid: str) -> SchemaRevision:
    """A revision of a schema that is not in the trash. Raises NotFound."""
    rows = SchemaRevision.objects.filter(schema__trashed_at=None).select_related("schema")
    return fetch(actor, rows, revid, noun="Schema")


def fetch_schema_version(actor: Actor, schema_id: str, version: int | None) -> SchemaRevision:
    """The version of a schema that a prompt names, the latest without one. Raises NotFound."""
    schema = _fetch_schema(actor, schema_id)
    revision = schema.latest if version is None else schema.revisions.filter(number=version).first()
    if revision is None:
        raise NotFound("Schema not found" if version is None else f"Schema version {version} not found")
    return revision


def _require_valid(response_format: object) -> None:
    """422 with a fault for each problem."""
    if faults := schema_faults.list_faults(response_format):
        raise Unprocessable(faults)


def require_valid_checks(checks: Json, response_format: JsonObject) -> None:
    """The same for value checks; null is as good as absent."""
    try:
        clean_checks([] if checks is None else checks, response_format["json_schema"]["schema"])
    except Invalid as error:
        problems = error.problems or (Problem("value_checks", error.sentence),)
        raise Unprocessable([schema_faults.describe_check_fault(checks, problem) for problem in problems]) from None


def _serialize_latest(schema: Schema) -> answers.Schema:
    assert schema.latest is not None  # noqa: S101 - the list leaves out schemas without one
    schema.latest.schema = schema
    return serialize_schema(schema.latest)


def represent(revision: SchemaRevision) -> conditions.Representation[answers.CheckedSchema]:
    warnings: list[ProblemAnswer] = [
        {"where": warning.where, "message": warning.message}
        for warning in schema_rules.find_warnings(revision.response_format)
    ]
    body: answers.CheckedSchema = {**serialize_schema(revision), "warnings": warnings}
    return conditions.Representation(body, get_definition_version(revision.schema, revision))


def _represent_newest(actor: Actor, schema_id: str) -> conditions.Representation[answers.CheckedSchema]:
    return represent(definitions.get_newest_revision(_fetch_schema(actor, schema_id)))


def serialize_schema(revision: SchemaRevision) -> answers.Schema:
    return {
        "name": revision.schema.name,
        "response_format": revision.response_format,
        "value_checks": revision.value_checks,
        "schema_revid": revision.pk,
        "schema_id": revision.schema_id,
        "schema_version": revision.number,
        "created_at": format_timestamp(revision.created_at),
        "created_by": revision.created_by_id or "",
        "status": revision.status,
    }
