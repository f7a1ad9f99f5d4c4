"""How alike two documents look, from their words and where these stand. Deterministic, and cheap enough to keep.

A document is sketched by the smallest hashes of its word shingles (single words and neighbours, letters only, so that
amounts and dates do not matter) and by how its words are spread over the page. The share of common hashes estimates the
share of common shingles: A. Broder, "On the resemblance and containment of documents", 1997.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2s
from itertools import pairwise
from typing import Any

from django.db.models import Q, QuerySet

from documents.models import Document, Extraction, Page, PromptRevision, Reading, Revision, Sketch
from reader.words import Word, unpack

# On four invoices of one maker and eleven receipts of eight shops: 0.44 and more for one maker, 0.10 to 0.38 for
# receipts of different shops, 0.14 and less for an invoice and a receipt.
ALIKE = 0.4
WORTH_A_LOOK = 0.15
HASHES = 256
COLUMNS, ROWS = 3, 4
OF_WORDS = 0.85
MAX_COMPARISONS = 500
MAX_SKETCHED = 20
MAX_CANDIDATES = 3
_LETTERS = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True)
class Candidate:
    """Accepted definitions that were used on a document that looks like this one. `similarity` is 0 to 1."""

    prompt_revision: PromptRevision
    similarity: float


def save_sketch(document: Document, reading: Reading) -> Sketch:
    """Keeps the sketch of the document's first page; written again when it is read again."""
    page = Page.objects.filter(reading=reading).order_by("number").first()
    words = unpack(bytes(page.words)) if page else []
    drawn = {"words": hash_shingles(words), "layout": measure_spread(words), "compared_at": None}
    return Sketch.objects.update_or_create(document=document, defaults=drawn)[0]


def measure_similarity(one: Sketch, other: Sketch) -> float:
    """0 for nothing in common, 1 for the same words in the same places."""
    return OF_WORDS * measure_resemblance(one.words, other.words) + (1 - OF_WORDS) * _measure_overlap(
        one.layout, other.layout
    )


def may_share_type(document: Document, field: str = "document_type") -> Q:
    """Rows of its type, or where one of the two is not known: invoice and delivery note may share most words."""
    if document.document_type_id is None:
        return Q()
    return Q(**{field: document.document_type_id}) | Q(**{field: None})


def find_candidates(document: Document) -> list[Candidate]:
    """Accepted prompts in use whose documents are of its type and look like this one, the likest first, each once.

    Compares hundreds of sketches, so it is not to be called while others wait for a lock.
    """
    own = Sketch.objects.filter(document=document).first()
    if own is None:
        return []
    accepted = _list_accepted_runs(document)
    _sketch_others(accepted)
    best: dict[str, tuple[float, str]] = {}
    for prompt_id, latest, used, words, layout in _list_uses(accepted):
        alike = round(measure_similarity(own, Sketch(words=words, layout=layout)), 4)
        if alike >= WORTH_A_LOOK and alike > best.get(prompt_id, (0.0, ""))[0]:
            best[prompt_id] = (alike, latest or used)
    likest = sorted(best.values(), key=lambda use: (-use[0], use[1]))[:MAX_CANDIDATES]
    revisions = PromptRevision.objects.in_bulk([revision_id for _, revision_id in likest])
    return [Candidate(revisions[revision_id], alike) for alike, revision_id in likest if revision_id in revisions]


def _list_uses(runs: QuerySet[Extraction]) -> QuerySet[Extraction, Any]:
    """Prompt, its latest revision, the one that ran, and the sketch: no texts, no schemas, no values."""
    revisions = ("prompt_revision__prompt_id", "prompt_revision__prompt__latest_id", "prompt_revision_id")
    sketched = runs.filter(document__sketch__isnull=False)
    return sketched.values_list(*revisions, "document__sketch__words", "document__sketch__layout")[:MAX_COMPARISONS]


def _sketch_others(runs: QuerySet[Extraction]) -> None:
    """Of documents that never asked for automatic setup."""
    unknown = runs.filter(document__sketch=None).exclude(reading=None).select_related("document", "reading")
    for run in unknown.only("document__organization", "reading__number")[:MAX_SKETCHED]:
        if run.reading:
            save_sketch(run.document, run.reading)


def _list_accepted_runs(document: Document) -> QuerySet[Extraction]:
    """The newest first."""
    runs = Extraction.objects.filter(
        may_share_type(document, "document__document_type"),
        document__organization=document.organization,
        document__trashed_at=None,
        status=Extraction.Status.COMPLETED,
        prompt_revision__status=Revision.Status.ACCEPTED,
        prompt_revision__prompt__trashed_at=None,
        prompt_revision__schema_revision__isnull=False,
    ).exclude(document=document)
    return runs.order_by("-created_at")


def hash_shingles(words: Sequence[Word]) -> list[int]:
    """The smallest hashes, sorted. Hidden words do not count: they are not what a person sees."""
    seen = [(word.line, part) for word in words if not word.hidden for part in _LETTERS.findall(word.text.casefold())]
    neighbours = {f"{one[1]} {other[1]}" for one, other in pairwise(seen) if one[0] == other[0]}
    shingles = {part for _, part in seen} | neighbours
    return sorted(int.from_bytes(blake2s(text.encode(), digest_size=4).digest()) for text in shingles)[:HASHES]


def measure_spread(words: Sequence[Word]) -> list[int]:
    """Per mille of the words in each cell of a grid over the page, row by row."""
    counts = [0] * (COLUMNS * ROWS)
    for word in words:
        column = min(COLUMNS - 1, int((word.x0 + word.x1) / 2 * COLUMNS))
        row = min(ROWS - 1, int((word.y0 + word.y1) / 2 * ROWS))
        counts[row * COLUMNS + column] += 1
    return [round(1000 * count / len(words)) for count in counts] if words else []


def measure_resemblance(one: Sequence[int], other: Sequence[int]) -> float:
    """The share of shingles that both have."""
    smallest = set(sorted({*one, *other})[:HASHES])
    return len(smallest & {*one} & {*other}) / len(smallest) if smallest else 0.0


def _measure_overlap(one: Sequence[int], other: Sequence[int]) -> float:
    return sum(map(min, one, other)) / max(sum(one), sum(other)) if one and other else 0.0
