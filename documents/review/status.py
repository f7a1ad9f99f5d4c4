"""Whether a document's values wait for a person: computed from its newest run, and stored for lists."""

from __future__ import annotations

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Value, When

from documents.models import Document, Extraction, Verification
from kit import events

Review = Document.Review


def refresh_review(document_id: str) -> None:
    """In the transaction that changes a run or a verification."""
    review = make_review()
    if Document.objects.filter(pk=document_id).exclude(review=review).update(review=review):
        organization_id = Document.objects.values_list("organization_id", flat=True).get(pk=document_id)
        events.publish(events.organization_group(organization_id), "document.changed", document_id=document_id)


def list_valid_marks() -> QuerySet[Verification, Verification]:
    """Verifications of whole runs that count. One that was judged again and failed has to be looked at once more."""
    overtaken = Q(extraction__failed_check_count__gt=0, created_at__lt=F("extraction__judged_again_at"))
    valid = ~overtaken | Q(extraction__judged_again_at=None)
    return Verification.objects.filter(valid, where="", cleared_at=None)


def make_review() -> Case:
    """Of the newest completed run of a prompt: the default prompt's summary holds nothing to verify."""
    completed = Q(status=Extraction.Status.COMPLETED, prompt_revision__isnull=False)
    newer = Extraction.objects.filter(
        completed, document=OuterRef("extraction__document"), number__gt=OuterRef("extraction__number")
    )
    marks = list_valid_marks().filter(
        ~Exists(newer),
        extraction__document=OuterRef("pk"),
        extraction__status=Extraction.Status.COMPLETED,
        extraction__prompt_revision__isnull=False,
    )
    return Case(
        When(Exists(marks), then=Value(Review.VERIFIED)),
        When(Exists(Extraction.objects.filter(completed, document=OuterRef("pk"))), then=Value(Review.TO_VERIFY)),
        default=Value(Review.NONE),
    )
