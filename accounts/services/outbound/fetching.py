"""A request to an address that somebody gave: by the organization's rules, and recorded.

Call `fetch` outside of a transaction: it waits for others, and what it records is to stay whatever comes of it.
Whoever imports this loads an HTTP client; rules and rows are looked after without.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings

from accounts.models import Organization, OutboundRequest, User
from accounts.services.outbound.rules import make_rules
from kit.errors import TooMany
from kit.http import rate_limits
from kit.outbound.fetching import Answer, Bounds, Fetcher, Request, Step
from kit.outbound.network import Network, SystemNetwork


def fetch(
    request: Request,
    *,
    purpose: str,
    organization: Organization | None,
    user: User | None = None,
    bounds: Bounds | None = None,
    network: Network | None = None,
) -> Answer:
    """purpose: in a few words, for the list of requests. organization: none for what no member asks for.

    Raises Invalid, Denied, TooLarge, TooMany, and Upstream where the server fails.
    """
    fetcher = make_fetcher(
        organization,
        bounds=bounds,
        network=network,
        record=lambda step: record_step(step, purpose=purpose, organization=organization, user=user),
    )
    return fetcher.fetch(request)


def make_fetcher(
    organization: Organization | None,
    *,
    bounds: Bounds | None = None,
    network: Network | None = None,
    record: Callable[[Step], object],
) -> Fetcher:
    """For several requests that belong together, which count as one. It needs no database but for `record`."""
    _count(organization)
    return Fetcher(make_rules(organization), bounds or Bounds(), network or SystemNetwork(), record)


def record_step(step: Step, *, purpose: str, organization: Organization | None, user: User | None) -> None:
    OutboundRequest.objects.create(
        organization=organization,
        user=user,
        purpose=purpose[:40],
        method=step.method[:10],
        origin=step.target.origin[:300],
        address=step.address[:60],
        status=step.status,
        size=step.size,
        milliseconds=round(step.seconds * 1000),
        is_denied=step.is_denied,
        reason=step.refusal[:300],
    )


def _count(organization: Organization | None) -> None:
    key = f"outbound:{organization.pk if organization else ''}"
    for quota in rate_limits.count_request([rate_limits.Limit("organization", key, settings.OUTBOUND_PER_MINUTE)]):
        if quota.is_exceeded:
            sentence = f"More than {settings.OUTBOUND_PER_MINUTE} requests to the outside in a minute. Try again later."
            raise TooMany(sentence, retry_after=quota.reset_seconds)
