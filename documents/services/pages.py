"""Pages for the viewer: their words, and their pictures, rendered on demand and cached."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import cast

from django.conf import settings

from documents.backends.files import local_path
from documents.backends.readers import Rotation, default_pool
from documents.backends.words import Word, unpack
from documents.models import Page
from documents.services import reading

WIDTHS = (160, 640, 1200, 1800, 2400)


def words(page: Page) -> list[Word]:
    return unpack(bytes(page.words))


def image(page: Page, width: int) -> Path:
    """A WebP picture, the next of WIDTHS that is at least `width` pixels wide. `page.reading.document` is read."""
    width = next((step for step in WIDTHS if step >= width), WIDTHS[-1])
    path = settings.DATA_DIR / "cache" / "pages" / page.reading_id / f"{page.number}-{width}.webp"
    if not path.exists():
        _render(page, width, path)
    return path


def _render(page: Page, width: int, path: Path) -> None:
    with local_path(str(page.reading.document.file)) as source:
        picture = default_pool().render(
            source, page.number, width, rotation=cast(Rotation, page.rotation), password=reading.password(page.reading),
            max_pages=settings.MAX_PAGES, max_bytes=settings.MAX_UPLOAD_MB * 1024 * 1024,
        )  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    # Written beside and renamed: a second request never sees half a picture.
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(picture.data)
    os.replace(file.name, path)
