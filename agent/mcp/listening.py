"""Streams on which a client hears that a card has changed: `subscriptions/listen` of 2026-07-28 (SEP-2575).

A stream looks at the rows every two seconds, in whichever process it was opened: there is nothing that could be lost
between processes, and nothing to replay. It says that a card changed, never what a person may decide there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    ResourceUpdatedNotification,
    ResourceUpdatedNotificationParams,
    ServerNotification,
    SubscriptionFilter,
    SubscriptionsAcknowledgedNotification,
    SubscriptionsAcknowledgedNotificationParams,
)

from agent.mcp import requests, resources
from agent.mcp.requests import Caller
from kit.errors import NotFound

MAX_CARDS, MAX_STREAMS = 20, 100
SECONDS_BETWEEN_LOOKS = 2.0
LONGEST_SECONDS = 1800.0
"""Then the stream ends as it should, and the client opens another."""
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
States = dict[str, str]


_open: set[object] = set()


@contextmanager
def open_stream() -> Iterator[None]:
    """Counts the streams of this process."""
    if len(_open) >= MAX_STREAMS:
        sentence = f"{MAX_STREAMS} streams are open here, which is the most. Ask get_decision instead."
        raise MCPError(code=INTERNAL_ERROR, message=sentence)
    stream = object()
    _open.add(stream)
    try:
        yield
    finally:
        _open.discard(stream)


def read_states(caller: Caller, addresses: Sequence[str]) -> States:
    """What the client would read at each address of a card of its own; others are left out. Raises an AppError once
    its token has ended.
    """
    requests.check_access(caller)
    states: States = {}
    for address in addresses[:MAX_CARDS]:
        call_id = resources.find_card(address)
        try:
            states[address] = json.dumps(requests.look_up(caller, {"call_id": call_id}))
        except NotFound:
            continue
    return states


def list_changed(before: States, now: States) -> list[str]:
    return [address for address in before if before[address] != now.get(address)]


def acknowledge(addresses: Sequence[str], stream_id: object) -> ServerNotification:
    honored = SubscriptionFilter(resource_subscriptions=list(addresses) or None)
    params = SubscriptionsAcknowledgedNotificationParams(notifications=honored, _meta={SUBSCRIPTION: stream_id})
    return SubscriptionsAcknowledgedNotification(params=params)


def tell_changed(address: str, stream_id: object) -> ServerNotification:
    params = ResourceUpdatedNotificationParams(uri=address, _meta={SUBSCRIPTION: stream_id})
    return ResourceUpdatedNotification(params=params)
