"""Single fields of a schema, changed without the whole format."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from agent.models import ToolCall
from agent.toolkit.registry import registry
from agent.tools.definitions.schema_patches import MAX_FIELDS, apply_patch, wrap_schema
from documents.checks.kinds import KINDS
from documents.definitions import schemas
from documents.definitions.schema_rules import check_response_format
from documents.models import Schema
from kit.errors import Invalid
from tests.agent.tool_rows import FORMAT, undo

IBAN = {"type": "string", "description": "Account to pay to."}


def patch(**arguments: Any) -> dict[str, Any]:
    before = copy.deepcopy(FORMAT)
    changed: dict[str, Any] = apply_patch(FORMAT, arguments)["json_schema"]["schema"]
    assert before == FORMAT
    return changed


FIELDS = {
    "total": {"type": "number", "description": "The total."},
    "lines": {
        "type": "array",
        "description": "The lines.",
        "items": {"properties": {"sku": {"type": "string", "description": "The number."}}},
    },
}


def test_it_removes_renames_and_sets_fields_and_columns() -> None:
    changed = patch(
        remove=["due_date", "line_items.sku"],
        rename={"vendor": "supplier", "line_items.amount": "sum"},
        set={"iban": IBAN, "line_items.unit": IBAN},
    )
    assert list(changed["properties"]) == ["supplier", "line_items", "iban"]
    assert list(changed["properties"]["line_items"]["items"]["properties"]) == ["sum", "unit"]
    assert changed["required"] == ["supplier"]


def test_a_new_field_is_required_where_all_are() -> None:
    strict = copy.deepcopy(FORMAT)
    inner = strict["json_schema"]["schema"]
    inner["required"] = list(inner["properties"])
    assert apply_patch(strict, {"set": {"iban": IBAN}})["json_schema"]["schema"]["required"][-1] == "iban"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"remove": ["vendors"]}, "no field 'vendors'. It has: vendor, due_date"),
        ({"remove": ["line_items.sku", "line_items.amount"]}, "the only field there"),
        ({"rename": {"vendor": "due_date"}}, "a field 'due_date' already"),
        ({"rename": {"line_items.sku": "line_items.number"}}, "without the path"),
        ({"set": {"vendor.name": IBAN}}, "no field 'vendor.name'"),
        ({"set": {"iban": "text"}}, "a type and a description"),
        ({"remove": ["vendor"] * (MAX_FIELDS + 1)}, f"{MAX_FIELDS} are the most"),
    ],
)
def test_it_says_what_cannot_be_changed(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Invalid, match=sentence):
        patch(**arguments)


@pytest.mark.django_db
def test_the_card_shows_the_field_and_keeps_the_whole_format(actor: Actor, do: Callable[..., ToolCall]) -> None:
    schema = schemas.create(actor, name="Invoice", response_format=FORMAT)
    call = do("update_schema", schema_id="Invoice", remove=["due_date"])
    assert [(row["kind"], row["name"]) for row in call.preview["field_changes"]] == [("cut", "due_date")]
    assert "remove" not in call.effective and call.effective["response_format"] == apply_patch(
        FORMAT, {"remove": ["due_date"]}
    )
    assert "due_date" not in str(Schema.objects.get().latest.response_format)  # type: ignore[union-attr]
    undo(call)
    assert Schema.objects.get().latest.response_format == schema.response_format  # type: ignore[union-attr]


@pytest.mark.django_db
def test_it_takes_no_whole_format_beside_single_fields(actor: Actor, do: Callable[..., ToolCall]) -> None:
    schemas.create(actor, name="Invoice", response_format=FORMAT)
    both = do("update_schema", schema_id="Invoice", response_format=FORMAT, remove=["vendor"], approve=False)
    assert both.status == "invalid" and "not both" in both.result["error"]


@pytest.mark.parametrize("bare", [{"properties": FIELDS}, {"name": "Bill", "schema": {"properties": FIELDS}}])
def test_a_bare_json_schema_is_completed(bare: dict[str, Any]) -> None:
    whole = wrap_schema(bare, "Supplier invoice")
    inner = check_response_format(whole)
    assert whole["json_schema"]["name"] in ("supplier_invoice", "bill") and whole["json_schema"]["strict"] is True
    assert inner["required"] == ["total", "lines"] and inner["additionalProperties"] is False
    assert inner["properties"]["lines"]["items"]["required"] == ["sku"]
    assert wrap_schema(whole, "x") == whole and wrap_schema({"a": 1}, "x") == {"a": 1}


def test_the_kinds_of_value_checks_stand_where_schemas_are_made() -> None:
    words = registry.find("create_schema").parameters["properties"]["value_checks"]["description"]
    for kind in KINDS.values():
        needed = [f"{each.name}[]" if each.many else each.name for each in kind.parameters if each.required]
        assert f"{kind.kind}(" in words and all(name.removesuffix("[]") in words for name in needed), kind.kind
