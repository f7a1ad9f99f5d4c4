"""Pages that fulfil an expression: of documents that may be seen, each as its newest index has it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from accounts.models import Organization
from documents.models import Document, IndexedPage, WordIndex
from documents.word_index.expressions import Expression, Match
from documents.word_index.storage import Backend, get_backend

# As many are ranked, those read last. A word on every page would take as long as there are pages otherwise.
MAX_MATCHES = 2_000
# As many are looked at, where most are of documents that are filtered out.
MAX_WALKED = 20_000
# As many documents are named to the index; of more, pages are looked at as they come.
FEW = 1_000


@dataclass
class Matches:
    """`are_all` is false where there may be more."""

    rows: list[Match] = field(default_factory=list)
    are_all: bool = True


def find_matches(
    organization: Organization, expression: Expression, documents: QuerySet[Document], *, is_narrowed: bool
) -> Matches:
    """`documents` may be seen; `is_narrowed` says that they are not all of the organization's."""
    index = WordIndex.objects.filter(organization=organization).first()
    if index is None or not expression.groups:
        return Matches()
    keys = list(documents.order_by().values_list("pk", flat=True)[: FEW + 1]) if is_narrowed else []
    few = set(keys) if is_narrowed and len(keys) <= FEW else None
    return Walk(get_backend(), index, expression, documents, few).run()


def list_pages(organization: Organization, expression: Expression) -> QuerySet[IndexedPage, IndexedPage]:
    """All of them, of whichever documents, without a rank."""
    index = WordIndex.objects.filter(organization=organization).first()
    if index is None or not expression.groups:
        return IndexedPage.objects.none()
    selection = get_backend().format_selection(index.code, organization.pk, expression)
    return IndexedPage.objects.for_org(organization).filter(pk__in=RawSQL(*selection))  # noqa: S611 - ours


@dataclass
class Walk:
    backend: Backend
    index: WordIndex
    expression: Expression
    documents: QuerySet[Document]
    few: Collection[str] | None

    def run(self) -> Matches:
        matches, walked, before = Matches(), 0, None
        while walked < MAX_WALKED:
            limit = MAX_MATCHES + 1 - len(matches.rows)
            rows = self.backend.match_pages(
                self.index.code,
                self.index.organization_id,
                self.expression,
                document_ids=self.few,
                before=before,
                limit=limit,
            )
            matches.rows += self._leave_visible(rows)
            if len(matches.rows) > MAX_MATCHES:
                return Matches(matches.rows[:MAX_MATCHES], are_all=False)
            if len(rows) < limit:
                return matches
            walked, before = walked + len(rows), rows[-1].key
        return Matches(matches.rows, are_all=False)

    def _leave_visible(self, rows: Iterable[Match]) -> list[Match]:
        rows = list(rows)
        ids = sorted({row.document_id for row in rows})
        visible: set[str] = set()
        for at in range(0, len(ids), FEW):
            some = self.documents.order_by().filter(pk__in=ids[at : at + FEW])
            visible.update(some.values_list("pk", flat=True))
        return [row for row in rows if row.document_id in visible]
