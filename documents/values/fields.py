"""A field of a schema: its subschema by dotted path, and whether a value fits it, said in plain sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from difflib import get_close_matches
from itertools import islice

import regex
from jsonschema import FormatChecker
from jsonschema.exceptions import ValidationError
from referencing.exceptions import Unresolvable

from documents.values.bounded_checks import (
    MAX_STEPS,
    MAX_VALUE_LEVELS,
    Budget,
    TooDeep,
    TooMuchWork,
    count_nodes,
    iterate_errors,
    list_first,
)
from documents.values.references import resolve_plain
from documents.values.required_names import relax_required
from documents.values.stored import Schema
from kit.errors import Invalid, Problem
from kit.json_types import Json

_KINDS = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a group of fields",
    "null": "empty",
}
_EXAMPLES = {"date": "2026-12-27", "date-time": "2026-12-27T09:30:00Z", "time": "09:30:00Z", "email": "ann@example.org"}
# A document may have ordered both the pattern and the value: a*a*a*a*b takes hours on a short text.
TOO_SLOW = "The patterns of the schema take too long on this value. Write them with fewer repeats."
TOO_MUCH = (
    "The schema and this value together take too much work to check. "
    "Write the schema with fewer $ref, allOf, anyOf and oneOf, or check less at once."
)
TOO_DEEP = f"The value is nested more than {MAX_VALUE_LEVELS} levels deep."
# A field is edited inside of a transaction, which others wait for.
FIELD_STEPS = MAX_STEPS // 10
FIELD_PATTERN_SECONDS = 0.3
_ANYTHING: Schema = {}
_LONG = 40
_MANY = 2000
MAX_NEAREST = 3

formats = FormatChecker(formats=())


@formats.checks("date", raises=ValueError)
def _is_date(value: object) -> bool:
    return not isinstance(value, str) or bool(re.fullmatch(r"\d{4}-\d\d-\d\d", value) and date.fromisoformat(value))


@formats.checks("email")
def _is_email(value: object) -> bool:
    return not isinstance(value, str) or re.fullmatch(r"[^@\s]+@[^@\s]+", value) is not None


def get_properties(schema: Schema, root: Schema) -> dict[str, Schema]:
    properties = resolve_plain(schema, root).get("properties")
    return properties if isinstance(properties, dict) else {}


def get_kind(schema: Schema) -> str:
    """The JSON type besides null; "string" when the schema does not say."""
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return next((str(kind) for kind in kinds if kind != "null"), "null")
    return str(kinds or ("object" if "properties" in schema else "array" if "items" in schema else "string"))


def get_field(schema: Schema, path: str) -> Schema:
    """The subschema at a dotted path, numbers being array positions. Invalid offers the nearest names."""
    here, done = schema, list[str]()
    for name in path.split("."):
        here = resolve_plain(here, schema)
        done.append(name)
        below = _get_child(here, schema, name)
        if below is None:
            raise Invalid(_describe_unknown(here, schema, done, path), code="unknown_path")
        here = below
    return resolve_plain(here, schema)


def _get_child(here: Schema, root: Schema, name: str) -> Schema | None:
    if isinstance(here.get("items"), dict):
        return here["items"] if name.isdecimal() else None
    child = get_properties(here, root).get(name)
    if child is None and isinstance(here.get("additionalProperties"), dict):
        return here["additionalProperties"]  # type: ignore[no-any-return]
    return child


def _describe_unknown(here: Schema, root: Schema, done: list[str], path: str) -> str:
    outer, name = ".".join(done[:-1]), done[-1]
    if isinstance(here.get("items"), dict):
        return f'{outer} is a list: after it comes a position such as 0, not "{name}".'
    near = find_nearest_paths(root, path)
    if near:
        return f"The schema has no field {path}. The nearest are: {', '.join(near)}."
    return f"The schema has no field {path}."


def find_nearest_paths(schema: Schema, path: str) -> list[str]:
    """Fields whose name or path is close to this one; the fields beside it when none is."""
    positions = re.findall(r"(?:^|\.)(\d+)(?=\.|$)", path)
    known = [_fill_positions(where, positions) for where in islice(iterate_paths(schema), _MANY)]
    by_leaf = {where.rpartition(".")[2]: where for where in reversed(known)}
    close = get_close_matches(path, known, MAX_NEAREST, 0.6)
    close += [by_leaf[leaf] for leaf in get_close_matches(path.rpartition(".")[2], list(by_leaf), MAX_NEAREST, 0.6)]
    beside = [where for where in known if where.rpartition(".")[0] == path.rpartition(".")[0]]
    return list(dict.fromkeys(close or beside))[:MAX_NEAREST]


def _fill_positions(where: str, positions: list[str]) -> str:
    given = iter(positions)
    return re.sub(r"\*", lambda _: next(given, "0"), where)


def iterate_paths(schema: Schema) -> Iterator[str]:
    """Every field's dotted path, with * for array positions."""
    return _iterate_inner_paths(schema, schema, (), 0)


def _iterate_inner_paths(here: Schema, root: Schema, path: tuple[str, ...], depth: int) -> Iterator[str]:
    here = resolve_plain(here, root)
    if depth > 20:
        return
    if isinstance(here.get("items"), dict):
        yield from _iterate_inner_paths(here["items"], root, (*path, "*"), depth + 1)
    for name, below in get_properties(here, root).items():
        yield ".".join((*path, name))
        if isinstance(below, dict):
            yield from _iterate_inner_paths(below, root, (*path, name), depth + 1)


def check_value(schema: Schema, path: str, value: Json) -> None:
    """Raises Invalid with one sentence a problem when the value does not fit the field at that path."""
    problems = find_value_problems(schema, path, value)
    if problems:
        raise Invalid(problems[0].message, problems=problems, code="value")


def find_value_problems(schema: Schema, path: str, value: Json) -> list[Problem]:
    """An empty value (None) fits every field that its object does not require.

    What `required` names although no property declares it is not asked for: nobody could give it.
    """
    schema = relax_required(schema)
    target = get_field(schema, path) if path else schema
    if value is None and path and not _is_required(schema, path):
        return []
    budget = Budget(FIELD_STEPS, FIELD_PATTERN_SECONDS) if path else Budget()
    shared: Schema = {name: schema[name] for name in ("definitions", "$defs") if name in schema}
    try:
        count_nodes(value, budget)
        given = _Shapes(schema).leave_out_empty(value, target)
        errors = list(iterate_errors({**target, **shared}, given, formats=formats, budget=budget))
    except Unresolvable as error:
        return [Problem(path, f"The schema cannot be checked: its $ref {error.ref} leads nowhere.")]
    except regex.error as error:
        return [Problem(path, f"The schema cannot be checked: a pattern of it is no regular expression: {error}.")]
    except TimeoutError:
        return [Problem(path, TOO_SLOW)]
    except TooDeep:
        return [Problem(path, TOO_DEEP)]
    except (TooMuchWork, RecursionError):
        return [Problem(path, TOO_MUCH)]
    return [_make_problem(error, path) for error in sorted(errors, key=lambda error: str(error.json_path))]


def find_result_problems(schema: Schema, result: Json) -> list[Problem]:
    """What keeps a whole result from fitting the schema."""
    return find_value_problems(schema, "", result)


def _is_required(schema: Schema, path: str) -> bool:
    outer, _, name = path.rpartition(".")
    parent = get_field(schema, outer) if outer else resolve_plain(schema, schema)
    return name in parent.get("required", ()) or name.isdecimal()


class _Shapes:
    """What the parts of a schema say of fields, looked up once for each part: alternatives may be many, values too."""

    def __init__(self, root: Schema) -> None:
        self.root = root
        self._known: dict[int, tuple[Schema, dict[str, Schema], frozenset[str]]] = {}

    def leave_out_empty(self, value: Json, schema: Schema) -> Json:
        """The value without the empty fields that no object requires."""
        if not isinstance(value, (dict, list)):
            return value
        items, known, required = self._shape_of(schema)
        if isinstance(value, list):
            return [self.leave_out_empty(item, items) for item in value]
        return {
            name: self.leave_out_empty(item, known.get(name, _ANYTHING))
            for name, item in value.items()
            if item is not None or name in required or name not in known
        }

    def _shape_of(self, schema: Schema) -> tuple[Schema, dict[str, Schema], frozenset[str]]:
        if id(schema) not in self._known:
            whole = resolve_plain(schema, self.root)
            items, required = whole.get("items", _ANYTHING), frozenset(whole.get("required", ()))
            shape = items if isinstance(items, dict) else _ANYTHING, get_properties(whole, self.root), required
            self._known[id(schema)] = shape
        return self._known[id(schema)]


def _make_problem(error: ValidationError, path: str) -> Problem:
    where = ".".join([*([path] if path else []), *map(str, error.absolute_path)])
    return Problem(where, f"{where or 'The result'} {_describe_demand(error)}.")


def _describe_demand(error: ValidationError) -> str:
    """What would be right, and what is there instead: "must be text like 2026-12-27, not the number 5"."""
    limit: Json = error.validator_value
    there: Json = error.instance
    value = describe_value(there)
    match error.validator:
        case "type":
            return f"must be {_describe_kind(error)}, not {value}"
        case "format":
            return f"must be text like {_EXAMPLES.get(str(limit), str(limit))}, not {value}"
        case "enum" | "const":
            allowed = limit if isinstance(limit, list) else [limit]
            return f"must be {'one of ' * (len(allowed) > 1)}{list_first(map(str, allowed))}, not {value}"
        case "required":
            return f"must have {list_first(name for name in limit if name not in there)}"
        case "additionalProperties":
            return error.message
        case "minimum" | "exclusiveMinimum":
            return f"must be {'more than' if error.validator != 'minimum' else 'at least'} {limit}, not {value}"
        case "maximum" | "exclusiveMaximum":
            return f"must be {'less than' if error.validator != 'maximum' else 'at most'} {limit}, not {value}"
        case "pattern":
            return f"must match the pattern {limit}, which {value} does not"
        case _:
            return f"does not fit the schema: {error.message[:200]}"


def _describe_kind(error: ValidationError) -> str:
    kinds: Json = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
    about: Json = error.schema
    example = _EXAMPLES.get(str(about.get("format")))
    return " or ".join(f"text like {example}" if kind == "string" and example else _KINDS[kind] for kind in kinds)


def describe_value(value: Json) -> str:
    """A value as a sentence names it, with its kind."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return f"the answer {str(value).lower()}"
    if isinstance(value, (int, float)):
        return f"the number {value:g}" if isinstance(value, float) else f"the number {value}"
    if isinstance(value, str):
        return f'the text "{value[:_LONG]}{"…" * (len(value) > _LONG)}"'
    return _KINDS["array" if isinstance(value, list) else "object"]
