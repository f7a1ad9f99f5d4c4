"""Schemas to start from: each can be used as it is, and one press makes it and its prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import Role
from documents.checks.definitions import clean_checks, describe_checks
from documents.definitions import prompts, schemas
from documents.definitions.schema_rules import check_response_format, find_warnings
from documents.definitions.schema_templates.catalogue import SchemaTemplate, list_templates
from documents.definitions.schema_templates.creating import create_from_template
from documents.models import Prompt, Schema
from kit.errors import Conflict
from kit.json_types import JsonSchema

KEYS = [
    "invoice",
    "receipt",
    "credit_note",
    "order",
    "delivery_note",
    "contract",
    "lease",
    "payslip",
    "bank_statement",
    "cv",
    "form",
]
MOST_WORDS = 200


def iterate_objects(schema: JsonSchema) -> Iterator[JsonSchema]:
    if "properties" in schema:
        yield schema
        for field in schema["properties"].values():
            yield from iterate_objects(field.get("items", field))


def test_there_is_one_for_each_common_kind_in_this_order() -> None:
    assert list(list_templates()) == KEYS


@pytest.mark.parametrize("template", list_templates().values(), ids=KEYS)
def test_it_passes_our_own_checks_of_schemas(template: SchemaTemplate) -> None:
    schema = check_response_format(template.response_format)
    assert not find_warnings(template.response_format)
    # A strict format needs every field in "required"; one that may be missing has null in its type.
    for each in iterate_objects(schema):
        assert (each["required"], each["additionalProperties"]) == (list(each["properties"]), False)
        assert all(field.get("description") for field in each["properties"].values())
    assert len(template.value_checks) >= 3
    assert clean_checks(template.value_checks, schema) == template.value_checks
    assert len(set(describe_checks(template.value_checks, schema))) == len(template.value_checks)
    assert template.summary and 50 <= len(template.prompt.split()) <= MOST_WORDS


def test_a_second_one_has_another_name_and_a_taken_name_makes_nothing(actor: Actor) -> None:
    template = list_templates()["cv"]
    prompts.create(actor, name="cv 2", content="Read it.")
    made = [create_from_template(actor, template=template) for _ in range(2)]
    assert [each.schema_revision.schema.name for each in made] == ["CV", "CV 3"]
    assert made[1].prompt_revision.schema_revision == made[1].schema_revision
    with pytest.raises(Conflict, match="There is a prompt named"):
        create_from_template(actor, template=template, name="cv 2")
    assert Schema.objects.count() == 2


def test_one_press_makes_it_and_the_same_press_again_does_not(
    client: Client, actor: Actor, signed_in: Callable[[Client, Actor], Client]
) -> None:
    page, at = signed_in(client, actor), [actor.organization.pk]
    empty = page.get(reverse("schemas", args=at)).text
    assert "Start from a template" in empty and empty.count('name="template"') == 2 * len(KEYS)
    pressed = {"template": "invoice", "name": "Invoice"}
    answer = page.post(reverse("schema-from-template", args=at), pressed, follow=True)
    schema = Schema.objects.get()
    assert answer.redirect_chain == [(reverse("schema", args=[*at, schema.pk]), 302)]
    assert "“Invoice” and its prompt are made." in answer.text
    assert "Subtotal + Tax is Total." in answer.text and "Suggested checks" not in answer.text
    assert schema.latest and Prompt.objects.get().latest.schema_revision == schema.latest  # type: ignore[union-attr]
    again = page.post(reverse("schema-from-template", args=at), pressed, follow=True).text
    assert "There is a schema named “Invoice” already." in again and Schema.objects.count() == 1
    assert 'value="Invoice 2"' in again
    assert page.post(reverse("schema-from-template", args=at), {"template": "../cv"}).status_code == 404


def test_a_reviewer_is_offered_none(
    client: Client, member: Callable[[Role], Actor], signed_in: Callable[[Client, Actor], Client]
) -> None:
    reviewer = member(Role.REVIEWER)
    page, at = signed_in(client, reviewer), [reviewer.organization.pk]
    assert "from-template" not in page.get(reverse("schemas", args=at)).text
    assert page.post(reverse("schema-from-template", args=at), {"template": "cv"}).status_code == 403


def test_what_is_made_is_edited_like_any_other(actor: Actor) -> None:
    made = create_from_template(actor, template=list_templates()["lease"]).schema_revision
    fewer = schemas.save_version(actor, schema=made.schema, value_checks=made.value_checks[:1])
    assert (fewer.number, len(fewer.value_checks)) == (2, 1)
