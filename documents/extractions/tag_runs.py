"""Runs that begin by themselves, since a document carries the tag of a prompt: after reading, and when it is tagged.

A prompt that does not fit the type of the document is held until a person decides (`holding`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Role, User
from accounts.services import audit
from documents import holding
from documents.catalog import state
from documents.definitions import prompts
from documents.extractions import drafting, storing
from documents.extractions.running import queue
from documents.models import Document, Extraction, HeldRun, PromptRevision, Reading, Tag
from documents.reading import reading
from kit.errors import Invalid, NotFound
from kit.rows.row_guard import RowGuard

MAX_PER_SWEEP = 200
_stale_holds = RowGuard("run that is held for a former type")


@transaction.atomic
def start_matching(document: Document) -> list[Extraction]:
    """What runs by itself after reading: each prompt that shares a tag, and the default prompt unless turned off.

    May be called again: what has run, waits or has failed on the newest reading is not started twice.
    """
    source = drafting.require_reading(document)
    Document.objects.select_for_update().get(pk=document.pk)
    matching: list[PromptRevision | None] = list(prompts.list_matching_prompts(document))
    if document.organization.default_prompt_enabled:
        matching.append(None)
    return _start_fresh(document, matching, source, document.uploaded_by)


class Started(NamedTuple):
    """The runs that began, and those that wait for a person, since the document is surely of another type."""

    runs: list[Extraction]
    held_runs: list[HeldRun]


def start_for_tags(actor: Actor, *, document: Document, tags: Sequence[Tag]) -> Started:
    """The prompts of these tags, which it carries by now, where they have not run on its newest reading.

    Under the document's lock. Starts nothing on a document that is not read yet: they run by themselves then.
    """
    actor.require(Role.REVIEWER)
    matching = prompts.list_matching_prompts(document, tags)
    source = reading.get_newest(document) if matching else None
    if source is None:
        return Started([], [])
    runs = _start_fresh(document, matching, source, actor.user)
    waiting = holding.list_waiting(document).filter(prompt__in=[revision.prompt_id for revision in matching])
    return Started(runs, list(waiting.select_related("prompt")))


@transaction.atomic
def run_held(actor: Actor, *, held_run: HeldRun) -> Extraction | None:
    """Runs the newest version of its prompt although the document is of another type; None where that has run.

    Raises Conflict where it was decided before, NotFound for a document in the trash, Invalid where nothing can run.
    """
    actor.require(Role.REVIEWER)
    document = state.lock_document(held_run.document_id)
    if document.trashed_at is not None or held_run.prompt.trashed_at is not None or held_run.prompt.latest is None:
        raise NotFound("Held run not found")
    holding.decide(held_run, HeldRun.Status.RUN, actor.user)
    runs = _start_fresh(document, [held_run.prompt.latest], drafting.require_reading(document), actor.user)
    ids = [run.pk for run in runs]
    audit.record(actor, "ran a held prompt", document, prompt=held_run.prompt.name, held_run=held_run.pk, run_ids=ids)
    return runs[0] if runs else None


@transaction.atomic
def reconsider_held(document_id: str) -> list[Extraction]:
    """After the type or the tags of the document have changed: starts what fits by now and ends what is not asked for.

    The others wait on, with a reason that says the type that the document has now.
    """
    document = state.lock_document(document_id)
    holding.end_untagged(document)
    source, runs = reading.get_newest(document), list[Extraction]()
    for held_run in holding.list_waiting(document).select_related("prompt__latest", "requested_by"):
        if source and held_run.prompt.latest:
            held_run.prompt.latest.prompt = held_run.prompt
            runs += _start_fresh(document, [held_run.prompt.latest], source, held_run.requested_by)
    return runs


def reconsider_stale() -> int:
    """Looks again at what was held for a type that the document no longer has; answers how many these were."""
    return _stale_holds.run_each(holding.list_stale(), _reconsider_one, maximum=MAX_PER_SWEEP)


def _reconsider_one(held_id: str) -> None:
    held_run = HeldRun.objects.filter(pk=held_id).first()
    if held_run is not None:
        reconsider_held(held_run.document_id)


def _start_fresh(
    document: Document, matching: Sequence[PromptRevision | None], source: Reading, user: User | None
) -> list[Extraction]:
    """In a transaction that has the document's lock. A prompt that does not fit its type is held."""
    known = set(source.extractions.values_list("prompt_revision_id", flat=True))
    fresh = [revision for revision in matching if (revision.pk if revision else None) not in known]
    allowed = holding.keep_fitting(document, fresh, user)
    return [_queue_or_fail(document, revision, source, user) for revision in allowed]


def _queue_or_fail(
    document: Document, revision: PromptRevision | None, source: Reading, user: User | None
) -> Extraction:
    """A prompt that cannot run leaves a failed run with the reason: nobody is there to read an error."""
    try:
        return queue(document, revision, "", user)[0]
    except Invalid as error:
        failed = Extraction.objects.create(
            document=document,
            number=storing.get_next_number(document),
            reading=source,
            prompt_revision=revision,
            model=revision.model if revision else "",
            status=Extraction.Status.FAILED,
            reason=error.sentence,
            requested_by=user,
            finished_at=timezone.now(),
        )
        storing.publish_change(failed)
        return failed
