"""Where something can be decided, run again or ended over /v0."""

from __future__ import annotations

from django.urls import reverse

from agent.api.overview.answers import Action
from documents.models import Document, Extraction


def make_action(name: str, route: str, *arguments: str, query: str = "") -> Action:
    return {"name": name, "method": "POST", "path": f"{reverse(route, args=arguments)}{query}"}


def list_reading_actions(organization: str, document: Document, code: str) -> list[Action]:
    """Of one that failed; `code` says what would let it be read."""
    if code:
        return [make_action("unlock", "v0-document-unlock", organization, document.pk)]
    return [make_action("retry", "v0-ocr-run", organization, document.pk)]


def list_run_actions(organization: str, run: Extraction) -> list[Action]:
    query = f"?prompt_revid={run.prompt_revision_id or 'default'}&force=true"
    return [make_action("retry", "v0-llm-run", organization, run.document_id, query=query)]
