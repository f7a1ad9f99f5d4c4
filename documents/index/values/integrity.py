"""The table of current values, compared with what runs, corrections and metadata say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef

from documents.index.faults import Fault
from documents.index.values.indexing import (
    MAX_VALUES,
    TypedValue,
    index_metadata,
    index_old_run,
    list_metadata_values,
    list_values,
)
from documents.models import CurrentValue, Document, Extraction

AT_ONCE = 500


def find_faults(document: Document) -> Iterator[Fault]:
    """Of runs that wait to be indexed there are none. Documents with more values than the table takes are passed over:
    which of them stand there depends on the order in which they came."""
    rows = _count_rows(document)
    if sum(map(Counter.total, rows.values())) >= MAX_VALUES:
        return
    if rows.pop(None, Counter()) != Counter(list_metadata_values(document)):
        yield Fault("Its metadata is not found by what it says.", partial(_index_metadata, document))
    runs = _list_newest_runs(document)
    for prompt_id, run in runs.items():
        if run.values_indexed_at is not None and rows.get(prompt_id, Counter()) != Counter(list_values(run)):
            problem = f"The values of run {run.number} are not found by what they say."
            yield Fault(problem, partial(index_old_run, run.pk))
    if stray := rows.keys() - runs.keys():
        number = sum(rows[prompt_id].total() for prompt_id in stray)
        yield Fault(f"{number:,} values are found of runs that have gone.", partial(_delete_stray, document, stray))


def find_orphans() -> Iterator[Fault]:
    gone = CurrentValue.objects.filter(~Exists(Document.objects.filter(pk=OuterRef("document_id"))))
    if keys := list(gone.values_list("pk", flat=True)):
        yield Fault(f"{len(keys):,} values are of documents that have gone.", partial(_delete, keys))


def _count_rows(document: Document) -> dict[str | None, Counter[TypedValue]]:
    """By prompt; those of metadata have none."""
    counts: defaultdict[str | None, Counter[TypedValue]] = defaultdict(Counter)
    rows = CurrentValue.objects.filter(document=document)
    for prompt_id, *fields in rows.values_list("prompt_id", *TypedValue._fields):
        counts[prompt_id][TypedValue(*fields)] += 1
    return dict(counts)


def _list_newest_runs(document: Document) -> dict[str, Extraction]:
    rows = Extraction.objects.filter(document=document, status=Extraction.Status.COMPLETED)
    rows = rows.filter(prompt_revision__isnull=False).select_related("prompt_revision", "schema_revision")
    return {run.prompt_revision.prompt_id: run for run in rows.order_by("number") if run.prompt_revision}


def _index_metadata(document: Document) -> None:
    with transaction.atomic():
        if row := Document.objects.select_for_update().filter(pk=document.pk).first():
            index_metadata(row)


def _delete_stray(document: Document, prompt_ids: Collection[str | None]) -> None:
    """Looked at anew under the lock under which runs are stored."""
    with transaction.atomic():
        if Document.objects.select_for_update().filter(pk=document.pk).first() is None:
            return
        stray = set(prompt_ids) - _list_newest_runs(document).keys()
        CurrentValue.objects.filter(document=document, prompt__in=stray).delete()


def _delete(keys: Sequence[int]) -> None:
    for at in range(0, len(keys), AT_ONCE):
        CurrentValue.objects.filter(pk__in=keys[at : at + AT_ONCE]).delete()
