"""Files of results: each goes after its days, with its bulk action, and with any document whose values it holds."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from documents.models import BulkAction, Document, ResultFile
from documents.storage.stored_files import UPLOADS

FOLDER = "results"
AT_ONCE = 100
# One that is being written has no row yet.
GRACE = timedelta(days=1)


def make_key(organization_id: str, name: str) -> str:
    return f"{FOLDER}/{organization_id}/{name}"


def delete_files(rows: QuerySet[ResultFile, ResultFile]) -> int:
    """The bytes first: a row without its file says that it is gone, a file without a row says nothing."""
    number = 0
    while files := list(rows[:AT_ONCE]):
        for file in files:
            UPLOADS.delete(file.key)
            file.delete()
        number += len(files)
    return number


def delete_files_with(document: Document) -> None:
    """Delete the files that hold values of it. One that is just being named is waited for: then its row is seen, or
    its worker sees that the document goes.
    """
    with transaction.atomic():
        actions = BulkAction.objects.filter(items__document=document, kind=BulkAction.Kind.DOWNLOAD)
        list(actions.filter(status__in=BulkAction.UNDER_WAY).select_for_update(of=("self",)).values_list("pk"))
    delete_files(ResultFile.objects.filter(action__items__document=document).distinct())


def delete_expired() -> int:
    """Delete files whose days are over, and what a worker left that was killed while it stored one."""
    number = delete_files(ResultFile.objects.filter(expires_at__lte=timezone.now()).order_by("expires_at"))
    limit = timezone.now() - GRACE
    old = [stored.key for stored in UPLOADS.iterate(FOLDER) if stored.changed_at < limit]
    known = set(ResultFile.objects.filter(key__in=old).values_list("key", flat=True))
    for key in set(old) - known:
        UPLOADS.delete(key)
    return number
