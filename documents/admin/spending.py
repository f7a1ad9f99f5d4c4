from __future__ import annotations

from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest

from accounts.admin.base import RowAdmin, as_operator, money_column
from accounts.models import User
from accounts.services import audit
from documents.models import (
    Budget,
    LanguageModel,
    ModelCall,
    ModelPrice,
    ModelProvider,
    ProviderKey,
    Reservation,
    Usage,
    UsageDay,
)
from kit import jobs
from kit.jobs import Job
from llm import provider_keys
from llm.client.pricing import exceeds_limit
from llm.client.providers import SEALED_OFF, Provider, find_provider
from llm.money import budgets, model_prices


@admin.register(Budget)
class BudgetAdmin(RowAdmin):
    editable = ("limit_micros",)
    list_display = (
        "organization",
        "month",
        money_column("limit_micros", "limit"),
        money_column("spent_micros", "spent"),
        money_column("reserved_micros", "reserved"),
    )
    list_select_related = ("organization",)
    list_filter = ("month",)
    search_fields = ("=id", "organization__name_folded")
    actions = ("stop_spending",)

    @admin.action(description="Set the limit to $0: no model that costs runs", permissions=["view"])
    def stop_spending(self, request: HttpRequest, queryset: QuerySet[Budget]) -> None:
        rows = queryset.select_related("organization")
        self.each(
            request,
            rows,
            lambda row: budgets.set_limit(as_operator(request, row.organization), limit_usd=0),
            "The limit is $0 for",
        )

    @transaction.atomic
    def save_model(self, request: HttpRequest, obj: Budget, form: ModelForm[Budget], change: bool) -> None:
        # Only the limit: what is spent and reserved may have changed since the form was opened.
        Budget.objects.filter(pk=obj.pk).update(limit_micros=obj.limit_micros)
        audit.record(as_operator(request, obj.organization), "changed limit", obj, limit_micros=obj.limit_micros)


@admin.register(Reservation)
class ReservationAdmin(RowAdmin):
    list_display = (
        "purpose",
        "model",
        "organization",
        "user",
        "status",
        money_column("estimate_micros", "estimate"),
        "max_tokens",
        "expires_at",
        "created_at",
    )
    list_select_related = ("organization", "user")
    list_filter = ("status", "purpose", "organization", "month")
    search_fields = ("=id", "=subject_id", "model", "purpose")


@admin.register(Usage)
class UsageAdmin(RowAdmin):
    list_display = (
        "purpose",
        "model",
        "organization",
        "user",
        "prompt_tokens",
        "completion_tokens",
        "answer_limit",
        money_column("cost_micros", "cost"),
        "price_known",
        "created_at",
    )
    list_select_related = ("organization", "user", "reservation")
    list_filter = ("purpose", "model", "price_known", "organization", "created_at")
    search_fields = ("=id", "=subject_id", "model", "user__email")

    @admin.display(description="of at most")
    def answer_limit(self, usage: Usage) -> str:
        """A server that writes more ignores max_tokens, and costs more than was reserved."""
        maximum = usage.reservation.max_tokens
        return f"{maximum}, ignored" if maximum and exceeds_limit(usage.completion_tokens, maximum) else str(maximum)


@admin.register(UsageDay)
class UsageDayAdmin(RowAdmin):
    list_display = (
        "day",
        "organization",
        "purpose",
        "model",
        "person",
        "tool",
        "calls",
        "prompt_tokens",
        "cached_tokens",
        "completion_tokens",
        money_column("cost_micros", "cost"),
    )
    list_select_related = ("organization",)
    list_filter = ("purpose", "model", "organization", "day")
    search_fields = ("organization__name_folded", "model", "=person", "=prompt_revid")
    ordering = ("-day",)


@admin.register(LanguageModel)
class LanguageModelAdmin(RowAdmin):
    editable = ("enabled",)
    list_display = ("name", "provider", "enabled", "available", "calls_tools", "answers_schema", "local", "synced_at")
    list_filter = ("enabled", "available", "provider", "local", "embedding", "reranks", "calls_tools")
    search_fields = ("=id", "name", "provider")
    ordering = ("name",)
    actions = ("sync",)

    @transaction.atomic
    def save_model(
        self, request: HttpRequest, obj: LanguageModel, form: ModelForm[LanguageModel], change: bool
    ) -> None:
        LanguageModel.objects.filter(pk=obj.pk).update(enabled=obj.enabled)
        assert isinstance(request.user, User)  # noqa: S101 - the admin let them in
        audit.record_outside(request.user, "changed", obj, enabled=obj.enabled, name=obj.name)

    @admin.action(description="Reload models and keys (select any row)", permissions=["view"])
    def sync(self, request: HttpRequest, queryset: QuerySet[LanguageModel]) -> None:
        jobs.enqueue(Job.SYNC_MODELS, "all")
        self.message_user(request, "A worker is reading the catalogue. Load this page again in a moment.")


@admin.register(ModelPrice)
class ModelPriceAdmin(RowAdmin):
    list_display = (
        "name",
        money_column("input_micros_per_mtok", "a million tokens read"),
        money_column("output_micros_per_mtok", "a million tokens written"),
        "set_by",
        "set_at",
    )
    list_select_related = ("set_by",)
    search_fields = ("=id", "name")
    ordering = ("name",)
    editable = ("name", "input_micros_per_mtok", "output_micros_per_mtok")
    actions = ("remove",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    @transaction.atomic
    def save_model(self, request: HttpRequest, obj: ModelPrice, form: ModelForm[ModelPrice], change: bool) -> None:
        user = request.user
        assert isinstance(user, User)  # noqa: S101 - the admin let them in
        if change and (renamed := ModelPrice.objects.exclude(name=obj.name).filter(pk=obj.pk).first()):
            model_prices.remove(user, price=renamed)
        input_usd, output_usd = obj.input_micros_per_mtok / 1_000_000, obj.output_micros_per_mtok / 1_000_000
        obj.pk = model_prices.store(user, name=obj.name, input_usd=input_usd, output_usd=output_usd).pk

    @admin.action(description="Remove and use the catalogue’s price again", permissions=["view"])
    def remove(self, request: HttpRequest, queryset: QuerySet[ModelPrice]) -> None:
        user = request.user
        assert isinstance(user, User)  # noqa: S101 - the admin let them in
        self.each(
            request,
            queryset,
            lambda price: model_prices.remove(user, price=price),
            "Removed; the catalogue’s price applies again",
        )


@admin.register(ModelProvider)
class ModelProviderAdmin(RowAdmin):
    list_display = ("name", "key_setting", "has_key", "synced_at")
    list_filter = ("has_key",)
    search_fields = ("=id", "name", "key_setting")
    ordering = ("name",)


@admin.register(ModelCall)
class ModelCallAdmin(RowAdmin):
    """What was asked and answered is not shown: it may contain anybody's text."""

    secret = ("request", "answer")
    list_display = ("kind", "model", "organization", "user", "status", "reason", "created_at", "finished_at")
    list_select_related = ("organization", "user")
    list_filter = ("status", "kind", "organization")
    search_fields = ("=id", "model", "user__email")


@admin.register(ProviderKey)
class ProviderKeyAdmin(RowAdmin):
    secret = ("sealed",)
    list_display = ("provider", "last_characters", "problem", "stored_by", "stored_at")
    list_select_related = ("stored_by",)
    search_fields = ("=id", "provider", "stored_by__email")
    actions = ("remove",)

    @admin.display(description="problem")
    def problem(self, key: ProviderKey) -> str:
        return "" if provider_keys.opens(key) else SEALED_OFF

    @admin.action(description="Remove and use the environment’s key again", permissions=["view"])
    def remove(self, request: HttpRequest, queryset: QuerySet[ProviderKey]) -> None:
        user = request.user
        assert isinstance(user, User)  # noqa: S101 - the admin let them in

        def act(key: ProviderKey) -> None:
            named = find_provider(key.provider) or Provider(key.provider, key.provider)
            provider_keys.remove(user, provider=named)

        self.each(request, queryset, act, "Removed; the environment’s key is used again")
