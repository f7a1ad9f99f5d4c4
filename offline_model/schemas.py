"""JSON Schemas as people and tools write them: types, properties, and which of them may be null."""

Schema = dict[str, object]
Json = dict[str, object]


def list_properties(schema: Schema) -> dict[str, Schema]:
    """Without the lines that are asked beside the values: it names none."""
    properties = schema.get("properties")
    named = properties.items() if isinstance(properties, dict) else ()
    return {name: part for name, part in named if isinstance(part, dict) and name != "_lines"}


def list_required(schema: Schema) -> list[str]:
    names = schema.get("required")
    return [str(name) for name in names] if isinstance(names, list) else []


def resolve(part: Schema, root: Schema) -> Schema:
    """The schema behind a `$ref` and in the only choice that is not null; its own description stays."""
    own = {key: value for key, value in part.items() if key in ("title", "description")}
    choices = part.get("anyOf") or part.get("oneOf") or part.get("allOf")
    reference = part.get("$ref")
    if isinstance(reference, str):
        target: object = root
        for key in reference.removeprefix("#/").split("/"):
            target = target.get(key) if isinstance(target, dict) else None
        return {**resolve(target, root), **own} if isinstance(target, dict) else part
    real = (
        [choice for choice in choices if isinstance(choice, dict) and choice.get("type") != "null"]
        if isinstance(choices, list)
        else []
    )
    if len(real) == 1:
        inner = resolve(real[0], root)
        return {**part, **{key: value for key, value in inner.items() if key not in own}, "anyOf": choices}
    return part


def get_type(part: Schema) -> str:
    """The type apart from null; looks into anyOf as generated schemas write optional fields."""
    kind, choices = part.get("type"), part.get("anyOf")
    if isinstance(kind, list):
        return next((str(t) for t in kind if t != "null"), "null")
    if kind is None and isinstance(choices, list):
        return next((t for t in map(get_type, choices) if t != "null"), "string")
    return str(kind or ("object" if "properties" in part else "string"))


def may_be_null(part: Schema) -> bool:
    kind, choices = part.get("type"), part.get("anyOf")
    if isinstance(choices, list):
        return any(isinstance(choice, dict) and choice.get("type") == "null" for choice in choices)
    return kind == "null" or (isinstance(kind, list) and "null" in kind)


def get_empty_value(part: Schema) -> object:
    # A required text with nothing to put in is left empty: the one answer that is valid and claims nothing.
    empty: dict[str, object] = {"string": "", "array": [], "object": {}}
    return None if part.get("enum") else empty.get(get_type(part))
