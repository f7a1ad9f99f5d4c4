"""Files in, over /v0: a JSON batch with base64, or one multipart form."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Required, TypedDict

from django.core.files.base import ContentFile
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.request import Request

from accounts.actor import Actor
from accounts.api.access import OrganizationView
from accounts.api.wire.described import Header, describe
from accounts.api.wire.errors import Unprocessable, make_fault
from accounts.api.wire.responses import Answer
from accounts.models import Role
from documents.api import answers
from documents.api.serializers import UploadForm, serialize_stored
from documents.catalog.media_types import TAKEN_IN
from documents.intake import many_parts, uploads
from documents.intake.uploads import IDENTICAL, IDENTICAL_CODE
from documents.models import Document
from documents.storage.stored_files import UPLOADS
from kit import sanitize
from kit.errors import AppError, Conflict, DiskFull, Invalid, TooLarge
from kit.http.bodies import Body, format_size
from kit.json_types import Json

MAX_KEY = 200
BY_FIELD = " Send unpack_many: true to take them."
TOO_LARGE_AS_JSON = "The JSON upload takes {maximum} at most. Send larger files one by one to {path}/multipart."


UPLOAD_KEY = Header("Idempotency-Key", "The same key again gives the document of the first time.")
TOO_LARGE = "scan.pdf is larger than 50 MB, the most that is taken here."
UNSUPPORTED = f"Unsupported file extension .exe: notes.exe. {TAKEN_IN}"
UPLOAD_REFUSALS = {
    409: [
        "This Idempotency-Key was used for another file already.",
        IDENTICAL.format(name="copy.pdf", first="invoice.pdf"),
    ],
    413: [TOO_LARGE],
    507: [UPLOADS.when_full],
}


class SentFile(TypedDict, total=False):
    """A file of a batch, as `NewDocument` has checked it."""

    name: Required[str]
    content: Required[str]
    tag_ids: list[str] | None
    metadata: dict[str, str] | None
    auto_create: bool | None
    password: str | None
    unpack_many: bool


def store_batch(actor: Actor, files: Sequence[SentFile], *, key: str = "") -> answers.StoredDocuments:
    """Raises TooLarge, DiskFull or Invalid with every reason when no file could be stored; Conflict when each of them
    is here already or would bring many documents unasked.

    With a key each file of the batch has the key and its place as its own.
    """
    stored: list[Document] = []
    errors: list[tuple[str, AppError]] = []
    for at, entry in enumerate(files):
        try:
            stored.append(_store(actor, entry, f"{key}#{at}" if key else ""))
        except AppError as error:
            errors.append((entry["name"], error))
    if errors and not stored:
        if all(error.code in (IDENTICAL_CODE, many_parts.CODE) for _, error in errors):
            raise errors[0][1]
        kinds = {type(error) for _, error in errors}
        kind = kinds.pop() if kinds in ({TooLarge}, {DiskFull}) else Invalid
        raise kind(" ".join(dict.fromkeys(error.sentence for _, error in errors)))
    return {
        "documents": [serialize_stored(document) for document in stored],
        "errors": [{"name": name, "detail": error.sentence} for name, error in errors],
    }


def check_batch_size(request: Request) -> None:
    """Raises TooLarge before the body is read: as JSON a file is in memory several times."""
    maximum = Body.BASE64.max_bytes
    if int(request.META.get("CONTENT_LENGTH") or 0) > maximum:
        raise TooLarge(TOO_LARGE_AS_JSON.format(maximum=format_size(maximum), path=request.path))


def read_upload_key(request: Request) -> str:
    """The Idempotency-Key header, which makes an upload that is sent again the same upload. Raises Invalid."""
    key = request.headers.get("Idempotency-Key", "").strip()
    if len(key) > MAX_KEY or not key.isprintable():
        raise Invalid(f"The Idempotency-Key must be at most {MAX_KEY} printable characters.")
    return key


@contextmanager
def name_field() -> Iterator[None]:
    """Says by which field a program confirms that many documents are meant."""
    try:
        yield
    except Conflict as error:
        error.sentence += BY_FIELD if error.code == many_parts.CODE else ""
        raise


@name_field()
def _store(actor: Actor, entry: SentFile, key: str) -> Document:
    return uploads.store(
        actor,
        name=entry["name"],
        content=ContentFile(decode_content(entry["content"]), name=entry["name"]),
        tag_ids=entry.get("tag_ids") or (),
        metadata=entry.get("metadata") or {},
        key=key,
        auto_setup=entry.get("auto_create"),
        password=entry.get("password") or "",
        unpack_many=entry.get("unpack_many", False),
    )


def decode_content(content: str) -> bytes:
    """The bytes of base64 or of a data URL. Raises Invalid."""
    if content.startswith("data:"):
        head, comma, content = content.partition(",")
        if not comma or not head.endswith(";base64"):
            raise Invalid("Invalid base64 content: the data URL is not base64")
    try:
        return base64.b64decode("".join(content.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Invalid(f"Invalid base64 content: {error}") from None


class MultipartUpload(OrganizationView):
    body_kind = Body.FILE
    roles = {"POST": Role.REVIEWER}
    open_to_uploads = frozenset({"POST"})
    parser_classes = (MultiPartParser, FormParser)
    bodies = {"POST": UploadForm}

    @describe(
        "Upload one document as a form",
        query=[UPLOAD_KEY],
        refusals={
            **UPLOAD_REFUSALS,
            400: ["File name is required", UNSUPPORTED, "tag_ids must be a JSON array of strings"],
            415: ['Unsupported media type "application/json" in request.'],
        },
    )
    @name_field()
    def post(self, request: Request) -> Answer[answers.Upload]:
        """Up to MAX_UPLOAD_MB (50). `name` replaces the file's own."""
        sent = self.read_body()
        _require_one_file(request)
        stored = uploads.store(
            self.actor,
            name=sent["name"] or sent["file"].name or "",
            content=sent["file"],
            tag_ids=_parse_tag_ids(sent["tag_ids"] or "[]"),
            metadata=_parse_metadata(sent["metadata"] or "{}"),
            key=read_upload_key(request),
            auto_setup=_parse_switch("auto_create", sent["auto_create"]),
            unpack_many=bool(_parse_switch("unpack_many", sent["unpack_many"])),
            password=sent["password"],
        )
        return Answer({"document": serialize_stored(stored)})


def _require_one_file(request: Request) -> None:
    """Raises Unprocessable: of several only the last would be kept."""
    if (count := sum(len(files) for _, files in request.FILES.lists())) > 1:
        raise Unprocessable([make_fault("body", "file", f"Send one file in each request: this one holds {count}.", {})])


def _parse_switch(name: str, sent: str) -> bool | None:
    """A form field; None where it is not sent. Raises Invalid."""
    known = {"true": True, "1": True, "false": False, "0": False, "": None}
    word = sent.strip().lower()
    if word not in known:
        raise Invalid(f"{name} must be true or false, not {word[:40]}")
    return known[word]


def _parse_tag_ids(sent: str) -> list[str]:
    value = _parse_json(sent, "tag_ids")
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise Invalid("tag_ids must be a JSON array of strings")
    return value


def _parse_metadata(sent: str) -> dict[str, str]:
    value = _parse_json(sent, "metadata")
    if not isinstance(value, dict) or not all(isinstance(entry, str) for entry in value.values()):
        raise Invalid("metadata must be a JSON object with string values")
    return value


def _parse_json(sent: str, name: str) -> Json:
    try:
        return sanitize.parse(sent)
    except ValueError as error:
        raise Invalid(f"Invalid {name} JSON: {error}") from None
