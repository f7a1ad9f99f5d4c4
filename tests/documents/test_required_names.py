"""`required` may name what no property declares: it is told, kept, and asked of no value and no model."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from documents import extractions
from documents.definitions import prompts, schemas
from documents.definitions.schema_rules import find_problems, find_warnings
from documents.extractions import edits
from documents.models import Document, Extraction, SchemaRevision
from documents.values.fields import find_result_problems
from documents.values.required_names import find_undeclared_names, relax_format, relax_required
from tests.documents.reading_rows import document_with
from tests.scripted_model import ScriptedModel, answers

TEXT = {"type": "string", "description": "As printed."}
LINE = {"type": "object", "properties": {"sku": TEXT}, "required": ["sku", "price"]}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "vendor": TEXT,
        "items": {"type": "array", "description": "The lines.", "items": LINE},
        "buyer": {"anyOf": [{"$ref": "#/$defs/party"}, {"type": "null"}], "description": "Who pays."},
    },
    "required": ["vendor", "invoice_id", "items"],
    "additionalProperties": False,
    "$defs": {"party": {"type": "object", "properties": {"name": TEXT}, "required": ["vat", "name"]}},
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "invoice", "schema": SCHEMA, "strict": True}}
RESULT = {"vendor": "Acme", "items": [{"sku": "A-1"}], "buyer": {"name": "Bolt"}}


def test_each_name_is_told_with_its_place_and_nothing_is_refused() -> None:
    assert find_problems(FORMAT) == []
    assert [(warning.where, warning.message.partition(", which")[0]) for warning in find_warnings(FORMAT)] == [
        ("required", 'required names "invoice_id"'),
        ("buyer.required", 'buyer.required names "vat"'),
        ("items.items.required", 'items.items.required names "price"'),
    ]


def test_what_is_declared_is_still_required() -> None:
    assert find_result_problems(SCHEMA, RESULT) == []
    assert find_result_problems(SCHEMA, {**RESULT, "buyer": None}) == []
    for less, lacks in (
        ({"items": []}, "must have vendor"),
        ({**RESULT, "items": [{}]}, "must have sku"),
        ({**RESULT, "invoice_id": "7"}, "has no field invoice_id in the schema"),
    ):
        (problem,) = find_result_problems(SCHEMA, less)
        assert lacks in problem.message
    (problem,) = find_result_problems(SCHEMA, {**RESULT, "buyer": {}})
    assert problem.where == "buyer"


def test_no_part_that_describes_an_object_asks_for_such_a_name() -> None:
    party = {"type": "object", "properties": {"name": TEXT}, "required": ["vat", "name"]}
    buyer = {"description": "Who pays.", "anyOf": [party, {"type": "null"}], "required": ["vat", "town", "name"]}
    schema = {"type": "object", "properties": {"buyer": buyer}}
    assert find_result_problems(schema, {"buyer": {"name": "Bolt"}}) == []
    assert find_result_problems(schema, {"buyer": {}})
    sentences = [warning.message for warning in find_warnings({"json_schema": {"schema": schema}})]
    assert [sentence.split('"')[1] for sentence in sentences] == ["vat", "town"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": TEXT, "required": TEXT}, "required": ["a", "required"]},
        {"type": "object", "properties": {"a": TEXT}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
        {"type": "object", "properties": {"a": TEXT}, "if": {"required": ["b"]}, "then": {"required": ["a"]}},
        {"type": "object", "properties": {"a": {"type": "string", "enum": [{"required": ["b"]}]}}},
    ],
)
def test_a_schema_without_such_names_stays_the_very_same(schema: dict[str, Any]) -> None:
    assert relax_required(schema) is schema


def test_the_names_of_a_schema_that_explodes_are_not_looked_for_without_end() -> None:
    definitions: dict[str, Any] = {
        f"d{n}": {"type": "object", "properties": {side: {"$ref": f"#/definitions/d{n + 1}"} for side in "lr"}}
        for n in range(19)
    }
    definitions["d19"] = {"type": "object", "properties": {"a": TEXT}, "required": ["b"]}
    schema = {"type": "object", "properties": {"x": {"$ref": "#/definitions/d0"}}, "definitions": definitions}
    assert sum(1 for _ in find_undeclared_names(schema)) <= 5_000


@pytest.mark.django_db(transaction=True)
def test_an_extraction_succeeds_and_the_provider_is_sent_what_it_takes(
    actor: Actor, scripted_model: ScriptedModel
) -> None:
    document, revision = _read_document(actor), _store(actor)
    prompt = prompts.create(actor, name="Read", content="Take all.", schema_revision=revision)
    scripted_model.will(answers(RESULT))
    draft = extractions.prepare(actor, document=document, prompt_revision=prompt)
    run = extractions.store(actor, draft=draft)
    assert run.status == Extraction.Status.COMPLETED and len(scripted_model.requests) == 1, "no repair was asked for"
    requested_schema = scripted_model.requests[0]["response_format"]["json_schema"]["schema"]
    assert set(requested_schema["required"]) <= set(requested_schema["properties"])
    assert requested_schema["properties"]["items"]["items"]["required"] == ["sku"]
    assert "invoice_id" not in json.dumps(scripted_model.requests[0]), "nor is the model told of it in words"
    edits.set_path(actor, extraction=run, path="vendor", value="Acme Ltd.")
    assert SchemaRevision.objects.get().json_schema == SCHEMA, "what was stored is what was sent"


@pytest.mark.django_db
def test_the_editor_says_so_and_saves(client: Client, actor: Actor, signed_in: Any) -> None:
    page, organization = signed_in(client, actor), actor.organization
    text = page.post(reverse("schema-check", args=[organization.pk]), {"content": json.dumps(FORMAT)}).text
    assert "Worth a look" in text and "invoice_id" in text and "Ready to save" in text
    saved = page.post(reverse("schema-new", args=[organization.pk]), {"name": "Bill", "content": json.dumps(FORMAT)})
    assert saved.status_code == 302 and SchemaRevision.objects.get().json_schema == SCHEMA
    relaxed = relax_format(FORMAT)
    again = page.post(reverse("schema-check", args=[organization.pk]), {"content": json.dumps(relaxed)}).text
    assert "Worth a look" not in again


def _read_document(actor: Actor) -> Document:
    return document_with(actor.organization, ["Acme", "A-1", "Bolt"], user=actor.user)


def _store(actor: Actor) -> SchemaRevision:
    return schemas.create(actor, name="Invoice", response_format=FORMAT)
