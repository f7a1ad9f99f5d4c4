from __future__ import annotations

from django.contrib import admin

from accounts.admin.base import RowAdmin
from agent.models import ScopeProfile


@admin.register(ScopeProfile)
class ScopeProfileAdmin(RowAdmin):
    list_display = ("organization", "token", "client", "mode", "updated_by", "updated_at")
    list_select_related = ("organization", "token", "client", "updated_by")
    list_filter = ("mode", "organization", "updated_at")
    search_fields = ("=id", "organization__name_folded", "=organization__id", "=token__id", "=client__id")
