from __future__ import annotations

from django.conf import settings
from django.db import models

from kit.rows.models import Row


class ProviderKey(Row):
    """A model provider's key that a system admin stored here; it wins over the environment's."""

    provider = models.CharField(max_length=60, unique=True)
    sealed = models.TextField("the key, encrypted")
    last_characters = models.CharField("its last characters", max_length=4, blank=True)
    stored_at = models.DateTimeField()
    stored_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        app_label = "documents"

    def __str__(self) -> str:
        return f"key of {self.provider}"
