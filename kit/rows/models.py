"""Every row has a 24-hex id, and the time it was made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from django.db import models
from django.db.models.base import ModelBase
from django.utils import timezone

from kit.ids import new_id


class Row(models.Model):
    id = models.CharField(primary_key=True, max_length=24, default=new_id, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    class Meta:
        abstract = True


class SaveOptions(TypedDict, total=False):
    """The arguments of Django's `save`."""

    force_insert: bool | tuple[ModelBase, ...]
    force_update: bool
    using: str | None
    update_fields: Iterable[str] | None


def fold_case(text: str) -> str:
    """The form names are compared and searched in. SQLite's own case folding knows ASCII only."""
    return text.casefold().strip()
