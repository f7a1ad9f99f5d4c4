"""The file of a download, in blocks: the originals as a ZIP, or the current values as JSON or CSV.

What changed since the download was asked for counts as it is now: a document in the trash is left out.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from accounts.actor import Actor
from documents import values
from documents.bulk.kinds.base import IN_TRASH
from documents.extractions.field_proofs import FieldProofs, Leaf
from documents.models import BulkAction, BulkItem, Document, Extraction
from documents.reading import pages
from documents.reading.exports.formulas import escape_formula
from kit.errors import Invalid

BLOCK_BYTES = 256 * 1024
DOCUMENTS_AT_ONCE = 50
LEFT_OUT = "left-out.txt"
MISSING = "The stored file is missing."
MEDIA_TYPES = {"zip": "application/zip", "json": "application/json", "csv": "text/csv; charset=utf-8"}


@dataclass(frozen=True)
class DownloadFile:
    name: str
    media_type: str
    blocks: Iterator[bytes]


def open_download(actor: Actor, *, action: BulkAction) -> DownloadFile:
    """Raises Invalid for an action of another kind."""
    if action.kind != BulkAction.Kind.DOWNLOAD:
        raise Invalid("This bulk action is no download.")
    suffix = str(action.arguments["format"])
    make = {"zip": _make_zip, "json": _make_json, "csv": _make_csv}[suffix]
    name = f"{action.arguments['content']}-{action.created_at:%Y-%m-%d}.{suffix}"
    return DownloadFile(name, MEDIA_TYPES[suffix], make(actor, action))


def _list_documents(actor: Actor, action: BulkAction) -> Iterator[list[Document]]:
    """In parts, in the order of the selection."""
    last = 0
    while items := list(BulkItem.objects.filter(action=action, pk__gt=last).order_by("pk")[:DOCUMENTS_AT_ONCE]):
        last = items[-1].pk
        rows = Document.objects.filter(organization=actor.organization).in_bulk([item.document_id for item in items])
        yield [rows[item.document_id] for item in items if item.document_id in rows]


class _Sink(io.RawIOBase):
    """What has been written and was not taken yet. It cannot be sought in, so the ZIP is written front to back."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        part = bytes(data)
        self.parts.append(part)
        return len(part)

    def take(self) -> bytes:
        block, self.parts = b"".join(self.parts), []
        return block


def _make_zip(actor: Actor, action: BulkAction) -> Iterator[bytes]:
    sink, numbers, left_out = _Sink(), {LEFT_OUT: 1}, []
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
    archive: zipfile.ZipFile, sink: _Sink, document: Document, numbers: dict[str, int]
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


def _list_results(actor: Actor, action: BulkAction) -> Iterator[tuple[Document, list[Extraction]]]:
    """Of each document that is not in the trash the newest completed run of each prompt."""
    for documents in _list_documents(actor, action):
        runs = Extraction.objects.filter(document__in=documents, status=Extraction.Status.COMPLETED)
        newest: dict[tuple[str, str], Extraction] = {}
        of_prompts = runs.exclude(prompt_revision=None).select_related("prompt_revision__prompt").defer("raw")
        for run in of_prompts.order_by("number"):
            if run.prompt_revision:
                newest[run.document_id, run.prompt_revision.prompt_id] = run
        for document in documents:
            if document.trashed_at is None:
                yield document, [run for key, run in newest.items() if key[0] == document.pk]


def _make_json(actor: Actor, action: BulkAction) -> Iterator[bytes]:
    separator = "[\n"
    for document, runs in _list_results(actor, action):
        whole = {
            "document_id": document.pk,
            "document_name": document.name,
            "results": [_describe_run(run) for run in runs],
        }
        yield f"{separator}{json.dumps(whole, ensure_ascii=False)}".encode()
        separator = ",\n"
    yield b"[]\n" if separator == "[\n" else b"\n]\n"


def _describe_run(run: Extraction) -> dict[str, object]:
    revision, proofs = run.prompt_revision, FieldProofs(run)
    return {
        "prompt_revid": run.prompt_revision_id,
        "prompt_name": revision.prompt.name if revision else "",
        "prompt_version": revision.number if revision else 1,
        "extraction_id": run.pk,
        "values": values.strip_row_ids(run.current),
        "without_value": {leaf.path: _explain_empty(proofs, leaf) for leaf in proofs.list_leaves() if leaf.is_empty},
    }


def _explain_empty(proofs: FieldProofs, leaf: Leaf) -> dict[str, str]:
    return {"state": proofs.find_state(leaf), "note": proofs.find_place(leaf).get("note", "")}


def _make_csv(actor: Actor, action: BulkAction) -> Iterator[bytes]:
    """A line a value. With a mark of its encoding, without which Excel takes UTF-8 for something else."""
    yield "\ufeff".encode()
    yield _format_lines([["document_id", "document", "prompt", "version", "field", "value", "state"]])
    for document, runs in _list_results(actor, action):
        for run in runs:
            revision, proofs = run.prompt_revision, FieldProofs(run)
            head = [document.pk, document.name, revision.prompt.name if revision else "", revision and revision.number]
            yield _format_lines(
                [*head, leaf.path, "" if leaf.is_empty else leaf.value, proofs.find_state(leaf)]
                for leaf in proofs.list_leaves()
            )


def _format_lines(lines: Iterable[Iterable[object]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out)
    for line in lines:
        writer.writerow(map(escape_formula, line))
    return out.getvalue().encode()
