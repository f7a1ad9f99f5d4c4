"""The table of current values, compared with what runs, corrections and metadata say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from django.db import transaction

from documents.index.checked_index import CheckedIndex, Fault
from documents.index.values.indexing import (
    MAX_VALUES,
    TypedValue,
    index_metadata,
    index_old_run,
    list_metadata_values,
    list_values,
)
from documents.models import CurrentValue, Document, Extraction

Counts = Mapping[str | None, Counter[TypedValue]]


class CheckedValues(CheckedIndex):
    model = CurrentValue
    orphans = "values are of documents that have gone."

    def verify(self, document: Document) -> Iterator[Fault]:
        """Passes over documents with more values than the table takes: which of them stand there depends on the order
        in which they came."""
        counts = _count_rows(document)
        if sum(map(Counter.total, counts.values())) >= MAX_VALUES:
            return
        if counts[None] != Counter(list_metadata_values(document)):
            yield Fault("Its metadata is not found by what it says.")
        runs = _list_newest_runs(document)
        for run in _list_wrong_runs(runs, counts):
            yield Fault(f"The values of run {run.number} are not found by what they say.")
        if number := sum(counts[stray].total() for stray in counts.keys() - {None, *runs}):
            yield Fault(f"{number:,} values are found of runs that have gone.")

    def repair(self, document: Document) -> None:
        """Looks anew under the lock under which runs are stored."""
        for run in _list_wrong_runs(_list_newest_runs(document), _count_rows(document)):
            index_old_run(run.pk)
        with transaction.atomic():
            if row := Document.objects.select_for_update().filter(pk=document.pk).first():
                index_metadata(row)
                rows = CurrentValue.objects.filter(document=document, prompt__isnull=False)
                rows.exclude(prompt__in=_list_newest_runs(document)).delete()


def _count_rows(document: Document) -> Counts:
    """Counts by prompt; values of metadata have none."""
    counts: defaultdict[str | None, Counter[TypedValue]] = defaultdict(Counter)
    rows = CurrentValue.objects.filter(document=document)
    for prompt_id, *fields in rows.values_list("prompt_id", *TypedValue._fields):
        counts[prompt_id][TypedValue(*fields)] += 1
    return counts


def _list_newest_runs(document: Document) -> dict[str, Extraction]:
    rows = Extraction.objects.filter(document=document, status=Extraction.Status.COMPLETED)
    rows = rows.filter(prompt_revision__isnull=False).select_related("prompt_revision", "schema_revision")
    return {run.prompt_revision.prompt_id: run for run in rows.order_by("number") if run.prompt_revision}


def _list_wrong_runs(runs: Mapping[str, Extraction], counts: Counts) -> list[Extraction]:
    """Passes over runs that wait to be indexed."""
    indexed = [(prompt_id, run) for prompt_id, run in runs.items() if run.values_indexed_at is not None]
    return [run for prompt_id, run in indexed if counts[prompt_id] != Counter(list_values(run))]
