"""The few kinds of failure that a caller can answer. One handler shapes them for the API, the page and the agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Problem:
    """One thing wrong in an input: where (dotted path, empty for the whole) and a sentence."""

    where: str
    message: str


class AppError(Exception):
    """A failure with a sentence for people. `status` is the HTTP code of the pages and of /v0."""

    status: ClassVar[int] = 400

    def __init__(self, sentence: str, *, problems: Sequence[Problem] = (), code: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.problems = tuple(problems)
        self.code = code


class Invalid(AppError):
    """The input cannot be used as it is."""


class Unauthenticated(AppError):
    status = 401


class OutOfBudget(AppError):
    """The organization's or the turn's budget does not cover the estimated cost."""

    status = 402


class Denied(AppError):
    status = 403


class NotFound(AppError):
    status = 404


class Conflict(AppError):
    """Somebody or something else was first; `winner` says what holds now, as plain JSON."""

    status = 409

    def __init__(self, sentence: str, *, winner: dict[str, object] | None = None, code: str = "") -> None:
        super().__init__(sentence, code=code)
        self.winner = winner


class PreconditionFailed(AppError):
    """It is not as the caller has seen it; `winner` and `etag` say what holds now."""

    status = 412

    def __init__(
        self, sentence: str, *, winner: dict[str, object] | None = None, etag: str = "", code: str = ""
    ) -> None:
        super().__init__(sentence, code=code)
        self.winner = winner
        self.etag = etag


class TooLarge(AppError):
    status = 413


class UnsatisfiableRange(AppError):
    """No byte that was asked for is there; `size` is how many there are."""

    status = 416

    def __init__(self, sentence: str, *, size: int) -> None:
        super().__init__(sentence)
        self.size = size


class DiskFull(AppError):
    """There is no room for what would have to be stored."""

    status = 507


class TooMany(AppError):
    """Too many attempts; `retry_after` is in seconds, `headers` say more of the limit."""

    status = 429

    def __init__(
        self, sentence: str, *, retry_after: float | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(sentence)
        self.retry_after, self.headers = retry_after, headers or {}


class Busy(AppError):
    """Others hold what is needed; the same request may succeed after `retry_after` seconds."""

    status = 503

    def __init__(self, sentence: str, *, retry_after: float = 5.0) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after


class Upstream(AppError):
    """A model provider, a reader or another service that we depend on failed; `retry_after` is in seconds."""

    status = 502

    def __init__(self, sentence: str, *, retry_after: float | None = None, retryable: bool = False) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after
        self.retryable = retryable
