"""A model of few concepts: texts about the same thing are alike, whatever their words."""

from __future__ import annotations

from typing import Any

from accounts.models import Organization
from documents.models import Document, Reading
from documents.vectors.embedding import embed_reading
from tests.documents.search.searches import add_document
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
