"""Messages to open pages, over the channel layer, sent on commit. A lost one costs a refresh, never data."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

from kit import group_cache
from kit.processes.background import Background

log = logging.getLogger(__name__)
Message: TypeAlias = tuple[str, Mapping[str, object]]
"""A group, and what its sockets get."""
MESSAGE_TYPE = "page.event"
# To a user's group: what they may see may have changed. It is for the servers of open connections, not for pages.
ACCESS_CHANGED = "access.changed"
_ORGANIZATION = "org."
MAX_SECONDS = 10.0
_background = Background("events")
_muted: ContextVar[str] = ContextVar("muted", default="")


@contextmanager
def mute(group: str) -> Iterator[None]:
    """Inside, this group is told nothing: who changes thousands of rows says so himself, once for many of them."""
    token = _muted.set(group)
    try:
        yield
    finally:
        _muted.reset(token)


def publish(group: str, kind: str, **payload: object) -> None:
    """Sends `{"kind": kind, **payload}` to every socket in the group once the transaction has committed.

    A message to an organization also ends what was remembered of it.
    """
    publish_all([(group, {"kind": kind, **payload})])


def publish_all(messages: Sequence[Message]) -> None:
    """Publish several in their order and in one go: waking the loop for each costs more than a message."""
    muted = _muted.get()
    heard = [message for message in messages if message[0] != muted]
    if heard:
        transaction.on_commit(lambda: _send_all(heard))


def _send_all(messages: Sequence[Message]) -> None:
    for group, _ in messages:
        if group.startswith(_ORGANIZATION):
            group_cache.forget(group)
    _send(messages)


def send_now(group: str, event: Mapping[str, object]) -> None:
    """Sends at once, and in the order of the calls of one thread. From a running event loop use `send_async`.

    On a loop that stays: a loop for each message took 5 ms of work, for a thread and a connection to Redis of its own.
    """
    _send([(group, event)])


def _send(messages: Sequence[Message]) -> None:
    async def send_each() -> None:
        for group, event in messages:
            await send_async(group, event)

    try:
        _background.submit(send_each()).result(MAX_SECONDS)
    except (RedisError, OSError, TimeoutError) as error:
        groups = ", ".join(dict.fromkeys(group for group, _ in messages))
        log.warning("event to %s not sent: %s", groups, error)


async def send_async(group: str, event: Mapping[str, object]) -> None:
    layer = get_channel_layer()
    await layer.group_send(group, {"type": MESSAGE_TYPE, "group": group, "event": dict(event)})


def thread_group(thread_id: str) -> str:
    return f"thread.{thread_id}"


def document_group(document_id: str) -> str:
    return f"document.{document_id}"


def organization_group(organization_id: str) -> str:
    return f"{_ORGANIZATION}{organization_id}"


def member_group(organization_id: str, user_id: object) -> str:
    """The pages of one member."""
    return f"member.{organization_id}.{user_id}"


def user_group(user_id: object) -> str:
    """The open connections of one user, whatever they show."""
    return f"user.{user_id}"


def model_call_group(call_id: str) -> str:
    return f"model_call.{call_id}"
