"""A question to each of many documents, as a bulk action: asked for once, answered by any worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Self

from django.db.models import Sum

from accounts.actor import Actor
from documents.bulk.kinds import get_kind
from documents.bulk.requesting import make_request_key, start
from documents.find.research.condensing import Condensed, read_row
from documents.find.research.surveying import GONE
from documents.models import BulkAction, BulkItem, Document, Usage
from llm.money.spending import BudgetAccount, Limit

IN_PART = "in_part"
"""The code of an item that is done and of whose document not all pages were read."""


@dataclass(frozen=True)
class SurveyTerms:
    """What is asked of which model, who pays, and how many seconds one document may take."""

    question: str
    model: str
    purpose: str
    subject_id: str
    limit: Limit
    approved_micros: int
    seconds: int
    tool: str = ""

    @classmethod
    def read(cls, action: BulkAction) -> Self:
        kept = action.arguments
        return cls(**{**kept, "limit": Limit(**kept["limit"])})

    def make_account(self, actor: Actor) -> BudgetAccount:
        return BudgetAccount(actor.organization, self.purpose, self.subject_id, actor.user, self.limit, tool=self.tool)


@dataclass
class Survey:
    """`unread`: why, by document; `answers`: of the others, in their order; `parts`: a sentence on the pages that were
    read, of each document of which not all were.
    """

    total: int
    answers: list[Condensed] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)


def begin(actor: Actor, *, ids: Sequence[str], terms: SurveyTerms, key: str) -> BulkAction:
    """The same key gives the action that was begun under it, whose terms hold."""
    return start(
        actor,
        chosen=get_kind(BulkAction.Kind.ASK),
        arguments=asdict(terms),
        documents=Document.objects.filter(organization=actor.organization, pk__in=ids),
        request_key=make_request_key(actor, {"documents": list(ids), "question": terms.question}, key),
    )


def list_under_way(subject_id: str) -> list[BulkAction]:
    """List the actions that are asked for this subject, as a turn."""
    rows = BulkAction.objects.filter(kind=BulkAction.Kind.ASK, status__in=BulkAction.UNDER_WAY)
    return list(rows.filter(arguments__subject_id=subject_id))


def sum_approved(action: BulkAction) -> int:
    """What of the approved millionths of a dollar it has cost."""
    terms = SurveyTerms.read(action)
    rows = Usage.objects.filter(subject_id=terms.subject_id, purpose=terms.purpose, created_at__gte=action.created_at)
    return min(terms.approved_micros, rows.aggregate(spent=Sum("cost_micros"))["spent"] or 0)


def read_survey(action: BulkAction, ids: Sequence[str]) -> Survey:
    """Of one that has ended: what each says, or why it could not be asked. Deleted documents have no item any more."""
    rows = BulkItem.objects.filter(action=action, document__trashed_at=None).order_by("pk")
    items = {row.document_id: row for row in rows.select_related("condensed__reading__document")}
    survey = Survey(len(ids))
    for document_id in ids:
        item = items.get(document_id)
        if item is not None and item.condensed is not None:
            survey.answers.append(read_row(item.condensed, item.condensed.reading))
            if item.code == IN_PART:
                survey.parts[document_id] = item.reason
        else:
            survey.unread[document_id] = item.reason if item is not None and item.reason else GONE
    return survey
