"""Runs that are held since a document is surely of another type than the prompt is for. A person decides them.

They are rows: they survive restarts, and of all who decide at once one wins.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.services import audit
from documents.definitions import fitting, prompts
from documents.models import Document, HeldRun, Prompt, PromptRevision
from kit import events
from kit.errors import Conflict
from kit.rows.state import move

Status = HeldRun.Status
DECIDED = "This held run was decided already: {state}{by}."
ANOTHER_TYPE = "another_type"
"""The code of a refusal that a run by hand gets where nobody has said that it shall run anyway."""


def keep_fitting(
    document: Document, revisions: Sequence[PromptRevision | None], user: User | None
) -> list[PromptRevision | None]:
    """Holds those that do not fit, once each, and answers the others. The default prompt fits every document.

    Under the document's lock. A prompt that a person let run on this document is not held there again.
    """
    now = Document.objects.select_related("document_type").get(pk=document.pk)
    allowed = _list_allowed(now)
    fitting_ones: list[PromptRevision | None] = []
    for revision in revisions:
        known = revision is None or revision.prompt_id in allowed
        reason = "" if known or revision is None else fitting.find_misfit(now, revision)
        if revision is not None and reason:
            _make_wait(now, revision.prompt, reason, user)
        else:
            fitting_ones.append(revision)
            end_waiting(now, [revision.prompt_id] if revision else [])
    return fitting_ones


def find_reason_to_ask(document: Document, revision: PromptRevision | None) -> str:
    """A sentence for whoever runs the prompt by hand, until somebody has let it run on this document or it has."""
    if revision is None or revision.prompt_id in _list_allowed(document):
        return ""
    if document.extractions.filter(prompt_revision__prompt=revision.prompt_id, status="completed").exists():
        return ""
    return fitting.find_misfit(document, revision)


def allow(document: Document, revision: PromptRevision, user: User) -> None:
    """Notes that a person lets the prompt run on this document whatever its type, so that nobody is asked again."""
    decided = {"status": Status.RUN, "decided_by": user, "decided_at": timezone.now()}
    if list_waiting(document).filter(prompt=revision.prompt_id).update(**decided):
        return
    reason = fitting.find_misfit(document, revision)
    if reason and revision.prompt_id not in _list_allowed(document):
        HeldRun.objects.create(
            document=document, prompt=revision.prompt, document_type=document.document_type, reason=reason, **decided
        )


def list_waiting(document: Document) -> QuerySet[HeldRun, HeldRun]:
    return HeldRun.objects.filter(document=document, status=Status.WAITING)


def list_stale() -> QuerySet[HeldRun, HeldRun]:
    """List those of documents whose type is another one by now, or not sure any more, once it has been told again.

    Also those whose prompt may be for other types by now.
    """
    is_other = Q(document__document_type=None) | ~Q(document_type=F("document__document_type"))
    return HeldRun.objects.filter_waiting().filter(is_other, document__type_decision__isnull=False)


def decide(held_run: HeldRun, to: Status, user: User) -> HeldRun:
    """Moves it, under the lock of its document. Raises Conflict with what was decided before."""
    try:
        move(held_run, to, transitions=HeldRun.TRANSITIONS, decided_by=user, decided_at=timezone.now())
    except Conflict:
        held_run.refresh_from_db()
        name = held_run.decided_by.shown_name if held_run.decided_by else ""
        sentence = DECIDED.format(state=held_run.get_status_display().lower(), by=f" by {name}" if name else "")
        winner: dict[str, object] = {"kind": held_run.status, "by": name}
        raise Conflict(sentence, winner=winner, code="decided") from None
    publish_change(held_run.document)
    return held_run


def end_waiting(document: Document, prompt_ids: Sequence[str]) -> int:
    """End those of these prompts, which need no decision any more."""
    waiting = list_waiting(document).filter(prompt__in=prompt_ids) if prompt_ids else HeldRun.objects.none()
    ended = waiting.update(status=Status.ENDED, decided_at=timezone.now())
    if ended:
        publish_change(document)
    return ended


def end_untagged(document: Document) -> int:
    """Ends those whose prompt shares no tag with the document any more."""
    matching = {revision.prompt_id for revision in prompts.list_matching_prompts(document)}
    gone = [held_run.prompt_id for held_run in list_waiting(document) if held_run.prompt_id not in matching]
    return end_waiting(document, gone)


def publish_change(document: Document) -> None:
    for group in (events.document_group(document.pk), events.organization_group(document.organization_id)):
        events.publish(group, "document.changed", document_id=document.pk, state=document.state)


def _list_allowed(document: Document) -> set[str]:
    return set(HeldRun.objects.filter(document=document, status=Status.RUN).values_list("prompt_id", flat=True))


def _make_wait(document: Document, prompt: Prompt, reason: str, user: User | None) -> None:
    held_run, is_new = HeldRun.objects.update_or_create(
        document=document,
        prompt=prompt,
        status=Status.WAITING,
        defaults={"document_type": document.document_type, "reason": reason},
        create_defaults={"document_type": document.document_type, "reason": reason, "requested_by": user},
    )
    if is_new:
        detail = {"prompt": prompt.name, "held_run": held_run.pk}
        audit.record_outside(None, "held", document, organization=document.organization, **detail)
    publish_change(document)
