"""A run whose values were looked up on the page, and where its routes are."""

from __future__ import annotations

from documents.locate import locate
from documents.models import Document, Extraction, PromptRevision
from reader.words import unpack
from tests.documents.extraction_rows import RESULT, SCHEMA, run_prompt


def run_located(document: Document, prompt: PromptRevision, result: object = RESULT) -> Extraction:
    extraction = run_prompt(document, prompt, result)
    pages = [(page.number, unpack(bytes(page.words))) for page in document.readings.get().pages.all()]
    located = locate(extraction.current, SCHEMA, pages)
    extraction.provenance = {where: location.as_json() for where, location in located.items()}
    extraction.save(update_fields=["provenance"])
    return extraction


def path_of(extraction: Extraction) -> str:
    document = extraction.document
    return f"/v0/orgs/{document.organization_id}/documents/{document.pk}/extractions/{extraction.pk}"
