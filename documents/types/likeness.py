"""Types of documents that look like ones which people have confirmed. It decides only where rules are unsure.

Whoever brings in documents could otherwise teach a type with one odd page. Two different documents have to agree, and
nothing that is as much alike may say otherwise: one example alone gives no other document a type.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from accounts.models import Organization
from documents.models import Document, DocumentType, Reading, Sketch, TypeDecision
from documents.reading import similarity
from documents.reading.reading import get_newest

MIN_EXAMPLES = 2
MAX_EXAMPLES_SHOWN = 3
MAX_TOLD_AGAIN = 500
Source = TypeDecision.Source


@dataclass(frozen=True)
class LikeType:
    """The type that documents like it have, and the likest of those."""

    document_type: DocumentType
    documents: tuple[Document, ...]


def find_like_type(document: Document, reading: Reading, barred: Collection[str]) -> LikeType | None:
    """None for types in `barred`, whose signs contradict it. Compares hundreds of sketches, so call it unlocked."""
    if not list_examples(document.organization).exists():
        return None
    own = similarity.save_sketch(document, reading)
    alike = _find_alike(own, list_examples(document.organization).exclude(document=document))
    types = {decision.document.document_type for decision in alike}
    different = {decision.document.sha256 for decision in alike} - {document.sha256}
    document_type = types.pop() if len(types) == 1 else None
    if document_type is None or len(different) < MIN_EXAMPLES or document_type.key in barred:
        return None
    return LikeType(document_type, tuple(decision.document for decision in alike[:MAX_EXAMPLES_SHOWN]))


def list_examples(organization: Organization) -> QuerySet[TypeDecision]:
    """Confirmed documents; not in the trash, and of no type that is switched off."""
    rows = TypeDecision.objects.for_org(organization).filter(is_example=True, source=Source.PERSON)
    return rows.filter(
        document__trashed_at=None, document__document_type__is_on=True, document__sketch__isnull=False
    ).order_by("-created_at", "-pk")


def _find_alike(own: Sketch, examples: QuerySet[TypeDecision]) -> list[TypeDecision]:
    """The likest first."""
    newest = examples.select_related("document__document_type", "document__sketch")[: similarity.MAX_COMPARISONS]
    measured = [(similarity.measure_similarity(own, decision.document.sketch), decision) for decision in newest]
    alike = [(share, decision) for share, decision in measured if share >= similarity.ALIKE]
    return [decision for _, decision in sorted(alike, key=lambda each: (-each[0], each[1].pk))]


def sketch_example(document: Document) -> bool:
    """False where there is nothing to compare: it has not been read."""
    reading = get_newest(document)
    return reading is not None and bool(similarity.save_sketch(document, reading).words)


def is_example(document: Document) -> bool:
    return TypeDecision.objects.filter(document=document, is_example=True).exists()


def forget_example(document: Document) -> None:
    """It teaches nothing any more, and what was decided by likeness to it is judged again."""
    TypeDecision.objects.filter(document=document).update(is_example=False)
    taught = Document.objects.filter(type_decision__alike=document).exclude(pk=document.pk)
    ids = list(taught.values_list("pk", flat=True))
    if not ids:
        return
    TypeDecision.alike.through.objects.filter(typedecision__document__in=ids).delete()
    Document.objects.filter(pk__in=ids).update(document_type=None)
    TypeDecision.objects.filter(document__in=ids).update(source=Source.RULES, proof=[])
    judge_again(ids)


def judge_unsure_again(organization: Organization) -> None:
    """In the transaction that confirmed an example: the newest that rules were unsure of may look like it.

    Likeness is surer than a model, so what a model decided is among them.
    """
    is_unsure = Q(document_type=None, type_decision__source=Source.RULES) | Q(type_decision__source=Source.MODEL)
    unsure = Document.objects.for_org(organization).filter(is_unsure)
    judge_again(list(unsure.order_by("-created_at", "-pk").values_list("pk", flat=True)[:MAX_TOLD_AGAIN]))


def judge_again(document_ids: Collection[str]) -> None:
    Reading.objects.filter(document__in=document_ids, status=Reading.Status.COMPLETED).update(typed_at=None)
