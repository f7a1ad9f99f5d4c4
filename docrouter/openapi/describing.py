"""Makes the document: drf-spectacular walks the routes, `operations` and the docstrings say the rest."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiResponse

from accounts.api.access import OpenView, OrganizationView, UnknownRoute
from docrouter.openapi.operations import OPERATIONS, Operation
from docrouter.openapi.shapes import ANY, SHAPES, Shape, ref

_VERBS = {"GET": "Get", "POST": "Send", "PUT": "Change", "PATCH": "Change", "DELETE": "Delete"}
_ERRORS = {
    400: "It cannot be done as asked; the sentence says why.",
    401: "No credentials, or wrong or expired ones.",
    403: "Not a member, or the role does not allow it.",
    404: "Not there, or not in this organization.",
    409: "Somebody was first; `winner` says what holds now.",
    413: "Larger than what is taken here.",
}
_PLACES = {
    "access_tokens": "Access tokens", "token": "Access tokens", "organizations": "Organizations", "users": "Users",
    "llm": "Extraction", "ocr": "Reading", "tool_calls": "Agent",
}  # fmt: skip


class Schema(AutoSchema):
    """One operation of the document."""

    @property
    def said(self) -> Operation:
        return OPERATIONS.get((type(self.view), self.method), Operation())

    def get_operation_id(self) -> str:
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(self.view).__name__).lower()
        return f"{self.method.lower()}_{name}"

    def get_summary(self) -> str:
        words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(self.view).__name__).lower()
        return self.said.summary or f"{_VERBS[self.method]} {words}"

    def get_description(self) -> str:  # type: ignore[override]
        """The docstring of the view itself, never that of its base class, and the role that is needed."""
        own = cleandoc(type(self.view).__dict__.get("__doc__") or "")
        view = self.view
        role = f"Needs the role *{view.roles[self.method].value}*." if isinstance(view, OrganizationView) else ""
        return "\n\n".join(filter(None, [own, role]))

    def get_tags(self) -> list[str]:
        segments = [part for part in self.path.split("/") if part and not part.startswith("{")]
        place = segments[2] if len(segments) > 2 else segments[-1]
        return [_PLACES.get(place, place.replace("_", " ").capitalize())]

    def get_auth(self) -> list[dict[str, Any]]:
        """Any one of them is enough; the generator also collects their definitions."""
        if isinstance(self.view, OpenView):
            return []
        return [{name: []} for together in super().get_auth() for name in together]

    def get_request_serializer(self) -> Any:
        has_body = self.method in ("POST", "PUT") and not self._is_bodiless()
        return self.said.body or ({"application/json": ANY} if has_body else None)

    def get_override_parameters(self) -> list[Any]:
        return list(self.said.query)

    def get_response_serializers(self) -> Any:
        said = self.said
        good = OpenApiResponse(said.answer or ({"type": "string", "format": "binary"} if said.media_type else ANY))
        codes = {code: OpenApiResponse(ref("Error"), description=text) for code, text in self._errors().items()}
        codes[422] = OpenApiResponse(ref("ValidationError"), description="The request has the wrong shape.")
        first: Any = (200, said.media_type) if said.media_type else 200
        return {first: good, **codes, **{code: OpenApiResponse(shape) for code, shape in said.more}}

    def _is_bodiless(self) -> bool:
        """Their bodies are ignored."""
        return "/llm/run/" in self.path or "/ocr/run/" in self.path

    def _errors(self) -> dict[int, str]:
        wanted = {400, 404} if isinstance(self.view, OpenView) else {400, 401, 403, 404}
        if self.method in ("POST", "PUT"):
            wanted |= {409, 413}
        return {code: _ERRORS[code] for code in sorted(wanted)}


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
            {"type": "apiKey", "in": "cookie", "name": "sessionid"},
        ]


def only_routes(endpoints: list[tuple[str, str, str, Any]]) -> list[tuple[str, str, str, Any]]:
    """Without the catch-all, which is no route, and without the routes of the description itself."""
    hidden = (UnknownRoute.__name__, "OpenApiDocument")
    return [entry for entry in endpoints if entry[3].cls.__name__ not in hidden]


def with_shapes(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Adds the shapes that the operations refer to."""
    result["components"]["schemas"] = dict(sorted({**result["components"]["schemas"], **SHAPES}.items()))
    return result
