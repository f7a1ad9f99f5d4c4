"""Places for calls: a provider gets no more of them at once than it may have."""

from __future__ import annotations

from django.conf import settings
from django.db import connection
from django.db.models import Count, QuerySet
from django.utils import timezone

from llm.client.failures import describe as describe_failure
from llm.client.providers import list_prefixes
from llm.models import Reservation


def require_free_slot(provider: str) -> None:
    """Calls of all processes are counted by their rows, one process after the other."""
    maximum = _get_concurrency_limit(provider)
    if not maximum:
        return
    # The budget's lock is one organization's, and the provider is everybody's: of two that count at once both would
    # take the last place. SQLite lets no other write in the meantime.
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"docrouter.provider.{provider}"])
    if _list_open().filter(provider=provider).count() >= maximum:
        raise describe_failure("busy", f"{provider}/", retryable=True, retry_after=1)


def _get_concurrency_limit(provider: str) -> int:
    limits: dict[str, int] = settings.PROVIDER_CONCURRENCY
    return 0 if provider == "offline" else limits.get(provider, limits.get("", 0))


def _list_open() -> QuerySet[Reservation]:
    return Reservation.objects.filter(status=Reservation.Status.OPEN, expires_at__gt=timezone.now())


def list_full_prefixes() -> list[str]:
    """List the beginnings of model names whose providers have as many calls under way as they may have."""
    if not settings.PROVIDER_CONCURRENCY:
        return []
    counted = _list_open().values("provider").annotate(number=Count("pk")).values_list("provider", "number")
    full = [provider for provider, number in counted if 0 < _get_concurrency_limit(provider) <= number]
    return [prefix for provider in full for prefix in list_prefixes(provider)]
