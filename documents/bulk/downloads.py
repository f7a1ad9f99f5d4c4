"""The file of a download: the originals as a ZIP, or results; a small one is made while it is sent.

What changed since such a download was asked for counts as it is now: a document in the trash is left out.
"""

from __future__ import annotations

import zipfile
from collections.abc import Generator, Iterator
from pathlib import PurePosixPath

from django.utils import timezone

from accounts.actor import Actor
from accounts.services import audit
from documents.bulk.kinds import ActionOver, get_kind
from documents.bulk.kinds.base import IN_TRASH
from documents.bulk.kinds.downloading import ORIGINALS, RESULTS
from documents.bulk.requesters import enter_as_requester
from documents.bulk.requesting import require_own
from documents.bulk.result_files import read_layout
from documents.models import BulkAction, BulkItem, Document, ResultFile
from documents.reading import pages
from documents.results import MEDIA_TYPES, ResultExport, name_file
from documents.results.exporting import find_suffix
from documents.results.layout import plan_columns
from documents.results.loading import list_counted_runs
from documents.storage.stored_files import UPLOADS
from kit.errors import Conflict, Denied, Invalid, NotFound
from kit.http.file_answers import OpenedFile
from kit.http.streamed_files import BLOCK_BYTES, StreamedBlocks, WrittenParts

DOCUMENTS_AT_ONCE = 50
LEFT_OUT = "left-out.txt"
MISSING = "The stored file is missing."
NOT_YET = "The file is being written. Ask again when the bulk action has ended."
GONE = "The file is not there any more. Ask for the download again."
LOST_ACCESS = "Whoever asked for this file has no access any more, so nobody gets it. Ask for it yourself."


def open_download(actor: Actor, *, action: BulkAction) -> StreamedBlocks | OpenedFile:
    """Raises Invalid for an action of another kind; of a file that a worker writes Conflict until it is there, NotFound
    once it is gone, and Denied for others than who asked and admins, and for all when whoever asked has lost access.
    """
    if action.kind != BulkAction.Kind.DOWNLOAD:
        raise Invalid("This bulk action is no download.")
    if action.arguments["content"] == ORIGINALS:
        name = f"{ORIGINALS}-{action.created_at:%Y-%m-%d}.zip"
        return StreamedBlocks(name, MEDIA_TYPES["zip"], _make_zip(actor, action))
    if not get_kind(action.kind).is_immediate(action):
        return _open_file(actor, action)
    layout = read_layout(action)
    runs = list_counted_runs(layout).filter(document__bulk_items__action=action)
    export = ResultExport(actor.organization, layout, plan_columns(actor, layout, runs))
    blocks = export.iterate_blocks(export.loader.iterate_items(action))
    return StreamedBlocks(name_file(layout), MEDIA_TYPES[find_suffix(layout)], filter(None, blocks))


def _open_file(actor: Actor, action: BulkAction) -> OpenedFile:
    require_own(actor, action)
    try:
        enter_as_requester(action, get_kind(action.kind).role)
    except ActionOver:
        raise Denied(LOST_ACCESS) from None
    if action.status in BulkAction.UNDER_WAY:
        raise Conflict(NOT_YET, code="under_way")
    file = ResultFile.objects.filter(action=action, expires_at__gt=timezone.now()).first()
    if file is None:
        raise NotFound(GONE)
    try:
        content = UPLOADS.open(file.key)
    except FileNotFoundError:
        raise NotFound(GONE) from None
    audit.record(actor, "downloaded", action, kind=action.kind, content=RESULTS, documents=action.done_count)
    return OpenedFile(content, file.name, MEDIA_TYPES[file.name.rpartition(".")[2]], f'"{file.pk}"')


def _list_documents(actor: Actor, action: BulkAction) -> Iterator[list[Document]]:
    """In parts, in the order of the selection."""
    last = 0
    while items := list(BulkItem.objects.filter(action=action, pk__gt=last).order_by("pk")[:DOCUMENTS_AT_ONCE]):
        last = items[-1].pk
        rows = Document.objects.filter(organization=actor.organization).in_bulk([item.document_id for item in items])
        yield [rows[item.document_id] for item in items if item.document_id in rows]


def _make_zip(actor: Actor, action: BulkAction) -> Iterator[bytes]:
    sink, numbers, left_out = WrittenParts(), {LEFT_OUT: 1}, []
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_STORED) as archive:
        for documents in _list_documents(actor, action):
            for document in documents:
                reason = yield from _add_file(archive, sink, document, numbers)
                if reason:
                    left_out.append(f"{document.name}: {reason}\n")
        if left_out:
            archive.writestr(LEFT_OUT, "".join(left_out))
    yield sink.take()


def _add_file(
    archive: zipfile.ZipFile, sink: WrittenParts, document: Document, numbers: dict[str, int]
) -> Generator[bytes, None, str]:
    """Why there is none; empty when it was added."""
    if document.trashed_at is not None:
        return IN_TRASH
    try:
        file = pages.open_upload(document)
    except FileNotFoundError:
        return MISSING
    entry = zipfile.ZipInfo(_choose_name(document.name, numbers), document.created_at.timetuple()[:6])
    with file.content, archive.open(entry, "w") as target:
        while block := file.content.read(BLOCK_BYTES):
            target.write(block)
            yield sink.take()
    return ""


def _choose_name(name: str, numbers: dict[str, int]) -> str:
    """`a.pdf`, `a (2).pdf`: a name stands in a ZIP once, whatever its case. `numbers` has the last one of each."""
    path, chosen, folded = PurePosixPath(name), name, name.casefold()
    while chosen.casefold() in numbers:
        numbers[folded] += 1
        chosen = f"{path.stem} ({numbers[folded]}){path.suffix}"
    numbers[chosen.casefold()] = 1
    return chosen
