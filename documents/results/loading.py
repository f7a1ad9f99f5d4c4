"""The documents of a file of results with the runs whose values count, as many statements a part whatever is in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from django.db.models import Exists, OuterRef, Q, QuerySet

from documents.extractions.extraction_view.field_marks import fetch_marks
from documents.extractions.field_proofs import FieldProofs
from documents.models import BulkAction, BulkItem, Document, Extraction, PromptRevision, Verification
from documents.results.layout import ResultLayout
from documents.results.rows import PlacedValue, list_roots
from documents.review.status import list_valid_marks
from documents.values import strip_row_ids

AT_ONCE = 100
IN_TRASH = "It is in the trash."
_COLUMNS = (
    *("document", "number", "reading", "prompt_revision", "schema_revision", "model", "current"),
    *("failed_check_count", "coverage", "page_count"),
)
# Columns of a document.
_BESIDE = ("organization", "name", "state", "review", "metadata", "uploaded_by_name", "trashed_at", "created_at")
_TYPE = ("document_type", "document_type__name", "document_type__key")


@dataclass
class ResultDocument:
    """`runs` are the newest of each prompt, the newest first; `proofs` belong to them, where these were asked for."""

    document: Document
    runs: Sequence[Extraction] = ()
    proofs: Sequence[FieldProofs] = ()
    verified_by: Sequence[str] = ()
    others: list[str] = field(default_factory=list)

    @cached_property
    def roots(self) -> Mapping[str, PlacedValue]:
        """Values by their first name, of the newest run that has one; `others` names what older ones say instead."""
        roots: dict[str, PlacedValue] = {}
        for number, run in enumerate(self.runs):
            for name, placed in list_roots(number, run.current).items():
                known = roots.get(name)
                if known is None or known.value in (None, "", []):
                    roots[name] = placed
                elif placed.value not in (None, "", []):
                    self._compare(name, known, placed)
        return roots

    @property
    def proposals(self) -> list[PromptRevision]:
        """Prompts whose values are here, and which nobody has accepted."""
        revisions = [run.prompt_revision for run in self.runs if run.prompt_revision]
        return [revision for revision in revisions if revision.status != PromptRevision.Status.ACCEPTED]

    def _compare(self, name: str, known: PlacedValue, placed: PlacedValue) -> None:
        if strip_row_ids(known.value) != strip_row_ids(placed.value):
            self.others.append(
                f"“{_name_prompt(self.runs[placed.run])}” says something else for {name}; it is not here."
            )


def _name_prompt(run: Extraction) -> str:
    return run.prompt_revision.prompt.name if run.prompt_revision else ""


@dataclass(frozen=True)
class ResultLoader:
    """The schema of the `layout`, and which of its values are asked for, narrow the runs."""

    layout: ResultLayout
    with_proofs: bool = False
    with_tags: bool = False
    with_verifiers: bool = False
    revisions: dict[str | None, PromptRevision] = field(default_factory=dict)

    def load(self, documents: Sequence[Document]) -> list[ResultDocument]:
        """In their order."""
        runs = list_counted_runs(self.layout).filter(document__in=[document.pk for document in documents])
        listed = list(self._select_columns(runs).order_by("-number"))
        self._add_revisions(listed)
        marks = fetch_marks(listed) if self.with_proofs and listed else {}
        by_document: defaultdict[str, list[Extraction]] = defaultdict(list)
        for run in listed:
            by_document[run.document_id].append(run)
        verifiers = self._load_verifiers(listed)
        return [
            ResultDocument(
                document,
                by_document[document.pk],
                [FieldProofs(run, marks[run.pk]) for run in by_document[document.pk]] if marks else (),
                [name for run in by_document[document.pk] for name in verifiers.get(run.pk, ())],
            )
            for document in documents
        ]

    def _select_columns(self, runs: QuerySet[Extraction, Extraction]) -> QuerySet[Extraction, Extraction]:
        proofs = ("result", "provenance", "check_results", "judged_again_at") if self.with_proofs else ()
        return runs.only(*_COLUMNS, *proofs)

    def _add_revisions(self, runs: Sequence[Extraction]) -> None:
        """There are few of them, and joined each would be made anew for each run."""
        if missing := {run.prompt_revision_id for run in runs}.difference(self.revisions):
            placed = PromptRevision.objects.filter(pk__in=missing).select_related("prompt").defer("content")
            self.revisions.update({revision.pk: revision for revision in placed})
        for run in runs:
            run.prompt_revision = self.revisions[run.prompt_revision_id]

    def _load_verifiers(self, runs: Sequence[Extraction]) -> Mapping[str, Sequence[str]]:
        names: defaultdict[str, list[str]] = defaultdict(list)
        if self.with_verifiers:
            marks = Verification.objects.filter(extraction__in=runs, where="", cleared_at=None)
            for key, name, email in marks.values_list("extraction", "user__name", "user__email"):
                names[key].append(name or email or "")
        return names

    def iterate_selected(self, rows: QuerySet[Document, Document]) -> Iterator[list[Document]]:
        """The newest first, by keys: no cursor stays open between two parts."""
        last: Document | None = None
        ordered = self._with_tags(rows).order_by("-created_at", "-pk")
        while part := list((filter_after(ordered, last.created_at, last.pk) if last else ordered)[:AT_ONCE]):
            last = part[-1]
            yield part

    def iterate_items(self, action: BulkAction) -> Iterator[list[Document]]:
        """Documents of a bulk action in their order; those that were deleted for good are no more."""
        last = 0
        while items := list(BulkItem.objects.filter(action=action, pk__gt=last).order_by("pk")[:AT_ONCE]):
            last = items[-1].pk
            rows = self._with_tags(Document.objects.filter(organization=action.organization_id))
            by_key = rows.in_bulk([item.document_id for item in items])
            yield [by_key[item.document_id] for item in items if item.document_id in by_key]

    def _with_tags(self, rows: QuerySet[Document, Document]) -> QuerySet[Document, Document]:
        rows = rows.select_related("document_type").only(*_BESIDE, *_TYPE)
        return rows.prefetch_related("tags") if self.with_tags else rows


def filter_after(rows: QuerySet[Document, Document], moment: datetime, key: str) -> QuerySet[Document, Document]:
    """Keep the rows that come after this one; the newest are first."""
    is_later = Q(created_at__lt=moment) | Q(created_at=moment, pk__lt=key)
    return rows.filter(is_later, created_at__lte=moment)


def list_counted_runs(layout: ResultLayout) -> QuerySet[Extraction, Extraction]:
    """The newest completed run of each prompt on a document; the summary of the default prompt is no result.

    Where proposals are left out, an older run of an accepted version counts. A verified run that a newer one follows
    does not: its values are no longer the current ones.
    """
    narrowing = {} if layout.values == "all" else {"prompt_revision__status": PromptRevision.Status.ACCEPTED}
    runs = Extraction.objects.filter_newest_of_prompts(**narrowing).filter(prompt_revision__isnull=False)
    if layout.values == "verified":
        runs = runs.filter(Exists(list_valid_marks().filter(extraction=OuterRef("pk"))))
    return runs.filter(schema_revision__schema=layout.schema_id) if layout.schema_id else runs


def explain_missing(document: Document, layout: ResultLayout, *, has_row: bool) -> str:
    """Why a document has none; empty for one that has."""
    if document.trashed_at is not None:
        return IN_TRASH
    if has_row:
        return ""
    if document.state in (Document.State.UPLOADED, Document.State.OCR_PROCESSING):
        return "It has not been read yet."
    if document.state == Document.State.OCR_FAILED:
        return "It could not be read."
    if document.state == Document.State.LLM_PROCESSING:
        return "Its values are being extracted."
    if document.state == Document.State.LLM_FAILED:
        return "Its values could not be extracted."
    kind = "" if layout.values == "all" else f"{layout.values} "
    return f"It has no {kind}values of this schema." if layout.schema_id else f"It has no {kind}values yet."
