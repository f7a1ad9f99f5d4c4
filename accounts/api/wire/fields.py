"""Values on the wire: texts that are texts, and the ways in which clients spell booleans."""

from __future__ import annotations

from collections.abc import Mapping

from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.wire.errors import Unprocessable, make_fault

_TRUE, _FALSE = {"true", "1", "yes", "on"}, {"false", "0", "no", "off"}


class StrictTextField(serializers.CharField):
    """JSON's own texts: a number is not taken for one."""

    default_error_messages = {"string_type": "Input should be a valid string"}

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str):
            self.fail("string_type")
        return str(super().to_internal_value(data))


class TrueOrFalse(serializers.BooleanField):
    """JSON's own two values: nothing is guessed from a word or a number."""

    def to_internal_value(self, data: object) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return bool(data)


class RequestBody(serializers.Serializer[None]):
    """The fields of a request's body. It makes no row: the services do."""


class ExactSerializer(RequestBody):
    """A body with these fields and no others: what is misspelt is not left out without a word."""

    def to_internal_value(self, data: object) -> object:
        if isinstance(data, Mapping) and (unknown := [name for name in data if name not in self.fields]):
            raise serializers.ValidationError(
                {str(name): "Extra inputs are not permitted" for name in unknown}, code="extra_forbidden"
            )
        return super().to_internal_value(data)


def read_flag(request: Request, name: str, default: bool) -> bool:
    """A boolean of the query: Python clients send True, TypeScript clients true. Raises Unprocessable."""
    sent = request.query_params.get(name)
    if sent is None or sent == "":
        return default
    if sent.lower() not in _TRUE | _FALSE:
        message = "Input should be a valid boolean, unable to interpret input"
        raise Unprocessable([make_fault("query", name, message, sent, type="bool_parsing")])
    return sent.lower() in _TRUE


def read_number(
    request: Request, name: str, default: int | None, *, minimum: int | None = None, maximum: int | None = None
) -> int | None:
    """A whole number of the query within its limits. Raises Unprocessable."""
    sent = request.query_params.get(name)
    if sent is None or sent == "":
        return default
    try:
        value = int(sent)
    except ValueError:
        message = "Input should be a valid integer, unable to parse string as an integer"
        raise Unprocessable([make_fault("query", name, message, sent, type="int_parsing")]) from None
    if minimum is not None and value < minimum:
        message = f"Input should be greater than or equal to {minimum}"
        raise Unprocessable([make_fault("query", name, message, sent, type="greater_than_equal")])
    if maximum is not None and value > maximum:
        message = f"Input should be less than or equal to {maximum}"
        raise Unprocessable([make_fault("query", name, message, sent, type="less_than_equal")])
    return value


def read_choice(request: Request, name: str, default: str, allowed: tuple[str, ...]) -> str:
    """One of the `allowed`, or the default where none is sent. Raises Unprocessable."""
    sent = request.query_params.get(name)
    if not sent:
        return default
    if sent not in allowed:
        message = f"Input should be {' or '.join(repr(value) for value in allowed)}"
        raise Unprocessable([make_fault("query", name, message, sent, type="enum")])
    return sent


def read_list(request: Request, name: str) -> list[str]:
    return split_list(request.query_params.get(name, ""))


def split_list(sent: str) -> list[str]:
    """The parts of a comma-separated text that are not empty."""
    return [part.strip() for part in sent.split(",") if part.strip()]
