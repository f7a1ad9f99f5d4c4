"""The pages of schemas through their real URLs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.actor import Actor
from accounts.models import Role
from documents.definitions import prompts, schema_text, schemas
from documents.definitions.schema_fields import list_field_changes, list_field_lines
from documents.definitions.text_changes import list_changed_lines
from documents.models import Schema, SchemaRevision

SignedIn = Callable[[Client, Actor], Client]
TOTAL = {"type": "number", "description": "What is to be paid."}


def response_format(**fields: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "properties": fields or {"total": TOTAL}, "required": list(fields or ["total"])}
    return {"type": "json_schema", "json_schema": {"name": "invoice", "strict": True, "schema": schema}}


def make_schema(actor: Actor, name: str = "Invoice", **fields: dict[str, Any]) -> SchemaRevision:
    return schemas.create(actor, name=name, response_format=response_format(**fields))


def at(name: str, actor: Actor, *ids: str) -> str:
    return reverse(name, args=[actor.organization.pk, *ids])


@pytest.fixture
def page(client: Client, actor: Actor, signed_in: SignedIn) -> Client:
    return signed_in(client, actor)


def test_it_lists_schemas_with_what_uses_them_in_a_constant_number_of_queries(
    page: Client, actor: Actor, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(4):
        revision = make_schema(actor, f"Schema {number}")
        prompts.create(actor, name=f"Prompt {number}", content="Read it.", schema_revision=revision)
    prompts.create(actor, name="Another", content="Read it.", schema_revision=revision)
    with django_assert_max_num_queries(12):
        text = page.get(at("schemas", actor)).text
    assert text.count("1 field") == 4
    assert (len(re.findall(r"\b1 prompt\b", text)), text.count("2 prompts")) == (3, 1)


def test_a_table_counts_as_one_field_whatever_its_columns(page: Client, actor: Actor) -> None:
    columns = {"type": "object", "properties": {"sku": TOTAL, "amount": TOTAL}}
    rows = {"type": "array", "description": "Lines.", "items": columns}
    make_schema(actor, lines=rows, due=TOTAL)
    assert "2 fields" in page.get(at("schemas", actor)).text


def test_it_shows_the_fields_of_a_schema_in_plain_words(page: Client, actor: Actor) -> None:
    rows = {"type": "array", "description": "Lines.", "items": {"type": "object", "properties": {"sku": TOTAL}}}
    due = {"type": ["string", "null"], "format": "date", "description": "Due <day>."}
    revision = make_schema(actor, lines=rows, due=due)
    text = page.get(at("schema", actor, revision.schema_id)).text
    assert "list of rows" in text
    assert "date, or empty" in text
    assert "Due &lt;day&gt;." in text
    assert '<tr class="level-1"><td>sku</td>' in text


def test_it_shows_what_any_version_changed(page: Client, actor: Actor) -> None:
    revision = make_schema(actor)
    for description in ("The sum.", "The whole sum."):
        changed = response_format(total={"type": "number", "description": description})
        schemas.save_version(actor, schema=revision.schema, response_format=changed)
    address = at("schema", actor, revision.schema_id)
    assert "“What is to be paid.” is now “The sum.”" in page.get(address, {"version": "2"}).text
    assert "“The sum.” is now “The whole sum.”" in page.get(address).text
    assert "<h2>Changes</h2>" not in page.get(address, {"version": "1"}).text
    assert page.get(address, {"version": "9"}).status_code == 404


def test_it_compares_any_two_versions_the_older_one_first(page: Client, actor: Actor) -> None:
    revision = make_schema(actor)
    for description in ("The sum.", "The whole sum."):
        changed = response_format(total={"type": "number", "description": description})
        schemas.save_version(actor, schema=revision.schema, response_format=changed)
    address = at("schema", actor, revision.schema_id)
    for pair in ({"version": "3", "with": "1"}, {"version": "1", "with": "3"}):
        text = page.get(address, pair).text
        assert "version 1 to 3" in text
        assert "“What is to be paid.” is now “The whole sum.”" in text
    assert page.get(address, {"version": "3", "with": "9"}).status_code == 404


def test_it_makes_a_schema_from_a_bare_json_schema(page: Client, actor: Actor) -> None:
    bare = json.dumps(response_format()["json_schema"]["schema"])
    answer = page.post(at("schema-new", actor), {"name": "Supplier invoice", "content": bare})
    schema = Schema.objects.get()
    assert answer["Location"] == at("schema", actor, schema.pk)
    assert schema.latest is not None
    assert schema.latest.response_format["json_schema"]["name"] == "supplier_invoice"


def test_it_shows_every_problem_and_keeps_what_was_typed(page: Client, actor: Actor) -> None:
    typed = json.dumps(response_format(**{"a.b": {"type": "string", "description": "x"}, "total": {"type": "number"}}))
    answer = page.post(at("schema-new", actor), {"name": "Mine", "content": typed})
    assert answer.status_code == 422
    assert "2 things keep this from being saved" in answer.text
    assert "total has no description" in answer.text
    assert "a.b&quot;: {&quot;type" in answer.text
    assert 'value="Mine"' in answer.text
    assert not Schema.objects.exists()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ('{"type": ', "Line 1, column 10"),
        ('{"type": "object", "type": "object"}', "“type” is in the same object twice"),
        ("[1]", "must be one JSON object"),
        ('{"a": NaN}', "NaN is no JSON number"),
        ('{"a": "\\ud800"}', "half of a character"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": 1e999}', "The number 1e999 is too large to be kept."),
    ],
)
def test_it_says_why_a_text_is_no_schema(page: Client, actor: Actor, typed: str, sentence: str) -> None:
    answer = page.post(at("schema-new", actor), {"name": "Mine", "content": typed})
    assert answer.status_code == 422
    assert sentence in answer.text


def test_it_says_beforehand_what_saving_would_say_and_change(page: Client, actor: Actor) -> None:
    revision = make_schema(actor)
    draft = response_format(total={**TOTAL, "description": "The sum."}, date={"type": "string"})
    typed = {"schema": revision.schema_id, "content": json.dumps(draft)}
    text = page.post(at("schema-check", actor), typed).text
    assert 'data-problem="date">date has no description' in text
    assert "“What is to be paid.” is now “The sum.”" in text
    assert 'data-save="Save as version 2"' in text
    same = page.post(at("schema-check", actor), typed | {"content": json.dumps(response_format())}).text
    assert "Nothing differs from version 1 yet" in same
    assert "Line 1, column 2" in page.post(at("schema-check", actor), typed | {"content": "{,"}).text
    assert Schema.objects.get().revisions.count() == 1


def test_it_saves_the_editors_own_text_without_a_new_version(page: Client, actor: Actor) -> None:
    revision = make_schema(actor, zeta=TOTAL, alpha={**TOTAL, "minimum": 0.5, "x-note": ["ü", None]})
    address = at("schema-edit", actor, revision.schema_id)
    form = page.get(address).context["form"]
    page.post(address, {"name": "Renamed", "content": form["content"].value(), "seen": form["seen"].value()})
    schema = Schema.objects.get()
    assert (schema.name, schema.latest_id, schema.revisions.count()) == ("Renamed", revision.pk, 1)


def test_it_points_out_a_newer_version_and_then_lets_the_typed_one_go_on_top(page: Client, actor: Actor) -> None:
    first = make_schema(actor)
    newer = schemas.save_version(actor, schema=first.schema, response_format=response_format(date=TOTAL))
    typed = {"name": "Invoice", "content": schema_text.format_text(response_format(vat=TOTAL)), "seen": first.pk}
    refused = page.post(at("schema-edit", actor, first.schema_id), typed)
    assert refused.status_code == 422
    assert "there is a newer version" in refused.text
    assert "What you typed is still here" in refused.text
    assert refused.context["seen"] == newer.pk
    saved = page.post(at("schema-edit", actor, first.schema_id), {**typed, "seen": newer.pk})
    assert saved.status_code == 302
    assert list(Schema.objects.get().latest.json_schema["properties"]) == ["vat"]  # type: ignore[union-attr]


def test_an_old_version_is_looked_at_and_made_the_newest_again(page: Client, actor: Actor) -> None:
    first = make_schema(actor)
    second = schemas.save_version(actor, schema=first.schema, response_format=response_format(date=TOTAL))
    address, pressed = at("schema", actor, first.schema_id), {"number": "1", "seen": second.pk}
    assert "Make newest" not in page.get(address).text and "Make newest" in page.get(address, {"version": "1"}).text
    answer = page.post(at("schema-return", actor, first.schema_id), pressed, follow=True).text
    assert "Version 3 says what version 1 said." in answer
    latest = Schema.objects.get().latest
    assert latest and (latest.number, latest.response_format) == (3, first.response_format)
    again = page.post(at("schema-return", actor, first.schema_id), pressed, follow=True).text
    assert "has been changed since" in again and Schema.objects.get().revisions.count() == 3


def test_a_refused_text_comes_back_in_its_view(page: Client, actor: Actor) -> None:
    for view in ("json", "fields"):
        refused = page.post(at("schema-new", actor), {"name": "Mine", "content": "{}", "view": view})
        assert refused.status_code == 422 and f'name="view" value="{view}"' in refused.text


def test_a_type_has_words_and_a_picture(page: Client, actor: Actor) -> None:
    day = {"type": ["string", "null"], "format": "date", "description": "Day."}
    text = page.get(at("schema", actor, make_schema(actor, day=day, total=TOTAL).schema_id)).text
    assert "#calendar" in text and "date, or empty" in text and "#hash" in text


def test_a_schema_in_use_stays_and_the_page_says_why(page: Client, actor: Actor) -> None:
    revision = make_schema(actor)
    prompts.create(actor, name="Reader", content="Read it.", schema_revision=revision)
    assert "It stays while a prompt uses it" in page.get(at("schema", actor, revision.schema_id)).text
    refused = page.post(at("schema-trash", actor, revision.schema_id))
    assert refused.status_code == 400
    assert "is used by the prompt “Reader”" in refused.text


def test_it_goes_to_the_trash_and_comes_back(page: Client, actor: Actor) -> None:
    revision = make_schema(actor)
    listed = page.post(at("schema-trash", actor, revision.schema_id), follow=True).text
    assert "1 schema in the trash" in listed
    assert page.get(at("schema", actor, revision.schema_id)).status_code == 404
    page.post(at("schema-restore", actor, revision.schema_id))
    assert page.get(at("schema", actor, revision.schema_id)).status_code == 200


def test_a_viewer_sees_a_schema_and_no_way_to_change_it(
    client: Client, actor: Actor, member: Callable[[Role], Actor], signed_in: SignedIn
) -> None:
    revision = make_schema(actor)
    text = signed_in(client, member(Role.VIEWER)).get(at("schema", actor, revision.schema_id)).text
    assert "What is to be paid." in text
    assert "/edit" not in text
    assert "/trash" not in text


def test_it_says_every_difference_between_two_fields() -> None:
    old = response_format(total={"type": "number", "description": "Sum."}, kind={"enum": ["a"], "description": "K"})
    new = response_format(kind={"enum": ["a", "b"], "description": "K"}, total={"type": "integer", "minimum": 0})
    new["json_schema"]["schema"]["required"] = ["kind"]
    new["json_schema"]["strict"] = False
    assert [change.words for change in list_field_changes(old, new)] == [
        "choices “a” is now “a, b”",
        "was “number”, is now “whole number”",
        "is no longer required",
        "description “Sum.” removed",
        "minimum added: “0”",
        "The order of the fields differs.",
        "Of the format: strict “true” is now “false”",
    ]


def test_it_follows_references_to_the_fields_inside() -> None:
    address = {"type": "object", "properties": {"city": {"type": "string", "description": "City."}}}
    schema = {
        "type": "object",
        "properties": {"buyer": {"$ref": "#/definitions/address", "description": "Who buys."}},
        "definitions": {"address": address},
    }
    lines = [(line.where, line.type, line.level, line.description) for line in list_field_lines(schema)]
    assert lines == [("buyer", "group", 0, "Who buys."), ("buyer.city", "text", 1, "City.")]


def test_it_shows_changed_lines_with_those_around_them() -> None:
    before = "\n".join("abcdefgh")
    lines = list_changed_lines(before, before.replace("d", "D"))
    assert [(line.kind, line.text) for line in lines] == [
        ("skipped", "1 line the same"),
        ("same", "b"),
        ("same", "c"),
        ("cutout", "d"),
        ("add", "D"),
        ("same", "e"),
        ("same", "f"),
        ("skipped", "2 lines the same"),
    ]
    assert list_changed_lines(before, before) == []
