"""Calls for several documents at once: each in a thread of its own, under one deadline, until somebody stops them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from threading import Event
from typing import TypeVar

from django.db import connection

from kit.errors import AppError, OutOfBudget
from kit.json_types import JsonObject
from llm.client import Cancelled, ChatMessage, ModelAnswer, ModelRequest, ask
from llm.client.failures import describe
from llm.client.wordless.reranking import rerank
from llm.money.spending import BudgetAccount

K = TypeVar("K")
MAX_AT_ONCE = 4
OFFLINE = "offline/"
LOOK_SECONDS = 0.25
# With less time than this a call is not begun.
MIN_SECONDS = 1.0


@dataclass(frozen=True)
class Reader:
    """The model that reads, who pays, until when (on the monotonic clock), and whether somebody has stopped it.

    `max_wait_seconds`: for a provider that asks for patience, where the caller waits longer ones by itself.
    """

    model: str
    account: BudgetAccount
    until: float
    cancelled: Callable[[], bool]
    max_wait_seconds: float | None = None

    @property
    def is_offline(self) -> bool:
        return self.model.startswith(OFFLINE)

    def rerank(self, question: str, texts: Sequence[str]) -> list[int]:
        """The places of the texts, the best first. Raises ModelFailed, OutOfBudget or Cancelled."""
        left = self._count_left()
        account, cancelled = self.account, self.cancelled
        return rerank(self.model, question, texts, account=account, deadline_seconds=left, cancelled=cancelled).places

    def _count_left(self) -> float:
        left = self.until - time.monotonic()
        if left < MIN_SECONDS:
            raise describe("deadline", self.model)
        return left

    def ask(self, prompt: Prompt, cancelled: Callable[[], bool]) -> ModelAnswer:
        request = ModelRequest(
            self.model,
            prompt.messages,
            response_format=prompt.response_format,
            max_tokens=prompt.max_tokens,
            deadline_seconds=self._count_left(),
            max_wait_seconds=self.max_wait_seconds,
        )
        return ask(request, account=self.account, cancelled=cancelled)


@dataclass(frozen=True)
class Prompt:
    system: str
    user: str
    max_tokens: int
    response_format: JsonObject | None = None

    @property
    def messages(self) -> list[ChatMessage]:
        return [{"role": "system", "content": self.system}, {"role": "user", "content": self.user}]


def ask_each(reader: Reader, prompts: Mapping[K, Prompt]) -> Iterator[tuple[K, ModelAnswer | AppError]]:
    """As they come; a failure stands in the place of its answer. Raises Cancelled once the reader is.

    When the money has ended no further call is begun.
    """
    if not prompts:
        return
    run = _Run(reader)
    with ThreadPoolExecutor(MAX_AT_ONCE, thread_name_prefix="read") as pool:
        waiting: dict[Future[ModelAnswer | AppError], K] = {
            pool.submit(run.ask, prompt): key for key, prompt in prompts.items()
        }
        try:
            while waiting:
                done, _ = wait(waiting, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED)
                for future in done:
                    yield waiting.pop(future), future.result()
                if waiting and reader.cancelled():
                    raise Cancelled
        finally:
            run.stop.set()


@dataclass
class _Run:
    reader: Reader
    stop: Event = field(default_factory=Event)
    spent: OutOfBudget | None = None

    def ask(self, prompt: Prompt) -> ModelAnswer | AppError:
        try:
            return self.spent or self.reader.ask(prompt, self.stop.is_set)
        except OutOfBudget as error:
            self.spent = error
            return error
        except AppError as error:
            return error
        finally:
            connection.close()
