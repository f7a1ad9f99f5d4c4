"""Single fields of a schema set, removed and renamed, so that a small change needs no whole response_format."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable

from agent.tools.definitions.value_checks import get_inner
from kit.errors import Invalid
from kit.json_types import Json, JsonObject, JsonSchema

PARTS = ("set", "remove", "rename")
MAX_FIELDS, MAX_NAME = 200, 60
BOTH = "Give either the whole response_format or set, remove and rename, not both."


def wrap_schema(value: Json, name: str) -> Json:
    """The response_format of a bare JSON Schema, also with a name around it; anything else as it is."""
    if not isinstance(value, dict) or "json_schema" in value:
        return value
    inner = value.get("schema", value)
    if not isinstance(inner, dict) or "properties" not in inner:
        return value
    called = re.sub(r"\W+", "_", str(value.get("name") or name).lower()).strip("_")[:MAX_NAME] or "values"
    schema = {"name": called, "strict": True, "schema": _complete(inner)}
    return {"type": "json_schema", "json_schema": schema}


def _complete(schema: Json) -> Json:
    """Each object says its type, that all its properties are named, and that there are no others."""
    if not isinstance(schema, dict):
        return schema
    whole = {name: _complete(each) if name == "items" else each for name, each in schema.items()}
    if isinstance(properties := schema.get("properties"), dict):
        whole["properties"] = {name: _complete(each) for name, each in properties.items()}
        whole = {"type": "object", "required": list(properties), "additionalProperties": False, **whole}
    return whole


def write_out_format(response_format: JsonObject, arguments: JsonObject) -> JsonObject:
    """The arguments with the whole new format in the place of changes of single fields."""
    plain = {name: value for name, value in arguments.items() if name not in PARTS}
    if "response_format" in plain:
        plain["response_format"] = wrap_schema(plain["response_format"], response_format["json_schema"]["name"])
    if plain.keys() == arguments.keys():
        return plain
    if "response_format" in plain:
        raise Invalid(BOTH)
    return {**plain, "response_format": apply_patch(response_format, arguments)}


def apply_patch(response_format: JsonObject, arguments: JsonObject) -> JsonObject:
    """The changed copy: removed first, then renamed, then set. Raises Invalid for what is not there."""
    patched: JsonObject = copy.deepcopy(response_format)
    root = get_inner(patched)
    count = sum(len(arguments.get(part) or ()) for part in PARTS)
    if count > MAX_FIELDS:
        raise Invalid(f"There are {count} changes of fields; {MAX_FIELDS} are the most. Give the response_format.")
    for path in arguments.get("remove") or []:
        _remove(*_find_object(root, path, must_exist=True), path)
    for path, name in (arguments.get("rename") or {}).items():
        _rename(*_find_object(root, path, must_exist=True), name)
    for path, field in (arguments.get("set") or {}).items():
        _set(*_find_object(root, path, must_exist=False), field)
    return patched


def _find_object(root: JsonSchema, path: str, *, must_exist: bool) -> tuple[JsonSchema, str]:
    """The object that holds the last name of the path, and that name; columns of a list stand behind its name."""
    *groups, name = path.split(".")
    here = root
    for group in groups:
        field = here.get("properties", {}).get(group, {})
        here = field.get("items", field)
    properties = here.get("properties")
    if not isinstance(properties, dict) or (must_exist and name not in properties):
        names = ", ".join(list(root.get("properties", {}))[:20])
        raise Invalid(f"The schema has no field {path[:60]!r}. It has: {names}. Columns are written as list.column.")
    return here, name


def _remove(here: JsonSchema, name: str, path: str) -> None:
    if len(here["properties"]) == 1:
        raise Invalid(f"{path[:60]!r} is the only field there. Remove what holds it, or set another one first.")
    del here["properties"][name]
    _change_required(here, lambda required: [each for each in required if each != name])


def _rename(here: JsonSchema, name: str, new: object) -> None:
    if not isinstance(new, str) or not new or "." in new:
        raise Invalid(f"The new name of {name[:60]!r} has to be one name in snake_case, without the path.")
    if new in here["properties"] and new != name:
        raise Invalid(f"There is a field {new[:60]!r} already.")
    here["properties"] = {new if each == name else each: field for each, field in here["properties"].items()}
    _change_required(here, lambda required: [new if each == name else each for each in required])


def _set(here: JsonSchema, name: str, field: object) -> None:
    """A new field is required where all others are."""
    if not isinstance(field, dict):
        raise Invalid(f"{name[:60]!r} needs an object with a type and a description.")
    are_all_required = set(here.get("required", ())) >= set(here["properties"])
    if are_all_required and name not in here["properties"]:
        _change_required(here, lambda required: [*required, name])
    here["properties"][name] = field


def _change_required(here: JsonSchema, change: Callable[[list[str]], list[str]]) -> None:
    if "required" in here:
        here["required"] = change(here["required"])
