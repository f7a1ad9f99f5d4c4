"""The password of a locked PDF: tried before a reading is begun with it, so that a wrong one is answered at once."""

from __future__ import annotations

from django.conf import settings
from django.db import connection

from accounts.actor import Actor
from accounts.models import Role
from accounts.services.sign_in.throttle import begin_attempt
from documents.models import Document, Reading, ReasonCode
from documents.reading import reading
from documents.storage.stored_files import UPLOADS
from kit.errors import Busy, Conflict, Invalid, NotFound
from reader.pool.readers import get_pool

MAX_PASSWORD = 255


def unlock(actor: Actor, *, document: Document, password: str) -> Reading:
    """Reads the document with the password, which is kept encrypted with the reading and nowhere else.

    Raises Invalid with a code of ReasonCode for a wrong one, which is kept nowhere, TooMany after several, and Busy
    where no reader is free; Invalid of code `not_locked` when it waits for none, and Conflict while it is being read.
    Call it in no transaction.
    """
    actor.require(Role.REVIEWER)
    _require_locked(document)
    attempt = begin_attempt("unlock", account=document.pk)
    try:
        _check_password(document, password)
    except Busy:
        attempt.withdraw()
        raise
    attempt.succeed()
    return reading.start(actor, document=document, password=password)


def _require_locked(document: Document) -> None:
    newest = document.readings.order_by("-number").first()
    if newest and newest.status in (Reading.Status.QUEUED, Reading.Status.READING):
        raise Conflict("This document is being read. Send the password when that has ended, if it asks for one.")
    if newest is None or not newest.reason_code:
        raise Invalid("This document does not ask for a password.", code="not_locked")


def _check_password(document: Document, password: str) -> None:
    if not password:
        raise Invalid("The password is empty.", code=ReasonCode.PASSWORD_MISSING)
    if len(password) > MAX_PASSWORD:
        raise Invalid(f"The password has {len(password):,} characters; {MAX_PASSWORD} is the most.")
    if not connection.in_atomic_block:
        connection.close()  # a free reader may have to be waited for
    try:
        with UPLOADS.lend(str(document.file)) as file:
            get_pool().inspect(
                file,
                password=password,
                max_pages=settings.MAX_PAGES,
                max_bytes=settings.MAX_UPLOAD_MB * 1024 * 1024,
                group=document.organization_id,
            )
    except FileNotFoundError:
        raise NotFound("The stored file is missing. Upload the document again.") from None
