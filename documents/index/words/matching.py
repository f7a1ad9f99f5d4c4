"""Pages that fulfil an expression: of documents that may be seen, each as its newest index has it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from accounts.models import Organization
from documents.index.words.expressions import Expression, Group, Match
from documents.index.words.storage import Backend, get_backend
from documents.models import Document, IndexedPage, WordIndex

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


@dataclass
class PageFinder:
    """`documents` may be seen; `is_narrowed` says that they are not all of the organization's."""

    organization: Organization
    documents: QuerySet[Document]
    is_narrowed: bool
    _counts: dict[Group, int] = field(default_factory=dict)

    def find(self, expression: Expression, *, maximum: int = MAX_MATCHES) -> Matches:
        if self._index is None or not expression.groups:
            return Matches()
        return Walk(get_backend(), self._index, expression, self.documents, self._few, maximum).run()

    def find_any(self, expression: Expression) -> Matches:
        """Pages with some of the groups, those with the rarest of them: of all others there are too many to rank."""
        rare, frequent = self._part_groups(expression.groups)
        return self.find(replace(expression, groups=rare, optional=frequent, needs_all=False))

    def is_on_page(self, group: Group) -> bool:
        if self._index is None:
            return False
        expression = Expression((group,))
        # Most that are asked for are on none, whoever may see it.
        is_indexed = get_backend().has_page(self._index.code, self._index.organization_id, expression)
        return is_indexed and bool(self.find(expression, maximum=1).rows)

    def _part_groups(self, groups: Sequence[Group]) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
        counts = {group: self.count_pages(group) for group in groups}
        ordered = sorted((group for group in counts if counts[group]), key=lambda group: counts[group])
        totals = accumulate(counts[group] for group in ordered)
        number = max(1, sum(total <= MAX_MATCHES for total in totals))
        return tuple(ordered[:number]), tuple(ordered[number:])

    def count_pages(self, group: Group) -> int:
        """Up to one more than are ranked, of whichever documents. Of each group it is asked once."""
        if group not in self._counts:
            rows = _select_pages(self._index, Expression((group,)))
            self._counts[group] = rows.order_by()[: MAX_MATCHES + 1].count()
        return self._counts[group]

    @cached_property
    def _index(self) -> WordIndex | None:
        return WordIndex.objects.filter(organization=self.organization).first()

    @cached_property
    def _few(self) -> set[str] | None:
        if not self.is_narrowed:
            return None
        keys = self.documents.order_by().values_list("pk", flat=True)[: FEW + 1]
        return set(keys) if len(keys) <= FEW else None


def list_pages(organization: Organization, expression: Expression) -> QuerySet[IndexedPage, IndexedPage]:
    """All of them, of whichever documents, without a rank."""
    return _select_pages(WordIndex.objects.filter(organization=organization).first(), expression)


def _select_pages(index: WordIndex | None, expression: Expression) -> QuerySet[IndexedPage, IndexedPage]:
    if index is None or not expression.groups:
        return IndexedPage.objects.none()
    selection = get_backend().format_selection(index.code, index.organization_id, expression)
    rows = IndexedPage.objects.filter(organization=index.organization_id)
    return rows.filter(pk__in=RawSQL(*selection))  # noqa: S611 - ours


@dataclass
class Walk:
    backend: Backend
    index: WordIndex
    expression: Expression
    documents: QuerySet[Document]
    few: Collection[str] | None
    maximum: int

    def run(self) -> Matches:
        matches, walked, before = Matches(), 0, None
        while walked < MAX_WALKED:
            # Twice as many each time: of a few that are wanted none may be of a document that may be seen.
            limit = min(max(self.maximum + 1 - len(matches.rows), walked), MAX_MATCHES + 1)
            rows = self.backend.match_pages(
                self.index.code,
                self.index.organization_id,
                self.expression,
                document_ids=self.few,
                before=before,
                limit=limit,
            )
            matches.rows += self._leave_visible(rows)
            if len(matches.rows) > self.maximum:
                return Matches(matches.rows[: self.maximum], are_all=False)
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
