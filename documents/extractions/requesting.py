"""What a client asks for: the result that is there, the run under way, or a new one; and waiting for its end."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db import transaction

from accounts.actor import Actor
from accounts.models import Role
from documents import holding
from documents.catalog import state
from documents.extractions.continuing import go_on
from documents.extractions.running import start
from documents.extractions.storing import get_newest_of
from documents.models import Document, Extraction, PromptRevision
from kit import jobs
from kit.errors import Conflict, NotFound
from kit.jobs import Job
from kit.rows.connections import release_connection

Status = Extraction.Status
MAX_KEYS = 100
"""Of one run. A client that asks again and again with a new key each time would make its row longer without end."""
UNDER_WAY = (Status.QUEUED, Status.RUNNING)
KEY_USED = "This Idempotency-Key was used for another run of this document already."
GONE = "The document was deleted for good, and its runs with it."
FIRST_LOOK_SECONDS, LONGEST_PAUSE_SECONDS = 0.05, 1.0


@dataclass(frozen=True)
class Rest:
    """What is asked for of a result that is there: the pages that it misses, or these."""

    pages: Sequence[int] = ()


@transaction.atomic
def request(
    actor: Actor,
    *,
    document: Document,
    prompt_revision: PromptRevision | None,
    force: bool = False,
    rest: Rest | None = None,
    key: str = "",
    checks_type: bool = False,
) -> Extraction:
    """The run that answers the request: the newest completed one unless `force`, else one under way, else a new one.

    With `rest` it is the one that goes on with the newest completed one, where that misses pages.

    The same `key` (a client's Idempotency-Key) gets the same run again, also with `force`, unless that run ended
    without a result. Earlier runs and their edits stay. Raises Conflict where the key came with another prompt or
    `force`, and with `checks_type` for a new run that does not fit the type; Invalid when the document was not read or
    the model cannot be used.
    """
    actor.require(Role.REVIEWER)
    state.lock_document(document.pk)
    mark = _hash_request(actor, prompt_revision, f"{force}" if rest is None else f"rest {list(rest.pages)}", key)
    if mark and (known := _find_by_key(document, mark)):
        return known
    newest = None if force else get_newest_of(document, prompt_revision)
    if newest and rest and (rest.pages or newest.pages_missing):
        newest = go_on(actor, extraction=newest, pages=rest.pages)
    if newest is None and checks_type:
        _require_fit(document, prompt_revision)
    extraction = newest or start(actor, document=document, prompt_revision=prompt_revision)
    if mark:
        extraction.request_keys = [*extraction.request_keys, mark][-MAX_KEYS:]
        extraction.save(update_fields=["request_keys"])
    _wake_waiting_run(extraction)
    return extraction


@transaction.atomic
def start_by_hand(
    actor: Actor, *, document: Document, prompt_revision: PromptRevision, model: str = "", anyway: bool = False
) -> Extraction:
    """A new run that a person asks for. Where the document is surely of another type it asks once, by a Conflict of
    code `another_type`; with `anyway` it runs, and nobody is asked again about this prompt on this document."""
    actor.require(Role.REVIEWER)
    state.lock_document(document.pk)
    if not anyway:
        _require_fit(document, prompt_revision)
    holding.allow(document, prompt_revision, actor.user)
    return start(actor, document=document, prompt_revision=prompt_revision, model=model)


def _require_fit(document: Document, prompt_revision: PromptRevision | None) -> None:
    if reason := holding.find_reason_to_ask(document, prompt_revision):
        raise Conflict(f"{reason} Run it anyway, or choose another prompt.", code=holding.ANOTHER_TYPE)


def wait_for(extraction: Extraction, *, seconds: float, check: Callable[[], object] = bool) -> Extraction:
    """The run as it is at its end, when it waits for money, or after so long. Keeps no database connection meanwhile.

    The caller may go away: the run goes on in the worker. `check` runs before each further look, and what it raises
    ends the waiting. Raises NotFound when the document was deleted for good meanwhile.
    """
    deadline, pause = time.monotonic() + seconds, FIRST_LOOK_SECONDS
    while extraction.status in UNDER_WAY and not extraction.waits_for_budget:
        left = deadline - time.monotonic()
        if left <= 0:
            break
        release_connection()
        time.sleep(min(pause, left))
        pause = min(pause * 1.5, LONGEST_PAUSE_SECONDS)
        check()
        try:
            extraction.refresh_from_db()
        except Extraction.DoesNotExist:
            raise NotFound(GONE) from None
    return extraction


def _hash_request(actor: Actor, prompt_revision: PromptRevision | None, wish: str, key: str) -> str:
    """The key's digest, which is another one for each person, and that of what is asked with it."""
    if not key:
        return ""
    parts = (f"{actor.user.pk} {key}", f"{prompt_revision.pk if prompt_revision else 'default'} {wish}")
    return ".".join(hashlib.sha256(part.encode()).hexdigest() for part in parts)


def _find_by_key(document: Document, mark: str) -> Extraction | None:
    """Raises Conflict where another request came with the key."""
    runs = document.extractions.exclude(status=Status.FAILED).exclude(status=Status.WITHDRAWN, result=None)
    keys = runs.order_by("-number").values_list("pk", "request_keys")  # what the runs brought can be very long
    of_key = mark.partition(".")[0] + "."
    known = next(((pk, one) for pk, marks in keys for one in marks if one.startswith(of_key)), None)
    if known is None:
        return None
    if known[1] != mark:
        raise Conflict(KEY_USED, code="key_used")
    return runs.get(pk=known[0])


def _wake_waiting_run(extraction: Extraction) -> None:
    """Somebody asks again, perhaps because the budget was raised: a run that waits for money tries at once."""
    waiting = Extraction.objects.filter(pk=extraction.pk, status=Status.QUEUED, waits_for_budget=True)
    if waiting.update(waits_for_budget=False, reason="", lease_until=None):
        jobs.enqueue(Job.RUN_EXTRACTION, extraction.pk)
        extraction.refresh_from_db()
