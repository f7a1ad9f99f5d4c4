"""A route of /v0 describes itself beside its handler: summary, query and headers, how it is refused.

    @describe("List tags", query=[*describe_window(), *GRID], refusals={400: UNREADABLE_GRID})
    def get(self, request: Request) -> Answer[answers.TagPage]:
        \"""The newest first, unless `sort` says otherwise.\"""

The docstring of the handler, or else that of its view, is the description in the OpenAPI document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeVar

from kit.json_types import Json, JsonObject

H = TypeVar("H", bound=Callable[..., object])
Refusals = Mapping[int, Sequence[str]]


@dataclass(frozen=True)
class Parameter:
    """A parameter of the query or a header; with `codes` a header of the answers that have these."""

    name: str
    words: str
    required: bool = False
    location: ClassVar[str] = "query"
    codes: tuple[int, ...] = field(default=(), kw_only=True)

    @property
    def shape(self) -> JsonObject:
        raise NotImplementedError


@dataclass(frozen=True)
class Text(Parameter):
    default: str | None = None
    format: str | None = None

    @property
    def shape(self) -> JsonObject:
        return _leave_out_none(type="string", default=self.default, format=self.format)


@dataclass(frozen=True)
class Texts(Parameter):
    """A text that may be repeated."""

    @property
    def shape(self) -> JsonObject:
        return {"type": "array", "items": {"type": "string"}}


@dataclass(frozen=True)
class Choice(Parameter):
    allowed: Iterable[str] = field(kw_only=True)

    @property
    def shape(self) -> JsonObject:
        return {"type": "string", "enum": list(self.allowed)}


@dataclass(frozen=True)
class Flag(Parameter):
    """`default` is None where being left out is a third case."""

    default: bool | None = False

    @property
    def shape(self) -> JsonObject:
        return _leave_out_none(type="boolean", default=self.default)


@dataclass(frozen=True)
class Number(Parameter):
    minimum: int = 0
    maximum: int | None = None
    default: int | None = None

    @property
    def shape(self) -> JsonObject:
        return _leave_out_none(type="integer", minimum=self.minimum, maximum=self.maximum, default=self.default)


@dataclass(frozen=True)
class Header(Text):
    location: ClassVar[str] = "header"


def _leave_out_none(**shape: Json) -> JsonObject:
    return {name: value for name, value in shape.items() if value is not None}


def describe_window(default: int = 10, maximum: int | None = 100, rows: str = "Rows") -> list[Parameter]:
    """As `pagination.read_window` reads it."""
    limit = Number("limit", f"{rows} to give.", minimum=1, maximum=maximum, default=default)
    return [Number("skip", f"{rows} to leave out.", default=0), limit]


@dataclass(frozen=True)
class RouteWords:
    """`refusals` are the sentences of each status beside those that any such route can answer; `files` the media types
    of a file of several forms.
    """

    summary: str
    query: Sequence[Parameter] = ()
    refusals: Refusals = field(default_factory=dict)
    files: Sequence[str] = ()


def describe(
    summary: str,
    *,
    query: Sequence[Parameter] = (),
    refusals: Refusals | None = None,
    files: Sequence[str] = (),
) -> Callable[[H], H]:
    def add_words(handler: H) -> H:
        vars(handler)["words"] = RouteWords(summary, query, refusals or {}, files)
        return handler

    return add_words


def get_words(view: type, method: str) -> RouteWords:
    """The words of a handler. A view that inherits it says in `summaries` what is done here."""
    words: RouteWords = getattr(view, method.lower()).words
    summaries: Mapping[str, str] = getattr(view, "summaries", {})
    return replace(words, summary=summaries.get(method, words.summary))
