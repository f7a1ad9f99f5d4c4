"""Bodies of schemas, as clients send them."""

from __future__ import annotations

from collections.abc import Mapping

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api.wire.errors import Unprocessable, make_fault
from accounts.api.wire.fields import RequestBody, StrictTextField
from documents.checks.definitions import MAX_CHECKS
from documents.checks.kinds import KINDS
from documents.definitions import schema_rules
from kit.json_types import JsonObject


@extend_schema_field(
    {
        "type": "object",
        "properties": {
            "type": {"const": "json_schema"},
            "json_schema": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "pattern": f"^[A-Za-z0-9_-]{{1,{schema_rules.MAX_NAME}}}$"},
                    "schema": {"type": "object", "description": "A JSON Schema (draft 7) of an object."},
                    "strict": {"type": "boolean"},
                },
                "required": ["name", "schema"],
            },
        },
        "required": ["type", "json_schema"],
    }
)
class ResponseFormatField(serializers.JSONField):
    """The rules of schemas check it."""


@extend_schema_field(
    {
        "type": "array",
        "maxItems": MAX_CHECKS,
        "items": {
            "type": "object",
            "properties": {"kind": {"type": "string", "enum": list(KINDS)}},
            "required": ["kind"],
            "additionalProperties": True,
        },
    }
)
class ValueChecksField(serializers.JSONField):
    """What must hold between the values of an extraction; the kinds of checks read their own parameters."""


class SchemaConfig(RequestBody):
    name = StrictTextField()
    response_format = ResponseFormatField()
    value_checks = ValueChecksField(required=False, allow_null=True)


class SchemaChange(RequestBody):
    """Null is as good as absent."""

    name = StrictTextField(required=False, allow_null=True)
    response_format = ResponseFormatField(required=False, allow_null=True)
    value_checks = ValueChecksField(required=False, allow_null=True)


class SchemaData(RequestBody):
    """`{"data": …}`; the published Python client sends what it is given, so data without the envelope counts too."""

    data = serializers.DictField()  # type: ignore[assignment]

    def to_internal_value(self, sent: object) -> JsonObject:
        if not isinstance(sent, Mapping) or not sent:
            raise Unprocessable([make_fault("body", "data", "Field required", {}, type="missing")])
        data = sent.get("data", sent)
        if not isinstance(data, Mapping):
            message = "Input should be a valid dictionary: a schema describes an object"
            raise Unprocessable([make_fault("body", "data", message, {}, type="dict_type")])
        return {"data": data}
