"""Files whose indentation means something, as readings of them are stored."""

from __future__ import annotations

import json

from accounts.models import Organization
from documents.models import Document, Page, Reading
from reader.words import join_text, pack
from tests.documents.laid_out import lay_out

API = """\
openapi: 3.0.0
paths:
  /campaigns:
    post:
      operationId: createCampaign
      parameters:
        - name: trace
          in: header
      description: |
        Creates one.
          Costs nothing.
"""


def store_file(organization: Organization, name: str, data: bytes) -> Document:
    """A document of these bytes that has been read."""
    document = Document.objects.create(
        organization=organization, name=name, sha256=name[:64], size=len(data), file="none", state="ocr_completed"
    )
    add_file_reading(document, data)
    return document


def add_file_reading(document: Document, data: bytes) -> Reading:
    source = lay_out(data, max_pages=500)
    pages = [source.read(number, "auto") for number in range(1, len(source.sizes) + 1)]
    reading = Reading.objects.create(
        document=document, number=document.readings.count() + 1, status="completed", page_count=len(pages)
    )
    for page in pages:
        size = {"width": page.width, "height": page.height}
        words = {"text": join_text(page.words), "words": pack(page.words), "engine": page.engine}
        Page.objects.create(reading=reading, number=page.number, **size, **words)
    return reading


def nest(levels: int) -> bytes:
    """JSON of so many objects, each in the one before."""
    value: object = "deep"
    for level in range(levels, 0, -1):
        value = {f"l{level}": value}
    return json.dumps(value).encode()
