"""Models that can be chosen, in the shapes that the published clients know."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.access import AccountView, OrganizationView
from accounts.api.wire.answers import Message
from accounts.api.wire.described import Flag, Text, describe
from accounts.api.wire.fields import RequestBody, StrictTextField, TrueOrFalse, read_flag
from accounts.api.wire.responses import Answer
from accounts.models import Role, User
from documents.api import extraction_answers as answers
from documents.models import LanguageModel, ProviderKey
from kit.errors import Invalid, NotFound
from kit.json_types import JsonObject
from kit.timestamps import format_timestamp
from llm import models_catalogue, provider_keys
from llm.client.providers import PROVIDERS, SEALED_OFF, Provider, find_provider, has_key, read_env_key

_TITLES = {provider.name: provider.title for provider in PROVIDERS}
_MICROS = 1_000_000
MASK = "********"


class OrganizationModels(OrganizationView):
    """Names of the models that prompts may use. The clients' own default names mean the organization's models."""

    roles = {"GET": Role.VIEWER}

    @describe(
        "List the names of models",
        query=[Flag("chat_only", "Without embedding models."), Flag("exclude_embeddings", "The same.")],
    )
    def get(self, request: Request) -> Answer[answers.ModelNames]:
        without_embeddings = read_flag(request, "chat_only", False) or read_flag(request, "exclude_embeddings", False)
        usable = models_catalogue.list_chat_models(self.actor.organization)
        defaults = [settings.EXTRACTION_MODEL, settings.DEFAULT_MODEL]
        names = dict.fromkeys([*defaults, *(row.name for row in usable), *models_catalogue.CLIENT_DEFAULTS])
        if not without_embeddings:
            names |= dict.fromkeys(_list_usable(embedding=True).values_list("name", flat=True))
        return Answer({"models": list(names)})


class AccountModels(AccountView):
    """The catalogue: `chat_models` and `embedding_models` for newer clients, `models` for older ones."""

    @describe(
        "List models",
        query=[
            Text("provider_name", "Models of this provider."),
            Flag("provider_enabled", "Models of providers with a key, or with false of those without."),
            Flag("llm_enabled", "Only those that can be used now.", default=True),
            Flag("chat_agent_only", "Only those that call tools."),
            Flag("ocr_only", "None: pages are read on this machine."),
        ],
    )
    def get(self, request: Request) -> Answer[answers.Models]:
        chat, embedding = _list_usable(embedding=False), _list_usable(embedding=True)
        if not read_flag(request, "llm_enabled", True):
            chat = LanguageModel.objects.filter(embedding=False, reranks=False).order_by("provider", "name")
        if read_flag(request, "chat_agent_only", False):
            chat = chat.filter(calls_tools=True)
        if read_flag(request, "ocr_only", False):
            chat = chat.none()  # pages are read on this machine, by no model of this list
        if name := request.query_params.get("provider_name"):
            chat, embedding = chat.filter(provider=name), embedding.filter(provider=name)
        if request.query_params.get("provider_enabled"):
            is_enabled = read_flag(request, "provider_enabled", True)
            names = [each.name for each in models_catalogue.list_offered_providers() if has_key(each) == is_enabled]
            chat, embedding = chat.filter(provider__in=names), embedding.filter(provider__in=names)
        return Answer(
            {
                "models": [_serialize_for_older_clients(row) for row in chat],
                "chat_models": [_serialize_chat_model(row) for row in chat],
                "embedding_models": [_serialize_embedding_model(row) for row in embedding],
            }
        )


class Providers(AccountView):
    """The providers, and which of them have a key: one stored here, else the environment's. Keys are never shown."""

    @describe("List model providers")
    def get(self, request: Request) -> Answer[answers.Providers]:
        self.require_system_admin()
        stored = {key.provider: key for key in ProviderKey.objects.all()}
        listed = models_catalogue.list_offered_providers()
        return Answer({"providers": [_serialize_provider(provider, stored.get(provider.name)) for provider in listed]})


class ChangedProvider(RequestBody):
    litellm_models_enabled = serializers.ListField(child=StrictTextField(), required=False, allow_null=True)
    litellm_models_chat_agent = serializers.ListField(child=StrictTextField(), required=False, allow_null=True)
    enabled = TrueOrFalse(required=False, allow_null=True)
    token = StrictTextField(required=False, allow_null=True, allow_blank=True)


class OneProvider(AccountView):
    """Which models of a provider can be chosen, and its key. A model's abilities are its own.

    `enabled` switches all of its models on or off; `litellm_models_enabled` names those that are on. `token` stores a
    key, which wins over the environment's; an empty one removes it, null and the mask of a listed one leave it.
    """

    bodies = {"PUT": ChangedProvider}

    @describe("Choose a provider's models and its key", refusals={400: ["Built-in rules needs no key."]})
    def put(self, request: Request, name: str) -> Answer[Message]:
        self.require_system_admin()
        provider = find_provider(name)
        if provider is None:
            raise NotFound("Provider not found")
        sent = {key: value for key, value in self.read_body().items() if value is not None}
        names = _choose_enabled_names(provider, sent)
        with transaction.atomic():
            _keep_token(self.user, provider, sent.get("token", MASK))
            if names is not None:
                models_catalogue.enable_only(self.user, provider=provider.name, names=names)
        return Answer({"message": "LLM provider config updated successfully"})


def _keep_token(admin: User, provider: Provider, token: str) -> None:
    if token.startswith(MASK):
        return
    if token.strip():
        provider_keys.store(admin, provider=provider, key=token)
    else:
        provider_keys.remove(admin, provider=provider)


def _choose_enabled_names(provider: Provider, sent: JsonObject) -> list[str] | None:
    """None leaves everything as it is. Raises Invalid for what cannot be set here, rather than taking it silently."""
    rows = LanguageModel.objects.filter(provider=provider.name, embedding=False, reranks=False)
    able = set(rows.filter(calls_tools=True).values_list("name", flat=True))
    if unable := sorted(set(sent.get("litellm_models_chat_agent", ())) - able):
        raise Invalid(f"These cannot be the agent's model, since they call no tools: {', '.join(unable)}")
    if sent.get("enabled") is False:
        return []
    if "litellm_models_enabled" in sent:
        return list(sent["litellm_models_enabled"])
    return list(rows.values_list("name", flat=True)) if sent.get("enabled") else None


def _list_usable(*, embedding: bool) -> QuerySet[LanguageModel, LanguageModel]:
    """What can be used now."""
    rows = LanguageModel.objects.filter(available=True, enabled=True, embedding=embedding, reranks=False)
    return rows.order_by("provider", "name")


def _get_price(micros_per_mtok: int | None) -> int:
    """An unknown price counts as the ceiling that calls are reserved at, never as nothing."""
    return settings.UNKNOWN_PRICE_MICROS_PER_MTOK if micros_per_mtok is None else micros_per_mtok


def _get_price_per_token(micros_per_mtok: int | None) -> float:
    return _get_price(micros_per_mtok) / _MICROS / 1_000_000


def _serialize_for_older_clients(row: LanguageModel) -> answers.OldModel:
    return {
        "id": row.name,
        "name": row.name,
        "provider": row.provider,
        "description": f"{row.name} by {_TITLES.get(row.provider, row.provider)}",
        "max_tokens": row.max_output_tokens or settings.MODEL_MAX_TOKENS,
        "cost_per_1m_input_tokens": _get_price(row.input_micros_per_mtok) / _MICROS,
        "cost_per_1m_output_tokens": _get_price(row.output_micros_per_mtok) / _MICROS,
    }


def _serialize_chat_model(row: LanguageModel) -> answers.ChatModel:
    return {
        "litellm_model": row.name,
        "litellm_provider": row.provider,
        "max_input_tokens": row.max_input_tokens or 0,
        "max_output_tokens": row.max_output_tokens or settings.MODEL_MAX_TOKENS,
        "input_cost_per_token": _get_price_per_token(row.input_micros_per_mtok),
        "output_cost_per_token": _get_price_per_token(row.output_micros_per_mtok),
        "provider_name": row.provider,
        "provider_display_name": _TITLES.get(row.provider, row.provider),
    }


def _serialize_embedding_model(row: LanguageModel) -> answers.EmbeddingModel:
    return {
        "litellm_model": row.name,
        "litellm_provider": row.provider,
        "max_input_tokens": row.max_input_tokens or 0,
        "dimensions": row.dimensions or 0,
        "input_cost_per_token": _get_price_per_token(row.input_micros_per_mtok),
        "input_cost_per_token_batches": _get_price_per_token(row.input_micros_per_mtok),
    }


def _serialize_provider(provider: Provider, stored: ProviderKey | None) -> answers.Provider:
    rows = list(LanguageModel.objects.filter(provider=provider.name, embedding=False, reranks=False).order_by("name"))
    usable = [row for row in rows if row.available and row.enabled]
    kept = stored is not None or provider.found_key or bool(read_env_key(provider))
    return {
        "name": provider.name,
        "display_name": provider.title,
        "litellm_provider": provider.name,
        "litellm_models_available": [row.name for row in rows],
        "litellm_models_enabled": [row.name for row in usable],
        "litellm_models_chat_agent": [row.name for row in usable if row.calls_tools],
        "enabled": has_key(provider),
        "problem": SEALED_OFF if stored and provider_keys.is_sealed_off(provider.name) else None,
        "token": MASK + (stored.last_characters if stored else "") if kept else None,
        "token_created_at": format_timestamp(stored.stored_at) if stored else None,
        "key_setting": provider.key_setting or None,
    }
