"""Warnings of a card before values are changed: what the pages lack, and what others have set or verified."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.utils import timezone

from agent.toolkit.registry import ToolContext
from documents.extractions.edits.field_titles import describe_path
from documents.locate.choice import NO_MATCH
from documents.models import Extraction, FieldEdit, Verification
from documents.values import Change, State
from documents.values.addresses import overlaps

NOT_FOUND = "The new value was not found on the pages."
MISSING = "Not found on the pages"
SIMILAR = "Only similar words on the pages"
UNTIED = "On the pages, but not clearly in its place"
MAX_NAMES = 5


def warn_of_missing(context: ToolContext, extraction: Extraction, planned: Sequence[tuple[str, Change]]) -> list[str]:
    """Nothing of the pages is said where they were searched for another change, as after a step of a plan."""
    unproven = {
        describe_path(extraction, f"{path}{inside}"): place
        for number, (path, change) in enumerate(planned)
        if (located := context.evidence.of(change, number))
        for inside, place in located.find_unproven().items()
    }
    if len(planned) == len(unproven) == 1:
        [place] = unproven.values()
        words_there = f"Only “{place.words}” is on the pages. " if place.state is State.SIMILAR else ""
        return [NOT_FOUND if place.note == NO_MATCH else words_there + place.note]
    names: dict[str, list[str]] = {MISSING: [], SIMILAR: [], UNTIED: []}
    for name, place in unproven.items():
        is_missing = place.note == NO_MATCH or place.candidates
        label = SIMILAR if place.state is State.SIMILAR else MISSING if is_missing else UNTIED
        names[label].append(name)
    return [sentence for label, each in names.items() for sentence in _name_values(label, each)]


def _name_values(label: str, names: Sequence[str]) -> list[str]:
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return [f"{label}: the new {', '.join(names[:MAX_NAMES])}{more}."] if names else []


def list_marks(extraction: Extraction) -> list[Verification]:
    return list(extraction.verifications.filter(cleared_at=None).select_related("user").order_by("created_at"))


def filter_marks(marks: Iterable[Verification], where: str) -> list[Verification]:
    return [mark for mark in marks if not mark.where or overlaps(mark.where, where)]


def warn_of_others(extraction: Extraction, planned: Sequence[tuple[str, Change]]) -> list[str]:
    """Each once; with several changes the values that are meant are named."""
    marks = list_marks(extraction)
    by_person = extraction.edits.exclude(origin=FieldEdit.Origin.AGENT_RULE).select_related("user").order_by("-number")
    earlier = list(by_person)
    sentences: list[str] = []
    for path, change in planned:
        name = describe_path(extraction, path) if len(planned) > 1 else ""
        sentences += _warn_of_one(marks, earlier, change, name)
    return list(dict.fromkeys(sentences))


def _warn_of_one(marks: list[Verification], earlier: list[FieldEdit], change: Change, name: str) -> list[str]:
    sentences = [
        f"{mark.user.shown_name if mark.user else 'Somebody'} verified "
        f"{(name or 'this field') if mark.where else 'this document'} {describe_day(mark.created_at)}. "
        "Changing it clears that."
        for mark in filter_marks(marks, change.where)
    ]
    last = next((edit for edit in earlier if overlaps(edit.where, change.where)), None)
    if last and last.user:
        sentences.append(f"{last.user.shown_name} set {name or 'this value'} {describe_day(last.created_at)}.")
    return sentences


def describe_day(moment: datetime) -> str:
    days = (timezone.localdate() - timezone.localdate(moment)).days
    if days <= 1:
        return "yesterday" if days == 1 else "today"
    return f"on {timezone.localdate(moment):%-d %B %Y}"
