"""What documents can be narrowed by: each kind of term reads its value and says which documents it leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from accounts.actor import Actor
from accounts.models import Organization, Role
from documents.catalog.media_types import MEDIA_TYPES
from documents.find.field_conditions import FieldCondition
from documents.find.filters.value_conditions import parse_condition
from documents.find.narrowing import narrow_by_value, narrow_to
from documents.models import AutoSetup, Document, Extraction, Prompt, Schema, Tag
from documents.models.extraction import ExtractionQuerySet
from documents.types.catalogue import find_type
from kit.errors import Invalid
from kit.ids import is_id
from kit.rows.models import fold_case

State = Document.State
STATES = {
    "under-way": ("Under way", Q(state__in=(State.UPLOADED, State.OCR_PROCESSING, State.LLM_PROCESSING))),
    "read": ("Read, no values", Q(state=State.OCR_COMPLETED)),
    "extracted": ("Extracted", Q(state=State.LLM_COMPLETED)),
    "proposed": ("Proposed", Q(auto_setup__status=AutoSetup.Status.PROPOSED)),
    "failed": (
        "Failed",
        Q(state__in=(State.OCR_FAILED, State.LLM_FAILED)) | Q(auto_setup__status=AutoSetup.Status.FAILED),
    ),
}
STATUSES = {
    "waiting": "Waiting for me",
    "verified": "Verified",
    "failing-checks": "Failed checks",
    "untagged": "No tag",
    "incomplete": "Partly read or guessed",
}
TO_VERIFY = Q(state=State.LLM_COMPLETED, review=Document.Review.TO_VERIFY)
PROPOSED = Q(auto_setup__status=AutoSetup.Status.PROPOSED)
ME = "me"


@dataclass(frozen=True)
class Term:
    """One condition as the address holds it; `words` is what a person reads."""

    name: str
    value: str
    words: str
    condition: Q
    comparison: FieldCondition | None = None


def parse_term(actor: Actor, name: str, value: str) -> Term:
    """Raises Invalid with a sentence about the value."""
    return TERMS[name](actor, value.strip().replace("\0", ""))


def _parse_tag(actor: Actor, value: str) -> Term:
    tag = _find_named(Tag.objects.for_org(actor.organization), value, "tag")
    ties = Document.tags.through.objects.filter(tag_id=tag.pk)
    return Term("tag", tag.pk, f"Tag: {tag.name}", _narrow_by_ties(ties))


def _parse_state(actor: Actor, value: str) -> Term:
    if value in STATES:
        words, condition = STATES[value]
    elif value in State.values:
        words, condition = str(State(value).label), Q(state=value)
    else:
        raise Invalid(f"There is no state “{value}”. The states are {', '.join(STATES)}.")
    return Term("state", value, words, condition)


def _parse_kind(actor: Actor, value: str) -> Term:
    kind = value.lower()
    matching = {media for media in MEDIA_TYPES.values() if kind in (media, media.partition("/")[0])}
    if kind in MEDIA_TYPES:
        matching.add(MEDIA_TYPES[kind])
    if not matching:
        raise Invalid(f"There is no kind of file “{value}”. Kinds are image, text, {', '.join(MEDIA_TYPES)}.")
    condition = Q(media_type__in=sorted(matching))
    rows = Document.objects.for_org(actor.organization).filter(condition)
    return Term("kind", kind, f"Kind: {kind}", narrow_to(rows.values_list("pk", flat=True), condition))


def _parse_type(actor: Actor, value: str) -> Term:
    document_type = find_type(actor.organization, value)
    return Term("type", document_type.pk, f"Type: {document_type.name}", Q(document_type=document_type))


def _parse_since(actor: Actor, value: str) -> Term:
    day = _parse_day(value)
    return Term("since", value, f"Uploaded since {day}", Q(created_at__gte=datetime.combine(day, time(), UTC)))


def _parse_until(actor: Actor, value: str) -> Term:
    """The day itself is included."""
    day = _parse_day(value)
    if day == date.max:
        raise Invalid(f"“{value}” is too late a day.")
    end = datetime.combine(day + timedelta(days=1), time(), UTC)
    return Term("until", value, f"Uploaded until {day}", Q(created_at__lt=end))


def _parse_person(actor: Actor, value: str) -> Term:
    if not value:
        raise Invalid("A name is missing: whose documents.")
    if value == ME:
        return Term("person", ME, "Uploaded by me", Q(uploaded_by_name=actor.user.shown_name, uploaded_by=actor.user))
    return Term("person", value, f"Uploaded by {value}", Q(uploaded_by_name=value))


def _parse_schema(actor: Actor, value: str) -> Term:
    schema = _find_named(Schema.objects.for_org(actor.organization), value, "schema")
    runs = list_completed_runs().filter(schema_revision__schema=schema)
    return Term("schema", schema.pk, f"Schema: {schema.name}", _narrow_by_ties(runs))


def _parse_prompt(actor: Actor, value: str) -> Term:
    prompt = _find_named(Prompt.objects.for_org(actor.organization), value, "prompt")
    runs = list_completed_runs().filter(prompt_revision__prompt=prompt)
    return Term("prompt", prompt.pk, f"Prompt: {prompt.name}", _narrow_by_ties(runs))


def _parse_status(actor: Actor, value: str) -> Term:
    match value:
        case "waiting":
            condition = TO_VERIFY | PROPOSED if actor.may(Role.BUILDER) else TO_VERIFY
        case "verified":
            condition = Q(review=Document.Review.VERIFIED)
        case "failing-checks":
            condition = _narrow_by_ties(list_failing_runs_of(actor.organization))
        case "untagged":
            condition = ~Q(Exists(Document.tags.through.objects.filter(document_id=OuterRef("pk"))))
        case "incomplete":
            condition = Q(has_gaps=True)
        case _:
            raise Invalid(f"There is no filter is:{value}. Use one of {', '.join(STATUSES)}.")
    return Term("is", value, STATUSES[value], condition)


def _parse_value(actor: Actor, value: str) -> Term:
    comparison = parse_condition(value)
    condition = narrow_by_value(actor.organization, comparison.list_values())
    return Term("value", value, comparison.words, condition, comparison)


TERMS: dict[str, Callable[[Actor, str], Term]] = {
    "is": _parse_status,
    "state": _parse_state,
    "tag": _parse_tag,
    "value": _parse_value,
    "type": _parse_type,
    "kind": _parse_kind,
    "schema": _parse_schema,
    "prompt": _parse_prompt,
    "person": _parse_person,
    "since": _parse_since,
    "until": _parse_until,
}


def _find_named(rows: QuerySet[Model, object], value: str, noun: str) -> Any:
    """By its id or by its name."""
    named = rows.filter(Q(pk=value) if is_id(value) else Q(name_folded=fold_case(value))).order_by("name").first()
    if named is None:
        raise Invalid(f"There is no {noun} “{value}” here.")
    return named


def _parse_day(value: str) -> date:
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise Invalid(f"“{value}” is no day. Write it as 2026-12-31.") from None


def _narrow_by_ties(rows: QuerySet[Model]) -> Q:
    """The documents of rows that have a `document`."""
    return narrow_to(rows.values_list("document_id", flat=True), Q(Exists(rows.filter(document_id=OuterRef("pk")))))


def list_completed_runs() -> ExtractionQuerySet:
    return Extraction.objects.filter(status=Extraction.Status.COMPLETED)


def list_failing_runs() -> ExtractionQuerySet:
    return Extraction.objects.filter_newest_of_prompts().filter(failed_check_count__gt=0)


def list_failing_runs_of(organization: Organization) -> ExtractionQuerySet:
    """The document is looked up by the run: a join could begin with all documents instead."""
    documents = Document.objects.for_org(organization).filter(pk=OuterRef("document"))
    return list_failing_runs().filter(Exists(documents))
