"""A conversation with an outside server: what it needs of rows before, what it leaves in them, and its end in time."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from django.conf import settings

from accounts.models import User
from accounts.services.outbound import fetching
from agent.models import OutsideServer
from agent.outside.tool_texts import ListedTool
from kit.errors import AppError, Invalid
from kit.outbound.fetching import Bounds, Step
from kit.outbound.network import Network
from kit.outbound.targets import parse_target
from kit.rows import sealing

if TYPE_CHECKING:
    from agent.outside.protocol import Conversation, Question, ToolAnswer

MAX_BYTES = 2_000_000
LOOK_SECONDS = 0.25
PURPOSE = "outside tools"


@dataclass(frozen=True)
class Exchange:
    """What came of a conversation. `listed` is None where it broke off before. `was_sent`: a tool's call went out."""

    listed: list[ListedTool] | None
    answer: ToolAnswer | None = None
    failure: AppError | None = None
    was_sent: bool = False


def make_question(name: str, digest: str, arguments: dict[str, object]) -> Question:
    question: Question = importlib.import_module("agent.outside.protocol").Question(name, digest, arguments)
    return question


def converse(
    server: OutsideServer,
    question: Question | None = None,
    *,
    user: User | None,
    is_over: Callable[[], bool] = lambda: False,
    network: Network | None = None,
) -> Exchange:
    """Lists the server's tools, and calls the one that the question names. Outside of transactions.

    Raises an AppError for what keeps it from beginning; how it went then stands in the exchange.
    """
    steps: SimpleQueue[Step] = SimpleQueue()
    conversation = _make_conversation(server, question, steps, network)
    try:
        return _await_end(conversation, is_over)
    finally:
        while (step := _take(steps)) is not None:
            fetching.record_step(step, purpose=PURPOSE, organization=server.organization, user=user)


def _make_conversation(
    server: OutsideServer, question: Question | None, steps: SimpleQueue[Step], network: Network | None
) -> Conversation:
    seconds = float(settings.OUTSIDE_MCP_SECONDS)
    make = importlib.import_module("agent.outside.protocol").Conversation
    if not server.url:
        conversation: Conversation = make(server.name, seconds, command=_find_command(server), question=question)
        return conversation
    fetcher = fetching.make_fetcher(
        server.organization,
        bounds=Bounds(MAX_BYTES, seconds, seconds, max_redirects=0, content_types=frozenset()),
        network=network,
        record=steps.put,
    )
    by_url: Conversation = make(
        parse_target(server.url).host,
        seconds,
        url=server.url,
        headers=_make_headers(server),
        fetcher=fetcher,
        question=question,
    )
    return by_url


def _find_command(server: OutsideServer) -> tuple[str, ...]:
    command: tuple[str, ...] | None = settings.OUTSIDE_MCP_COMMANDS.get(server.command)
    if command is None:
        raise Invalid(f"OUTSIDE_MCP_COMMANDS names no {server.command}; the operator sets it.")
    return command


def _make_headers(server: OutsideServer) -> dict[str, str]:
    if not server.header:
        return {}
    secret = sealing.unseal_key(server.sealed)
    if secret is None:
        raise Invalid(f"The secret of {server.name} cannot be opened any more: enter it again.")
    return {server.header: secret}


def _await_end(conversation: Conversation, is_over: Callable[[], bool]) -> Exchange:
    """In a thread of its own, so that this one keeps the caller's lease and sees when it is to stop."""
    pool = ThreadPoolExecutor(max_workers=1)
    try:
        future = pool.submit(conversation.run)
        while not wait([future], timeout=LOOK_SECONDS).done:
            if is_over():
                conversation.cancel()
                break
        answer = future.result()
    except AppError as error:
        return Exchange(conversation.listed, None, error, conversation.was_sent)
    finally:
        pool.shutdown(wait=False)
    return Exchange(conversation.listed, answer, None, conversation.was_sent)


def _take(steps: SimpleQueue[Step]) -> Step | None:
    try:
        return steps.get_nowait()
    except Empty:
        return None
