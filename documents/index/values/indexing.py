"""The table of current values, by which documents are found: kept with the values, in the same transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from datetime import date
from decimal import Decimal
from itertools import islice
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from documents.models import CurrentValue, Document, Extraction
from documents.values import Stored, ValuePlace, Where, iterate_leaves
from documents.values.addresses import RowStep, split_steps
from kit import events, group_cache
from kit.rows.models import fold_case
from kit.rows.row_guard import RowGuard
from printed.dates import parse_dates
from printed.numbers import find_decimal_mark, list_readings

# Of one document. Those beyond are still in its extraction; filters do not see them.
MAX_VALUES = 2_000
AT_ONCE = 200
METADATA = "metadata"
_TOO_LARGE = Decimal(10) ** (CurrentValue.MAX_DIGITS - CurrentValue.DECIMALS)
_SMALLEST = Decimal(1).scaleb(-CurrentValue.DECIMALS)
_LONGEST_DAY = 60
_old_runs = RowGuard("extraction whose values no filter knows")


class TypedValue(NamedTuple):
    """What a row of the table says, without whose it is."""

    path: str
    row: str
    text: str
    number: Decimal | None
    day: date | None


def index_values(extraction: Extraction) -> None:
    """Makes the table say what the newest run of the extraction's prompt says. Under a lock of the extraction.

    Only what differs is written: an edit of one value costs one row.
    """
    revision = extraction.prompt_revision
    if revision is None:
        return
    newest = _find_newest(extraction)
    of_document = CurrentValue.objects.filter(document=extraction.document_id)
    room = max(0, MAX_VALUES - of_document.filter(~Q(prompt=revision.prompt_id), ~Q(prompt=None)).count())
    missing, has_fewer = _remove_others(of_document.filter(prompt=revision.prompt_id), list_values(newest)[:room])
    if missing or has_fewer:
        organization_id = Document.objects.values_list("organization_id", flat=True).get(pk=extraction.document_id)
        CurrentValue.objects.bulk_create(make_rows(newest, organization_id, missing) if newest else [])
        _announce(organization_id)


def index_metadata(document: Document) -> None:
    """Makes the table say what the document's metadata says. Under the document's lock."""
    rows = CurrentValue.objects.filter(document=document, prompt=None)
    missing, _ = _remove_others(rows, list_metadata_values(document))
    CurrentValue.objects.bulk_create(make_metadata_rows(document, missing))


def list_metadata_values(document: Document) -> list[TypedValue]:
    pairs = ((f"{METADATA}.{key}", value) for key, value in document.metadata.items())
    return [_read_value(path, "", value, "") for path, value in pairs if len(path) <= CurrentValue.MAX_PATH]


def make_metadata_rows(document: Document, values: list[TypedValue]) -> list[CurrentValue]:
    return [
        CurrentValue(organization_id=document.organization_id, document=document, **value._asdict()) for value in values
    ]


def _remove_others(
    rows: QuerySet[CurrentValue, CurrentValue], values: list[TypedValue]
) -> tuple[list[TypedValue], bool]:
    """Deletes the rows that are none of these values; those that no row says, and whether any row went."""
    missing, superfluous = Counter(values), []
    for key, *fields in rows.values_list("pk", *TypedValue._fields):
        value = TypedValue(*fields)
        if missing[value] > 0:
            missing[value] -= 1
        else:
            superfluous.append(key)
    if superfluous:
        CurrentValue.objects.filter(pk__in=superfluous).delete()
    return list(missing.elements()), bool(superfluous)


def _announce(organization_id: str) -> None:
    """Lists that were narrowed by values are no longer what is remembered of them."""
    transaction.on_commit(lambda: group_cache.forget(events.organization_group(organization_id)))


def make_rows(extraction: Extraction, organization_id: str, values: list[TypedValue]) -> list[CurrentValue]:
    prompt, schema = extraction.prompt_revision, extraction.schema_revision
    if prompt is None or schema is None:
        return []
    return [
        CurrentValue(
            organization_id=organization_id,
            document_id=extraction.document_id,
            prompt_id=prompt.prompt_id,
            schema_id=schema.schema_id,
            **value._asdict(),
        )
        for value in values
    ]


def list_values(extraction: Extraction | None) -> list[TypedValue]:
    """Single values before those of rows, which are left out first where there are too many."""
    if extraction is None or extraction.schema_revision is None:
        return []
    leaves = list(_iterate_leaves(extraction.current))
    mark = find_decimal_mark(value for _, _, value in leaves if isinstance(value, str) and len(value) < _LONGEST_DAY)
    leaves.sort(key=lambda leaf: bool(leaf[1]))
    fitting = (leaf for leaf in leaves if len(leaf[0]) <= CurrentValue.MAX_PATH)
    return [_read_value(path, row, value, mark) for path, row, value in islice(fitting, MAX_VALUES)]


@transaction.atomic
def index_old_run(extraction_id: str) -> None:
    """Of a run that was stored before there was the table; again it changes nothing."""
    document_id = Extraction.objects.values_list("document_id", flat=True).get(pk=extraction_id)
    Document.objects.select_for_update().filter(pk=document_id).first()  # before the run, as everywhere
    locked = Extraction.objects.select_for_update(of=("self",)).select_related("prompt_revision")
    extraction = locked.filter(pk=extraction_id).first()
    if extraction:
        index_values(extraction)
        Extraction.objects.filter(pk=extraction_id).update(values_indexed_at=timezone.now())


def index_old_runs() -> int:
    """Some of those that no filter knows; how many it did. For the scheduler: it goes on where it stopped."""
    return _old_runs.run_each(list_old_runs().order_by("pk"), index_old_run, maximum=AT_ONCE)


def list_old_runs() -> QuerySet[Extraction, Extraction]:
    return Extraction.objects.filter(status=Extraction.Status.COMPLETED, values_indexed_at=None)


def _find_newest(extraction: Extraction) -> Extraction | None:
    """The one whose values count: the newest completed run of the same prompt."""
    runs = Extraction.objects.filter_completed_like(extraction)
    key = runs.order_by("-number").values_list("pk", flat=True).first()
    if key is None or key == extraction.pk:
        return extraction if key else None
    return runs.select_related("prompt_revision", "schema_revision").get(pk=key)


def _iterate_leaves(stored: Stored, path: str = "", row: str = "") -> Iterator[tuple[str, str, Stored]]:
    if isinstance(stored, dict):
        for name, value in stored.items():
            yield from _iterate_leaves(value, f"{path}.{name}" if path else name, row)
    elif isinstance(stored, list):
        for stored_row in stored:
            rows = f"{row} {stored_row['row_id']}".strip()
            yield from _iterate_leaves(stored_row["value"], path, rows[: CurrentValue.MAX_ROW])
    elif path:
        yield path, row, stored


def find_written(stored: Stored, path: str, text: str) -> str | int | float:
    """A value as it is stored, of which the table has the folded `text`."""
    for leaf_path, _, value in _iterate_leaves(stored):
        if leaf_path == path and isinstance(value, str | int | float) and _format_text(value) == text:
            return value[: CurrentValue.MAX_TEXT] if isinstance(value, str) else value
    return text


def read_written(stored: Stored, paths: Collection[str]) -> dict[tuple[str, str], str | int | float]:
    """Values of these fields as they are stored, by field and row as the table has them."""
    return {
        (path, row): value
        for path, row, value in _iterate_leaves(stored)
        if path in paths and isinstance(value, str | int | float)
    }


def read_places(stored: Stored, paths: Collection[str]) -> dict[tuple[str, str], tuple[Where, Stored]]:
    """Where values of these fields stand and what is stored there, by field and row as the table has them."""
    roots = {path.partition(".")[0] for path in paths}
    chosen = {name: value for name, value in stored.items() if name in roots} if isinstance(stored, dict) else {}
    places = ((split_address(where), (where, value)) for where, value in iterate_leaves(chosen))
    return {at: place for at, place in places if at[0] in paths}


def split_address(where: Where) -> tuple[str, str]:
    """Field and row as the table has them."""
    steps = split_steps(where)
    rows = " ".join(step.row_id for step in steps if isinstance(step, RowStep))
    return ".".join(step for step in steps if isinstance(step, str)), rows[: CurrentValue.MAX_ROW]


def read_lines(provenance: Mapping[Where, ValuePlace], paths: Collection[str]) -> dict[tuple[str, str], str]:
    """`page.line` of where values of these fields stand, by field and row as the table has them."""
    lines: dict[tuple[str, str], str] = {}
    for where, place in provenance.items():
        path, row = split_address(where)
        if path in paths and (blocks := place.get("blocks")):
            lines[path, row] = ".".join(blocks[0].split(".")[:2])
    return lines


def _read_value(path: str, row: str, value: Stored, decimal_mark: str) -> TypedValue:
    return TypedValue(path, row, _format_text(value), _read_number(value, decimal_mark), read_day(value))


def _format_text(value: Stored) -> str:
    if value is None:
        return ""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return fold_case(text.replace("\0", "")[: CurrentValue.MAX_TEXT])[: CurrentValue.MAX_TEXT]


def _read_number(value: Stored, decimal_mark: str) -> Decimal | None:
    """Nothing for what can mean two amounts."""
    readings = list_readings(value, decimal_mark)
    number = readings.pop() if len(readings) == 1 else None
    return number.quantize(_SMALLEST) if number is not None and abs(number) < _TOO_LARGE else None


def read_day(value: Stored) -> date | None:
    days = parse_dates(value) if isinstance(value, str) and len(value) <= _LONGEST_DAY else set()
    return days.pop() if len(days) == 1 else None
