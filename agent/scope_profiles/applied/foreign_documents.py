"""Documents that do not belong to what an assistant is for, and the one sentence that says so of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.db.models import QuerySet, prefetch_related_objects

from agent.models import ScopeCheck, Turn
from agent.scope_profiles.applied.in_force import Scope, find_scope
from agent.scope_profiles.applied.refusal_words import describe_item, name_purpose
from agent.scope_profiles.document_items import read_document_items
from agent.scope_profiles.items import Item
from agent.scope_profiles.verdicts import IN
from documents.models import Document
from kit.rows.fixed_select import FixedSelect

WORDS = "A part of it was left out for its words; this assistant is for {purpose}."


@dataclass(frozen=True)
class ForeignDocument:
    """`sentence` names the document and its type, and holds nothing of its content."""

    document_id: str
    rule: str
    sentence: str


def find_foreign(
    scope: Scope, ids: Collection[str], known: Mapping[str, Document] = MappingProxyType({})
) -> dict[str, ForeignDocument]:
    """By id the documents that the scope does not let pass. An id of anything else names none.

    `known` are documents of the organization that have been read just now, with their types.
    """
    documents = [known[each] for each in ids if each in known]
    if unread := [each for each in ids if each and each not in known]:
        rows = Document.objects.filter(organization=scope.organization, pk__in=unread)
        documents += rows.select_related("document_type")
    if scope.reads_tags:
        prefetch_related_objects(documents, "tags")
    items = read_document_items(documents, with_tags=scope.reads_tags)
    judged = {row.pk: scope.judge_item(items[row.pk]) for row in documents}
    return {
        row.pk: ForeignDocument(row.pk, judged[row.pk].rule, _describe(scope, row, items[row.pk]))
        for row in documents
        if judged[row.pk].outcome != IN
    }


def _describe(scope: Scope, document: Document, item: Item) -> str:
    return describe_item(scope.find_refusing(item), document.name, document.document_type)


def describe_left_out(turn: Turn) -> str:
    """Name all that was left out of the turn or refused in it; empty for nothing."""
    checks = [check for check in _select_checks.list(turn.pk) if _leaves_out(check)]
    scope = find_scope(turn) if checks else None
    if scope is None:
        return ""
    foreign = find_foreign(scope, {each for check in checks for each in check.document_ids})
    words = [check.reason for check in checks if check.stage == check.Stage.AFTER and check.reason]
    named = list(dict.fromkeys([*(each.sentence for each in foreign.values()), *words]))
    return " ".join(named or [WORDS.format(purpose=name_purpose(scope.profiles[0]))])


@FixedSelect
def _select_checks(turn: str) -> QuerySet[ScopeCheck]:
    return ScopeCheck.objects.filter(turn=turn)


def _leaves_out(check: ScopeCheck) -> bool:
    is_out = check.outcome == ScopeCheck.Outcome.OUT
    if check.stage == ScopeCheck.Stage.BEFORE and is_out:
        return False
    return bool(check.document_ids) or (is_out and bool(check.reason))


def join_sentences(foreign: Iterable[ForeignDocument]) -> str:
    return " ".join(dict.fromkeys(each.sentence for each in foreign))
