"""A model of few concepts: texts about the same thing are alike, whatever their words."""

from __future__ import annotations

from typing import Any

from accounts.models import Organization
from documents.index.vectors import embedding
from documents.index.vectors.embedding import embed_reading
from documents.index.vectors.numbers import pack_vector
from documents.models import Document, PageChunk, QueryVector, Reading
from tests.documents.find.searches import add_document
from tests.scripted_model import Reply, ScriptedModel, embeds_all

MODEL = "openai/concepts"
CONCEPTS = (
    ("lease", "tenancy", "rent", "landlord"),
    ("vehicle", "car", "automobile", "lorry"),
    ("heating", "boiler", "radiator", "warm"),
)


def embed_concepts(request: dict[str, Any]) -> Reply:
    return embeds_all(*(count_concepts(text) for text in request["input"]))


def count_concepts(text: str) -> list[float]:
    words = text.casefold().split()
    return [*(float(sum(word in concept for word in words)) for concept in CONCEPTS), 0.01]


def add_embedded(model: ScriptedModel, organization: Organization, *pages: list[str], name: str = "a.pdf") -> Document:
    document = add_document(organization, *pages, name=name)
    model.will(embed_concepts)
    assert embed_reading(get_reading(document).pk)
    return document


def get_reading(document: Document) -> Reading:
    return document.readings.order_by("-number")[0]


def add(organization: Organization, *pages: list[str], name: str) -> Document:
    """With the vectors that the job would make of it, a part for each line."""
    document = add_document(organization, *pages, name=name)
    for number, lines in enumerate(pages, start=1):
        for at, line in enumerate(lines, start=1):
            vector = pack_vector(count_concepts(line))
            add_chunk(document, vector, page=number, first_line=at, last_line=at)
    return document


def add_chunk(document: Document, vector: bytes, **place: int) -> None:
    PageChunk.objects.create(
        organization=document.organization,
        document=document,
        reading=document.readings.get(),
        model=MODEL,
        dimensions=len(vector) // 2,
        digest="",
        vector=vector,
        **place,
    )


def keep_query(organization: Organization, text: str) -> None:
    """As if it had been searched a moment ago."""
    QueryVector.objects.create(
        organization=organization, model=MODEL, text=text, vector=pack_vector(count_concepts(text))
    )


def embed_due() -> int:
    """Embeds the readings that are due; how many they were."""
    return sum(embedding.embed_reading(key) for key in list(embedding.list_due().values_list("pk", flat=True)))
