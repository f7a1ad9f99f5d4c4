"""Limits of request bodies: as much as a form needs, unless the view says that it takes more."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TypeVar

from django.conf import settings

KB, MB = 1024, 1024 * 1024
V = TypeVar("V", bound=Callable[..., object])


class Body(Enum):
    """The body that a view takes. Class-based views say it as `body_kind`, functions by `takes`."""

    FORM = "form"
    # Schemas, prompts, values and conversations. A form writes three to twelve signs for each one beyond ASCII.
    TEXT = "text"
    FILE = "file"
    BASE64 = "base64"

    @property
    def max_bytes(self) -> int:
        sizes = {
            Body.FORM: 256 * KB,
            Body.TEXT: 4 * MB,
            Body.FILE: settings.MAX_UPLOAD_MB * MB + MB,
            Body.BASE64: settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
        }
        return sizes[self]


def takes(kind: Body) -> Callable[[V], V]:
    """Stands nearest to the view: the decorators above it carry the attribute on."""

    def mark(view: V) -> V:
        view.body_kind = kind  # type: ignore[attr-defined]
        return view

    return mark


def kind_taken_by(view: Callable[..., object]) -> Body:
    """By the callback of a URL pattern."""
    kind = getattr(getattr(view, "cls", view), "body_kind", Body.FORM)
    return kind if isinstance(kind, Body) else Body.FORM


def format_size(size: int) -> str:
    return f"{size // KB:,} kB" if size < MB else f"{size // MB:,} MB"
