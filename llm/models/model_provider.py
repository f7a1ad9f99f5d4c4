from __future__ import annotations

from django.db import models

from kit.rows.models import Row


class ModelProvider(Row):
    """A provider that litellm knows and DocRouter's own list does not name. Written by the worker."""

    name = models.CharField(max_length=60, unique=True)
    key_setting = models.CharField("environment variable of the key", max_length=80, blank=True)
    has_key = models.BooleanField("its key is in the environment, under whichever name", default=False)
    synced_at = models.DateTimeField()

    class Meta:
        app_label = "documents"

    def __str__(self) -> str:
        return self.name
