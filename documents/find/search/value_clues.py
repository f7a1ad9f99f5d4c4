"""Documents by values that a question names: its words, its amounts and its days."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator

from django.db.models import Q, QuerySet

from accounts.models import Organization
from documents.find.fields.columns import list_fields
from documents.find.narrowing import begins_with
from documents.find.search.questions import Question
from documents.models import CurrentValue, Document
from kit.rows.models import fold_case

# What more documents have tells nothing; of longer questions the first words.
MAX_DOCUMENTS, MAX_WORDS, MIN_LETTERS = 200, 20, 3


def rank_by_values(organization: Organization, question: Question, documents: QuerySet[Document]) -> list[str]:
    """Keys of documents, the best first: what few have counts most."""
    scores: defaultdict[str, float] = defaultdict(float)
    rows = CurrentValue.objects.for_org(organization)
    for condition in _list_conditions(organization, question):
        matching = rows.filter(condition, document__in=documents.order_by().values("pk"))
        keys = set(matching.order_by().values_list("document_id", flat=True).distinct()[: MAX_DOCUMENTS + 1])
        if len(keys) <= MAX_DOCUMENTS:
            for key in keys:
                scores[key] += 1 / math.log2(2 + len(keys))
    return sorted(scores, key=lambda key: (-scores[key], key))


def _list_conditions(organization: Organization, question: Question) -> Iterator[Q]:
    for word in [word for word in question.words if len(word) >= MIN_LETTERS][:MAX_WORDS]:
        # 2026 is the beginning of many days.
        yield begins_with(word) if any(map(str.isalpha, word)) else Q(text=fold_case(word))
    # With the fields, by which the index goes.
    paths = list_fields(organization) if question.numbers or question.days else []
    for number in question.numbers:
        yield Q(path__in=paths, number=number)
    for day in question.days:
        yield Q(path__in=paths, day=day)
