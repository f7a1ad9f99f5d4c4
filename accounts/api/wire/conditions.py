"""`ETag`, `If-None-Match` and `If-Match` of single resources (RFC 9110, sections 8.8.3 and 13.1).

A tag is `"<version>.<digest>"`. The version differs when something differs that a client could overwrite, the digest
when anything differs that is answered. Changes are refused by the version alone: a document's state goes on changing
while it is read, and a new name for it overwrites none of that.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from django.http import HttpResponseNotModified
from django.utils.http import parse_etags
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from accounts.api.wire.responses import Answer
from kit.errors import Invalid, PreconditionFailed

_TAG = r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"'
_TAGS = re.compile(rf"{_TAG}(?:[ \t]*,[ \t]*{_TAG})*")
T = TypeVar("T")
UNREADABLE = 'The If-Match header cannot be read: send * or ETags with their quotes, such as "7.1f2e3d4c5b6a7988".'


@dataclass(frozen=True)
class Representation(Generic[T]):
    """The answer of a GET of one resource, and the version of what can be changed."""

    body: T
    version: str

    @cached_property
    def content(self) -> bytes:
        """The body as JSON."""
        return bytes(JSONRenderer().render(self.body))

    @cached_property
    def etag(self) -> str:
        digest = hashlib.sha256(self.content).hexdigest()[:16]
        return f'"{self.version}.{digest}"'

    @property
    def headers(self) -> dict[str, str]:
        return {"ETag": self.etag}


class NotModified(HttpResponseNotModified):
    """You have it: nothing has changed."""

    media_type: ClassVar[str] = ""


def answer(now: Representation[T]) -> Answer[T]:
    """The body with its ETag."""
    return Answer(now.body, headers=now.headers)


def answer_unless_known(request: Request, now: Representation[T]) -> Answer[T] | NotModified:
    """Answer with it, or with 304 to a client that has it."""
    return NotModified(headers=now.headers) if is_known(request, now.etag) else answer(now)


def is_known(request: Request, etag: str) -> bool:
    """Whether `If-None-Match` names it."""
    known = [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))]
    return "*" in known or etag in known


def read_expected_versions(request: Request) -> frozenset[str] | None:
    """The versions that `If-Match` names; None without the header and for `*`, which is any version.

    A weak tag names none: with its W/ it is like no tag of ours. Raises Invalid for what is no list of tags.
    """
    named = request.headers.get("If-Match")
    if named is None or named.strip() == "*":
        return None
    return frozenset(tag.strip('"').partition(".")[0] for tag in _read_tags(named))


def names_etag(named: str, etag: str) -> bool:
    """Whether the text of an `If-Match` means this tag. Raises Invalid for what is no list of tags."""
    return named.strip() == "*" or etag in _read_tags(named)


def _read_tags(named: str) -> list[str]:
    if not _TAGS.fullmatch(named.strip()):
        raise Invalid(UNREADABLE, code="if_match")
    return re.findall(_TAG, named)


@contextmanager
def name_winner(read: Callable[[], Representation[Any]]) -> Iterator[None]:
    """A change that comes too late is answered with what holds now."""
    try:
        yield
    except PreconditionFailed as error:
        now = read()
        raise PreconditionFailed(error.sentence, winner=now.body, etag=now.etag, code=error.code) from None
