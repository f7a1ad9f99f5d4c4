"""Makes the document: drf-spectacular walks the routes; docstrings and `describe` at the handlers say the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from inspect import cleandoc
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse

from accounts.api.access import (
    NOT_A_MEMBER,
    NOT_A_SYSTEM_ADMIN,
    AccountView,
    OpenView,
    OrganizationView,
)
from accounts.api.authentication import NO_CREDENTIALS
from accounts.api.wire.answers import Error, ValidationError
from accounts.api.wire.conditions import UNREADABLE
from accounts.api.wire.described import Parameter, RouteWords, get_words
from accounts.api.wire.responses import ANY, BYTES_OF_ANY, JSON
from accounts.services.tokens import EXPIRED, UNKNOWN
from docrouter.openapi.answers import Shape, StatedAnswer, lines_of, read_stated_answers, register_shapes
from docrouter.openapi.sections import SECTION_OF
from documents.catalog.row_versions import CHANGED
from kit.json_types import JsonObject

_VERBS = {"GET": "Get", "POST": "Send", "PUT": "Change", "PATCH": "Change", "DELETE": "Delete"}
_ERRORS = {
    400: "It cannot be done as asked; the sentence says why.",
    401: "No credentials, or wrong or expired ones.",
    402: "The budget does not cover it. An admin can raise it.",
    403: "Not a member, or the role does not allow it.",
    404: "Not there, or not in this organization.",
    409: "Somebody was first; `winner` is the present state.",
    412: "It has changed since it was read.",
    413: "Larger than what is taken here.",
    415: "Not the kind of body that is taken here.",
    416: "`Range` asks for what is not there; `Content-Range` says how much is.",
    429: "Too many requests; `Retry-After` says in how many seconds there are more.",
    500: "It was tried and failed; the sentence says why.",
    502: "The model's provider failed; the sentence says how.",
    504: "There was no answer in time.",
    507: "There is no room to store it. Whoever runs the installation can make some.",
}
_ETAG = '`"<version>.<digest>"`. The version differs when something differs that a client could overwrite.'
_IF_NONE_MATCH = "ETags that you have. With the one that holds the answer is 304, without a body."
_IF_MATCH = "ETags that you have seen, or `*`. With another version than theirs nothing is done, and the answer is 412."
_RETRY_AFTER = "Seconds until it is worth asking again."
_LOCATION = "Where the result will be."
_ROLE = "This needs the role builder in Acme; yours is viewer."
_TOO_OFTEN = "3,000 requests a minute are taken from one token. Try again in 42 seconds."
_MALFORMED = "The request has the wrong shape."
_TOO_LARGE = "The request is larger than what is taken here."
# Nouns for what is not found when an id in the path is unknown, or of another organization.
_NOUNS = {
    "organization_id": "Organization",
    "document_id": "Document",
    "tag_id": "Tag",
    "schema_id": "Schema",
    "prompt_id": "Prompt",
    "token_id": "Token",
    "run_id": "Run",
    "extraction_id": "Extraction",
    "bulk_action_id": "Bulk action",
    "user_id": "User",
    "members/user_id": "Member",
    "passwords/user_id": "",  # a link is not found by its token
    "invitation_id": "Invitation",
    "name": "Provider",
    "call_id": "Tool call",
    "thread_id": "Thread",
    "turn_id": "Turn",
}
TEXT: Shape = {"type": "string"}
BYTES: Shape = {"type": "string", "format": "binary"}


class OperationSchema(AutoSchema):
    """One operation of the document."""

    view: AccountView  # type: ignore[override]  # as every route of /v0 is
    _answers_of: tuple[str, str] | None = None

    @property
    def words(self) -> RouteWords:
        return get_words(type(self.view), self.method)

    def get_operation_id(self) -> str:
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(self.view).__name__.removesuffix("View")).lower()
        return f"{self.method.lower()}_{name}"

    def get_summary(self) -> str:
        return self.words.summary

    def get_description(self) -> str:  # type: ignore[override]
        """The docstring of the handler, else that of its view, never that of a base class; and who may."""
        handler = vars(type(self.view)).get(self.method.lower())
        own = getattr(handler, "__doc__", None) or vars(type(self.view))["__doc__"] or ""
        return "\n\n".join(filter(None, [cleandoc(own), self._who()]))

    def _who(self) -> str:
        view = self.view
        if isinstance(view, OpenView):
            return "Needs no credentials."
        if not isinstance(view, OrganizationView):
            return "Needs a session or an account token."
        role = f"Needs the role *{view.roles[self.method].value}*."
        return f"{role} System admins need not be members." if view.open_to_system_admins else role

    def get_tags(self) -> list[str]:
        return [SECTION_OF[type(self.view).__module__].name]

    def get_auth(self) -> list[JsonObject]:
        """Any one of them is enough; the generator also collects their definitions."""
        if isinstance(self.view, OpenView):
            return []
        return [{name: []} for together in super().get_auth() for name in together]

    def get_request_serializer(self) -> Any:
        return self.view.bodies.get(self.method)

    def map_parsers(self) -> list[str]:
        """Without the form that cannot carry a file: it is taken only to be refused with what is missing."""
        return [media_type for media_type in super().map_parsers() if media_type != "application/x-www-form-urlencoded"]

    def get_override_parameters(self) -> list[Any]:
        conditions = self._conditions() if self.view.is_conditional else ()
        return [*map(_convert_parameter, self.words.query), *conditions, *self._answer_headers()]

    def _answer_headers(self) -> list[OpenApiParameter]:
        """List the headers without which a program could not go on."""
        is_awaited = any(answer.code == 202 for answer in read_stated_answers(type(self.view), self.method))
        waits = [202, 429] if is_awaited else [429]
        headers = [OpenApiParameter("Retry-After", int, location="header", description=_RETRY_AFTER, response=waits)]
        if is_awaited:
            headers.append(OpenApiParameter("Location", str, location="header", description=_LOCATION, response=[202]))
        return headers

    def _conditions(self) -> list[OpenApiParameter]:
        name, words = ("If-None-Match", _IF_NONE_MATCH) if self.method == "GET" else ("If-Match", _IF_MATCH)
        # Where it was not done, that of what holds now.
        codes = {"GET": [200, 304], "DELETE": [412]}.get(self.method, [200, 412])
        return [
            OpenApiParameter(name, str, location="header", description=words),
            OpenApiParameter("ETag", str, location="header", description=_ETAG, response=codes),
        ]

    def get_response_serializers(self) -> Any:
        """drf-spectacular asks a dozen times for those of each operation."""
        operation = self.path, self.method
        if self._answers_of != operation:
            self._answers_of, self._answers = operation, self._list_answers()
        return self._answers

    def _list_answers(self) -> dict[Any, OpenApiResponse]:
        stated = read_stated_answers(type(self.view), self.method)
        answers = {(answer.code, kind): self._answer(answer) for answer in stated for kind in self._media_types(answer)}
        return {**answers, **dict(sorted(self._failures().items()))}

    def _media_types(self, answer: StatedAnswer) -> list[str]:
        """List those of the route, or two for a file of any type: clients know bytes by the first, and skip an
        answer that has only `*/*`.
        """
        if answer.media_type != ANY:
            return [answer.media_type]
        named = get_words(type(self.view), self.method).files
        return [kind.partition(";")[0] for kind in named] or [BYTES_OF_ANY, ANY]

    def _answer(self, stated: StatedAnswer) -> OpenApiResponse:
        return OpenApiResponse(self._shape(stated) if stated.media_type else None, description=stated.description)

    def _shape(self, stated: StatedAnswer) -> Shape:
        if stated.body is None:
            return TEXT if stated.media_type.startswith("text/") else BYTES
        shape = register_shapes(self.registry, stated.body)
        return shape if stated.media_type == JSON else lines_of(shape, stated)

    def _failures(self) -> dict[Any, OpenApiResponse]:
        failures = {code: self._failure(code, sentences) for code, sentences in self._refusals().items()}
        if self.words.query or self._has_body():
            failures[422] = OpenApiResponse(register_shapes(self.registry, ValidationError), description=_MALFORMED)
        return failures

    def _failure(self, code: int, sentences: Sequence[str]) -> OpenApiResponse:
        more: dict[str, object] = {"winner": {"kind": "approved", "by": "Ada Lovelace"}} if code == 409 else {}
        if sentences == [CHANGED]:
            more = {"winner": {"name": "Invoices 2026"}, "code": "changed"}
        examples = [
            OpenApiExample(sentence, value={"detail": sentence, **more}) for sentence in dict.fromkeys(sentences)
        ]
        return OpenApiResponse(register_shapes(self.registry, Error), description=_ERRORS[code], examples=examples)

    def _refusals(self) -> dict[int, Sequence[str]]:
        """Status to sentences: those of every such route, then the handler's own."""
        refusals: dict[int, list[str]] = {429: [_TOO_OFTEN]}
        if not isinstance(self.view, OpenView):
            refusals[401] = [NO_CREDENTIALS, UNKNOWN, EXPIRED]
        if isinstance(self.view, OrganizationView):
            refusals[403] = [NOT_A_MEMBER, _ROLE]
        elif 401 in refusals and 403 not in self.words.refusals:
            refusals[403] = [NOT_A_SYSTEM_ADMIN]
        if nouns := _list_nouns(self.path):
            refusals[404] = [f"{noun} not found" for noun in reversed(nouns)]
        if self._has_body():
            refusals |= {413: [_TOO_LARGE], 415: ['Unsupported media type "text/plain" in request.']}
        if self.view.is_conditional and self.method != "GET":
            refusals |= {400: [UNREADABLE], 412: [CHANGED]}
        for code, sentences in self.words.refusals.items():
            refusals[code] = [*refusals.get(code, ()), *sentences]
        return dict(refusals)

    def _has_body(self) -> bool:
        return self.method in self.view.bodies


class Credentials(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """A Bearer token wins over an API key; the browser's session needs its CSRF token for changes."""

    target_class = "accounts.api.authentication.TokenOrSession"
    name = ["bearer", "apiKey", "session"]

    def get_security_definition(self, auto_schema: AutoSchema) -> list[Shape]:
        return [
            {
                "type": "http",
                "scheme": "bearer",
                "description": "`org_…` opens one organization, `acc_…` all of yours.",
            },
            {"type": "apiKey", "in": "header", "name": "X-Api-Key"},
            {
                "type": "apiKey",
                "in": "cookie",
                "name": "sessionid",
                "description": "Of a browser. Changes need the cookie `csrftoken` as the header `X-CSRFToken` too.",
            },
        ]


class ExactBody(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """A body that takes its fields and no others."""

    target_class = "accounts.api.wire.fields.ExactSerializer"
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> Shape:
        shape: Shape = auto_schema._map_serializer(  # type: ignore[no-untyped-call]
            self.target, direction, bypass_extensions=True
        )
        return {**shape, "additionalProperties": False}


def _list_nouns(path: str) -> list[str]:
    """Names what the ids of a path stand for, but for those that are not looked up."""
    ids = re.findall(r"(\w+)/{(\w+)}", path)
    nouns = [_NOUNS.get(f"{place}/{name}", _NOUNS.get(name)) for place, name in ids]
    return [noun for noun in nouns if noun]


def _convert_parameter(parameter: Parameter) -> OpenApiParameter:
    return OpenApiParameter(
        parameter.name,
        parameter.shape,
        parameter.location,  # type: ignore[arg-type]  # one of its words
        required=parameter.required,
        description=parameter.words,
        response=list(parameter.codes) or False,
    )
