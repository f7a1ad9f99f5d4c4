"""Documents that do not belong to what an assistant is for, and the one sentence that says so of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from agent.scope_profiles.applied.in_force import Scope
from agent.scope_profiles.applied.refusal_words import describe_item
from agent.scope_profiles.document_items import read_document_items
from agent.scope_profiles.items import Item
from agent.scope_profiles.verdicts import IN
from documents.models import Document


@dataclass(frozen=True)
class ForeignDocument:
    """`sentence` names the document and its type, and holds nothing of its content."""

    document_id: str
    rule: str
    sentence: str


def find_foreign(scope: Scope, ids: Collection[str]) -> dict[str, ForeignDocument]:
    """By id the documents that the scope does not let pass. An id of anything else names none."""
    if not ids:
        return {}
    rows = Document.objects.filter(organization=scope.organization, pk__in=ids)
    documents = list(rows.select_related("document_type").prefetch_related("tags"))
    items = read_document_items(documents)
    judged = {row.pk: scope.judge_item(items[row.pk]) for row in documents}
    return {
        row.pk: ForeignDocument(row.pk, judged[row.pk].rule, _describe(scope, row, items[row.pk]))
        for row in documents
        if judged[row.pk].outcome != IN
    }


def _describe(scope: Scope, document: Document, item: Item) -> str:
    return describe_item(scope.find_refusing(item), document.name, document.document_type)


def join_sentences(foreign: Iterable[ForeignDocument]) -> str:
    return " ".join(dict.fromkeys(each.sentence for each in foreign))


def list_ids(foreign: Iterable[ForeignDocument]) -> Sequence[str]:
    return [each.document_id for each in foreign]
