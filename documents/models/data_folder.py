from __future__ import annotations

from django.db import models


class DataFolder(models.Model):
    """The folder in which this installation keeps its files: the one whose marker is this. There is one row."""

    name = models.CharField(primary_key=True, max_length=40)
    marker = models.CharField(max_length=40)
    named_by = models.CharField("the machine that named it", max_length=200)
    named_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.marker
