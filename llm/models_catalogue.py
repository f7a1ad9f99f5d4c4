"""The models, and which can be used. The worker writes the rows: litellm stays out of the web."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime
from difflib import get_close_matches
from fnmatch import fnmatchcase

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Organization, User
from accounts.services import audit
from kit.errors import Denied, Invalid
from kit.rows.fixed_select import FixedSelect
from llm import provider_keys
from llm.client import catalogue
from llm.client.providers import (
    OFFLINE_MODEL,
    PROVIDERS,
    SERVERS,
    Provider,
    explain_missing,
    find_missing_setting,
    find_provider_of,
)
from llm.models import LanguageModel, ModelProvider, ProviderKey

NOT_YET = "{model} cannot be used yet: {missing}."
# The published clients send these when nobody chose a model; see `resolve`.
CLIENT_DEFAULTS = ("gpt-4o-mini", "claude-sonnet-4-6")


def sync() -> int:
    """Writes the rows anew from litellm's list and the keys found. An admin's `enabled` is kept. Worker only."""
    provider_keys.reseal()
    now = timezone.now()
    providers = _sync_providers(now)
    always = dict.fromkeys([settings.DEFAULT_MODEL, settings.EXTRACTION_MODEL])
    known = catalogue.list_models(always, providers)
    rows = [LanguageModel(**asdict(model), synced_at=now) for model in known]
    written = [name for name in asdict(known[0]) if name != "name"]
    LanguageModel.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["name"], update_fields=[*written, "synced_at"]
    )
    LanguageModel.objects.exclude(name__in=[row.name for row in rows]).delete()
    return len(rows)


def _sync_providers(now: datetime) -> list[Provider]:
    known = catalogue.list_providers()
    rows = [
        ModelProvider(name=each.name, key_setting=each.key_setting, has_key=each.found_key, synced_at=now)
        for each in known
    ]
    ModelProvider.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["name"], update_fields=["key_setting", "has_key", "synced_at"]
    )
    ModelProvider.objects.exclude(name__in=[row.name for row in rows]).delete()
    return known


def find_listed_provider(name: str) -> Provider | None:
    """A provider that only litellm names, from the rows of the last `sync`."""
    row = ModelProvider.objects.filter(name=name).first()
    return _as_provider(row) if row else None


def _as_provider(row: ModelProvider) -> Provider:
    return Provider(row.name, row.name, row.key_setting, resells=True, found_key=row.has_key)


def list_offered_providers() -> list[Provider]:
    """The main providers, and of the others those that have a key."""
    stored = ProviderKey.objects.values("provider")
    rows = ModelProvider.objects.filter(Q(has_key=True) | Q(name__in=stored)).order_by("name")
    return [*PROVIDERS, *(_as_provider(row) for row in rows)]


@transaction.atomic
def enable_only(admin: User, *, provider: str, names: Collection[str]) -> None:
    """Let every organization choose these of the provider's models, and no others of it. System admins only."""
    if not admin.is_superuser:
        raise Denied("Admin access required")
    of_provider = LanguageModel.objects.filter(provider=provider, embedding=False, reranks=False)
    rows = {row.name: row for row in of_provider.select_for_update()}
    if unknown := sorted(set(names) - rows.keys()):
        raise Invalid(f"Unknown models of {provider}: {', '.join(unknown)}")
    for row in rows.values():
        if row.enabled != (row.name in names):
            row.enabled = row.name in names
            row.save(update_fields=["enabled"])
            audit.record_outside(admin, "switched on" if row.enabled else "switched off", row, name=row.name)


def list_chat_models(organization: Organization) -> list[LanguageModel]:
    """List the models to choose from: the organization's defaults first, then by provider and name."""
    first = [settings.DEFAULT_MODEL, settings.EXTRACTION_MODEL]
    usable = LanguageModel.objects.filter(available=True, enabled=True, embedding=False, reranks=False)
    if organization.local_models_only:
        usable = usable.filter(local=True)
    return sorted(
        usable, key=lambda model: (first.index(model.name) if model.name in first else 9, model.provider, model.name)
    )


def choose_of_provider(organization: Organization, provider: str) -> str:
    """The first of a provider's models that can be chosen now. Raises Invalid with the providers that have one."""
    usable = list_chat_models(organization)
    name = provider.strip().casefold()
    if model := next((row for row in usable if row.provider.casefold() == name), None):
        return model.name
    providers = ", ".join(sorted({row.provider for row in usable})) or "none"
    raise Invalid(f"No model of the provider “{provider[:60]}” can be used here. Providers with one: {providers}.")


def resolve(name: str, *, default: str) -> str:
    """The model that really runs: `default` for no name, and for a client's own default that nobody has a key for."""
    if not name or (name in CLIENT_DEFAULTS and not _has_key_for(name)):
        return default
    return name


@dataclass(frozen=True)
class Abilities:
    """`sees`: it takes pictures. `input_limit`: the tokens that it reads at most; None where the list does not know."""

    calls_tools: bool
    answers_schema: bool
    sees: bool
    input_limit: int | None


@FixedSelect
def _select_model(name: str) -> QuerySet[LanguageModel]:
    return LanguageModel.objects.filter(name=name)


def find_abilities(name: str) -> Abilities:
    """By the settings, else by the list.

    One that is not listed is believed to call tools and to answer a schema, and to see nothing.
    """
    row = _select_model.first(name)
    calls_tools = row is None or row.calls_tools
    if _matches(name, settings.MODELS_WITHOUT_TOOLS):
        calls_tools = False
    elif _matches(name, settings.MODELS_WITH_TOOLS):
        calls_tools = True
    sees = (row is not None and row.sees) or _matches(name, settings.MODELS_WITH_PICTURES)
    return Abilities(calls_tools, row is None or row.answers_schema, sees, row.max_input_tokens if row else None)


def note_no_tools(name: str) -> None:
    """Its server has refused tools. That applies until the list is written anew; MODELS_WITHOUT_TOOLS for good."""
    LanguageModel.objects.filter(name=name).update(calls_tools=False)


def _matches(name: str, patterns: Collection[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def check_usable(name: str) -> None:
    """Raises Invalid with the setting that is missing, or with the nearest known names."""
    row = _select_model.first(name)
    if row is not None:
        _check_row(row)
    elif name not in (*CLIENT_DEFAULTS, OFFLINE_MODEL):
        _check_unlisted(name)


def check_embeds(name: str) -> None:
    """As `check_usable`, for a model that makes embeddings. One that is not listed is left to its provider."""
    row = LanguageModel.objects.filter(name=name).first()
    if row is None and name not in (*CLIENT_DEFAULTS, OFFLINE_MODEL):
        _check_unlisted(name)
    elif row is None or not row.embedding:
        raise Invalid(f"{name} writes answers; it makes no embeddings.")
    else:
        _check_set(row)


def check_orders(name: str) -> None:
    """As `check_usable`, for a model that puts texts in order: one made for that, or one that writes answers."""
    row = LanguageModel.objects.filter(name=name, reranks=True).first()
    if row:
        _check_set(row)
    else:
        check_usable(name)


def only_orders(name: str) -> bool:
    """Whether it is asked as a model that orders texts. One that is not listed is taken for what its name says."""
    row = _select_model.first(name)
    return row.reranks if row else "rerank" in name.lower()


def list_rerankers(organization: Organization) -> list[LanguageModel]:
    usable = LanguageModel.objects.filter(available=True, enabled=True, reranks=True)
    return list((usable.filter(local=True) if organization.local_models_only else usable).order_by("provider", "name"))


def _check_row(row: LanguageModel) -> None:
    if row.reranks:
        raise Invalid(f"{row.name} only puts texts in order; it cannot write answers.")
    if row.embedding:
        raise Invalid(f"{row.name} is an embedding model; it cannot write answers.")
    _check_set(row)


def _check_set(row: LanguageModel) -> None:
    if not row.enabled:
        raise Invalid(f"{row.name} is switched off here. The operator can switch it on.")
    if not row.available and row.name not in CLIENT_DEFAULTS:
        provider = find_provider_of(row.name)
        setting = f"set {row.key_setting or 'its provider key'}"
        missing = (explain_missing(provider) if provider else "") or setting
        raise Invalid(NOT_YET.format(model=row.name, missing=missing), code="no_key")


def _check_unlisted(name: str) -> None:
    """A model newer than the list is fine when its provider is known; the provider will say if there is none."""
    provider = find_provider_of(name)
    if provider is None or provider.name == "offline":
        raise Invalid(
            f"Invalid model: {name}. The model {name} is not known here. {_suggest_names(name)}", code="unknown_model"
        )
    if missing := explain_missing(provider):
        raise Invalid(NOT_YET.format(model=name, missing=missing), code="no_key")


def _suggest_names(name: str) -> str:
    near = get_close_matches(name, LanguageModel.objects.values_list("name", flat=True), 3, 0.5)
    if near:
        return f"The nearest are: {', '.join(near)}."
    prefix, slash, _ = name.partition("/")
    if not slash:
        return "Write it as provider/model."
    others = list(ModelProvider.objects.values_list("name", flat=True))
    if not others:
        return "The list of providers has not been read yet: the agent worker does so when it starts."
    known = [*others, *(provider.name for provider in (*PROVIDERS, *SERVERS))]
    near = get_close_matches(prefix, known, 3, 0.5)
    return f"There is no provider {prefix}." + (f" The nearest are: {', '.join(near)}." if near else "")


def _has_key_for(name: str) -> bool:
    row = LanguageModel.objects.filter(name=name).first()
    provider = find_provider_of(name)
    return row.available if row else bool(provider and not find_missing_setting(provider))
