from __future__ import annotations

from django.contrib import admin

from accounts.admin.base import RowAdmin
from worker.models import ProcessLease


@admin.register(ProcessLease)
class LeaseAdmin(RowAdmin):
    """To look at. A lease ends by itself; a row changed by hand would let two schedulers work."""

    list_display = ("name", "holder", "lease_until", "fence")
    ordering = ("name",)
