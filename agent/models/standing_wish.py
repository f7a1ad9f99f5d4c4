from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.models.scoped import ScopedQuerySet
from agent.models.thread import Message, Thread
from kit.rows.models import Row


class StandingWishQuerySet(ScopedQuerySet["StandingWish"]):
    organization_path = "thread__organization"


class StandingWish(Row):
    """What a person wants to hold in all of a thread, in their own words. The model reads it in each round."""

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="wishes")
    text = models.TextField()
    message = models.ForeignKey(
        Message, on_delete=models.SET_NULL, related_name="+", null=True, blank=True, verbose_name="where it was said"
    )
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    updated_at = models.DateTimeField(auto_now=True)

    objects = StandingWishQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "standing wishes"
        ordering = ["created_at", "pk"]

    def __str__(self) -> str:
        return f"standing wish of {self.thread}"
