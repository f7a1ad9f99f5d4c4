"""Names for JSON whose form no type says: anything, an object, a JSON Schema."""

from typing import Any, TypeAlias

Json: TypeAlias = Any
"""Plain JSON: None, bool, int, float, str, list, dict with text keys."""

JsonObject: TypeAlias = dict[str, Any]

JsonSchema: TypeAlias = dict[str, Any]
