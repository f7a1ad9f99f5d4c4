"""Keys of model providers that a system admin stored here. They win over those of the environment."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.services import audit
from kit import jobs
from kit.errors import Denied, Invalid
from kit.jobs import Job
from kit.rows.fixed_select import FixedSelect
from kit.rows.sealing import reseal_key, seal_key, unseal_key
from llm.client.providers import Provider, find_provider, read_env_key
from llm.models import LanguageModel, ProviderKey

LONGEST_KEY = 4096
SHORTEST_WITH_SUFFIX = 16  # of a shorter one the last characters would give too much away


@transaction.atomic
def store(admin: User, *, provider: Provider, key: str) -> ProviderKey:
    """Keeps the key, sealed, in the place of an earlier one. Raises Denied, or Invalid for what cannot be a key."""
    _require_system_admin(admin)
    key = key.strip()
    if not provider.key_setting:
        raise Invalid(f"{provider.title} needs no key.")
    if not provider.takes_stored_key:
        raise Invalid(f"{provider.title} takes its keys from the environment only: set {provider.key_setting}.")
    if not key or len(key) > LONGEST_KEY or not (key.isascii() and key.isprintable()) or " " in key:
        raise Invalid(f"A key is 1 to {LONGEST_KEY:,} visible ASCII characters without spaces.")
    suffix = key[-4:] if len(key) >= SHORTEST_WITH_SUFFIX else ""
    values = {"sealed": seal_key(key), "last_characters": suffix, "stored_at": timezone.now(), "stored_by": admin}
    row, _ = ProviderKey.objects.update_or_create(provider=provider.name, defaults=values)
    audit.record_outside(admin, "stored", row, provider=provider.name)
    _tell_catalogue(provider, available=True)
    return row


@transaction.atomic
def remove(admin: User, *, provider: Provider) -> None:
    """Forgets the stored key; that of the environment counts again. Nothing happens when none is stored."""
    _require_system_admin(admin)
    row = ProviderKey.objects.select_for_update().filter(provider=provider.name).first()
    if row is None:
        return
    audit.record_outside(admin, "removed", row, provider=provider.name)
    row.delete()
    _tell_catalogue(provider, available=bool(read_env_key(provider)))


@FixedSelect
def _select_key(provider: str) -> QuerySet[ProviderKey]:
    return ProviderKey.objects.filter(provider=provider)


def read_key(provider: str) -> str:
    """The stored key of this provider, empty without one and when the secret it was sealed with is gone."""
    row = _select_key.first(provider)
    return (unseal_key(row.sealed) if row else None) or ""


def is_sealed_off(provider: str) -> bool:
    """Whether a key of this provider is stored that no secret opens any more."""
    row = _select_key.first(provider)
    return row is not None and not opens(row)


def opens(row: ProviderKey) -> bool:
    return unseal_key(row.sealed) is not None


def list_sealed_off() -> list[str]:
    """The titles of the providers with such a key, by their names."""
    return [_title_of(row.provider) for row in ProviderKey.objects.order_by("provider") if not opens(row)]


def _title_of(name: str) -> str:
    provider = find_provider(name)
    return provider.title if provider else name


def reseal() -> int:
    """Seals all under the newest secret, so that an older one can be taken out of PROVIDER_KEY_SECRET."""
    done = 0
    for row in ProviderKey.objects.all():
        if fresh := reseal_key(row.sealed):
            done += ProviderKey.objects.filter(pk=row.pk, sealed=row.sealed).update(sealed=fresh)
    return done


def _tell_catalogue(provider: Provider, *, available: bool) -> None:
    """At once for what is listed; the worker then adds what is listed only with a key."""
    LanguageModel.objects.filter(provider=provider.name).update(available=available)
    jobs.enqueue(Job.SYNC_MODELS, provider.name)


def _require_system_admin(admin: User) -> None:
    if not admin.is_superuser:
        raise Denied("Admin access required")
