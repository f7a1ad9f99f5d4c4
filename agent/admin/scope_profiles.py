from __future__ import annotations

from django.contrib import admin

from accounts.admin.base import RowAdmin
from agent.models import ScopeCheck, ScopeProfile


@admin.register(ScopeProfile)
class ScopeProfileAdmin(RowAdmin):
    list_display = ("organization", "token", "client", "mode", "updated_by", "updated_at")
    list_select_related = ("organization", "token", "client", "updated_by")
    list_filter = ("mode", "organization", "updated_at")
    search_fields = ("=id", "organization__name_folded", "=organization__id", "=token__id", "=client__id")


@admin.register(ScopeCheck)
class ScopeCheckAdmin(RowAdmin):
    list_display = ("turn", "stage", "outcome", "rule", "model", "is_strict", "worked_ms", "created_at")
    list_select_related = ("turn__thread",)
    list_filter = ("stage", "outcome", "is_strict", "created_at")
    search_fields = ("=id", "=turn__id", "=turn__thread__id", "=call__id")
