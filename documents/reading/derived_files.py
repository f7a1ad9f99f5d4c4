"""Pictures of pages and PDFs made of documents: files that can be made again, kept within an age and a size.

Other processes read and write them meanwhile. A file that was used in the last minutes is left alone, so one that was
just handed out is still there when it is opened.
"""

from __future__ import annotations

from django.conf import settings
from django.utils import timezone

from documents.models import Document
from documents.storage.stored_files import DERIVED

IN_USE_SECONDS = 300.0
DAY_SECONDS = 86_400


def get_picture_key(reading_id: str, number: int, width: int, rotation: int = 0) -> str:
    """A page that waits to be recognized is drawn as it stands in the file; which way up it is shows then."""
    turned = f"-{rotation}" if rotation else ""
    return f"pages/{reading_id}/{number}-{width}{turned}.webp"


def get_pdf_key(document_id: str) -> str:
    return f"pdf/{document_id}.pdf"


def get_picture_failure_key(reading_id: str, number: int) -> str:
    return f"pages/{reading_id}/{number}.failed"


def get_pdf_failure_key(document_id: str) -> str:
    return f"pdf/{document_id}.failed"


def delete_pdf(document_id: str) -> None:
    DERIVED.delete(get_pdf_key(document_id))
    DERIVED.delete(get_pdf_failure_key(document_id))


def delete_files_of(document: Document) -> None:
    """Deletes all that was made of this document. Its readings must still be there."""
    delete_pdf(document.pk)
    for reading_id in document.readings.values_list("pk", flat=True):
        DERIVED.delete_below(f"pages/{reading_id}")


def trim() -> int:
    """Removes what was not used for CACHE_DAYS, and what was used longest ago beyond CACHE_MB; how many files."""
    now = timezone.now()
    files = sorted(DERIVED.iterate())
    excess = sum(file.size for file in files) - settings.CACHE_MB * 1024 * 1024
    removed = 0
    for file in files:
        age = (now - file.changed_at).total_seconds()
        if age < IN_USE_SECONDS or (excess <= 0 and age < settings.CACHE_DAYS * DAY_SECONDS):
            break
        DERIVED.delete(file.key)
        excess -= file.size
        removed += 1
    return removed
