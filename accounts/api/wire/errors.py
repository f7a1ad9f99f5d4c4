"""One shape for every failure under /v0: `{"detail": sentence}`, or for a malformed request the 422 list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

from accounts.api.authentication import NO_CREDENTIALS
from accounts.api.wire.answers import Error, Fault, ValidationError
from kit.errors import AppError, Conflict, OutOfBudget, PreconditionFailed, TooMany, UnsatisfiableRange

MAX_MESSAGE = 500
UNREADABLE_FORM = "The form cannot be read. Let the client write its Content-Type, with the boundary."
Location = tuple[str | int, ...]
# DRF's codes in the words that the published clients know.
_TYPES = {
    "required": "missing",
    "null": "none_not_allowed",
    "blank": "string_too_short",
    "max_length": "string_too_long",
    "min_length": "string_too_short",
    "max_value": "less_than_equal",
    "min_value": "greater_than_equal",
    "invalid_choice": "enum",
    "string_type": "string_type",
    "extra_forbidden": "extra_forbidden",
    "not_a_list": "list_type",
    "not_a_dict": "dict_type",
}
# Fields whose values are not sent back: clients log what they are answered.
_SECRETS = ("password", "old_password", "token")


class Unprocessable(exceptions.APIException):
    """A request whose shape is wrong: 422 with one entry for each fault."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__()
        self.faults = list(faults)


def make_fault(where: str, name: str | int, message: str, value: object = None, *, type: str = "value_error") -> Fault:
    """`where` is "body", "query" or "path"."""
    return Fault(type=type, loc=[where, name], msg=message, input=value)


def handle(error: Exception, context: Mapping[str, object]) -> Response | None:
    """Django REST framework's exception handler. None lets an unexpected error become a logged 500."""
    set_rollback()
    if isinstance(error, AppError):
        return Response(body(error), status=error.status, headers=headers(error))
    if isinstance(error, Http404):
        return Response(Error(detail="Not Found"), status=404)
    if isinstance(error, RequestDataTooBig):
        return Response(Error(detail="The request is larger than what is taken here."), status=413)
    if isinstance(error, exceptions.APIException):
        return _from_framework(error, context)
    return None


def body(error: AppError) -> Error:
    """The JSON of an AppError, for the framework's views and for plain ones."""
    shaped: Error = {"detail": error.sentence}
    if isinstance(error, OutOfBudget):
        shaped["detail"] = f"Insufficient SPU credits: {error.sentence}"
    if error.problems:
        shaped["problems"] = [{"where": problem.where, "message": problem.message} for problem in error.problems]
    if isinstance(error, Conflict | PreconditionFailed) and error.winner is not None:
        shaped["winner"] = error.winner
    if error.code:
        shaped["code"] = error.code
    return shaped


def headers(error: AppError) -> dict[str, str]:
    if isinstance(error, PreconditionFailed):
        return {"ETag": error.etag} if error.etag else {}
    if isinstance(error, UnsatisfiableRange):
        return {"Content-Range": f"bytes */{error.size}"}
    limits = error.headers if isinstance(error, TooMany) else {}
    retry_after = getattr(error, "retry_after", None)
    return {**limits, "Retry-After": str(max(1, round(retry_after)))} if retry_after else {**limits}


def _from_framework(error: exceptions.APIException, context: Mapping[str, Any]) -> Response:
    if isinstance(error, Unprocessable):
        return Response(ValidationError(detail=error.faults), status=error.status_code)
    if isinstance(error, exceptions.ValidationError):
        return Response(ValidationError(detail=_faults(error, context)), status=422)
    if isinstance(error, exceptions.ParseError):
        is_form = str(context["request"].content_type).startswith("multipart/")
        kind, message = ("form_invalid", UNREADABLE_FORM) if is_form else ("json_invalid", "JSON decode error")
        parse = make_fault("body", 0, message, {}, type=kind)
        parse["ctx"] = {"error": str(error.detail)}
        return Response(ValidationError(detail=[parse]), status=422)
    if isinstance(error, exceptions.NotAuthenticated):
        return Response(Error(detail=NO_CREDENTIALS), status=401, headers={"WWW-Authenticate": "Bearer"})
    if isinstance(error, exceptions.MethodNotAllowed):
        allowed = ", ".join(context["view"].allowed_methods)
        return Response(Error(detail="Method Not Allowed"), status=405, headers={"Allow": allowed})
    known = {"WWW-Authenticate": "Bearer"} if error.status_code == 401 else {}
    return Response(Error(detail=str(error.detail)), status=error.status_code, headers=known)


def _faults(error: exceptions.ValidationError, context: Mapping[str, Any]) -> list[Fault]:
    request = context.get("request")
    sent = request.data if request is not None else None
    return list(_walk(error.detail, ("body",), sent))


def _walk(detail: object, loc: Location, sent: object) -> list[Fault]:
    if isinstance(detail, Mapping):
        return [
            problem
            for name, inner in detail.items()
            for problem in _walk(inner, loc if name == "non_field_errors" else (*loc, name), _inside(sent, name))
        ]
    if isinstance(detail, list) and any(isinstance(entry, Mapping) for entry in detail):
        return [problem for at, inner in enumerate(detail) for problem in _walk(inner, (*loc, at), _inside(sent, at))]
    entries = detail if isinstance(detail, list) else [detail]
    return [_fault(entry, loc, sent) for entry in entries]


def _fault(entry: object, loc: Location, sent: object) -> Fault:
    code = getattr(entry, "code", "invalid")
    value = None if _may_be_secret(code, loc) else shorten_input(sent)
    # The framework repeats in the sentence what was sent, however long.
    message = sentence if len(sentence := str(entry)) <= MAX_MESSAGE else f"{sentence[:MAX_MESSAGE]}…"
    return Fault(type=_TYPES.get(code, "value_error"), loc=list(loc), msg=message, input=value)


def _may_be_secret(code: str, loc: Location) -> bool:
    """Also the value of a name that nobody knows, such as a mistyped one, and a text in the place of an object."""
    has_name = isinstance(loc[-1], str) and loc != ("body",)
    return loc[-1] in _SECRETS or code == "extra_forbidden" or (code == "invalid" and not has_name)


def _inside(sent: object, name: str | int) -> object:
    """Find the value under this name; for a missing name the whole, as the published clients expect."""
    if isinstance(sent, Mapping):
        return sent.get(name, sent)
    if isinstance(sent, list) and isinstance(name, int) and name < len(sent):
        return sent[name]
    return sent


def shorten_input(sent: object) -> object:
    """Files and long texts are not sent back."""
    if isinstance(sent, str):
        return sent[:200]
    return sent if isinstance(sent, int | float | bool | type(None)) else {}
