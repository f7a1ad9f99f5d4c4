"""The values that many runs have found, in short: how many have each, exact sums and ranges, or the most frequent."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import count

from agent.toolkit.registry import Result
from documents.find.fields.aggregating import Aggregation
from documents.find.fields.query import Aggregate, FieldQuery, Function
from documents.find.fields.records import Record, Value
from documents.find.fields.tables import FieldCell
from documents.index.values.indexing import TypedValue, list_values, read_written
from documents.models import Extraction
from kit.json_types import Json
from printed.currencies import CURRENCY_NAMES

MAX_FIELDS, MAX_FREQUENT, MAX_LETTERS = 10, 3, 60
_COMPUTED: Mapping[str, Sequence[Function]] = {"amount": ("sum", "min", "max"), "day": ("min", "max"), "text": ()}


@dataclass
class SummedField:
    """The single values that runs have of a field, and each as it is written."""

    values: list[TypedValue] = field(default_factory=list)
    written: list[str | int | float] = field(default_factory=list)

    def add(self, value: TypedValue, written: str | int | float) -> None:
        self.values.append(value)
        self.written.append(written)

    @property
    def kind(self) -> str:
        """Numbers that only name something, such as 20260017 in a text, are no amounts."""
        pairs = list(zip(self.values, self.written, strict=True))
        if pairs and all(value.number is not None and _is_amount(written) for value, written in pairs):
            return "amount"
        return "day" if pairs and all(value.day for value, _ in pairs) else "text"


def _is_amount(written: str | int | float) -> bool:
    return not isinstance(written, bool | str) or (isinstance(written, str) and any(mark in written for mark in ".,"))


def summarize_values(runs: Iterable[Extraction]) -> list[Result]:
    """Summarize the runs of each prompt. Rows of tables are left out: documents say how many they have."""
    by_prompt: defaultdict[str, list[Extraction]] = defaultdict(list)
    for run in runs:
        if not run.is_prose:
            by_prompt[str(run.prompt_revision or "")].append(run)
    return [_summarize_prompt(prompt, some) for prompt, some in by_prompt.items()]


def _summarize_prompt(prompt: str, runs: Sequence[Extraction]) -> Result:
    listed = [(run, [value for value in list_values(run) if not value.row]) for run in runs]
    fields = _collect(listed)
    chosen = dict(list(fields.items())[:MAX_FIELDS])
    aggregation = _prepare(chosen)
    (computed,) = aggregation.run(_iterate_records(listed, {*chosen, *CURRENCY_NAMES}))
    described: Result = {
        name: _describe_field(each, len(runs), dict(_read_figures(name, each, computed.row.cells)))
        for name, each in chosen.items()
    }
    notes = [note for name, each in chosen.items() if each.kind == "amount" for note in aggregation.list_notes_of(name)]
    if len(fields) > MAX_FIELDS:
        notes.append(f"{MAX_FIELDS} of {len(fields)} fields are summarized; query_fields answers about all.")
    return {"prompt": prompt, "results": len(runs), "fields": described, **({"notes": notes} if notes else {})}


def _collect(listed: Sequence[tuple[Extraction, Sequence[TypedValue]]]) -> Mapping[str, SummedField]:
    """All fields in the order of the results, also those that are empty in each."""
    fields: defaultdict[str, SummedField] = defaultdict(SummedField)
    for run, values in listed:
        written = read_written(run.current, {value.path for value in values})
        for value in values:
            summed = fields[value.path]
            if value.text and (value.path, "") in written:
                summed.add(value, written[value.path, ""])
    return fields


def _prepare(fields: Mapping[str, SummedField]) -> Aggregation:
    """Counted are results, of which a document may have several."""
    asked = [Aggregate(function, name) for name, each in fields.items() for function in _COMPUTED[each.kind]]
    return Aggregation(FieldQuery(aggregates=asked or [Aggregate("count")], counted="results"))


def _iterate_records(
    listed: Iterable[tuple[Extraction, Sequence[TypedValue]]], paths: Collection[str]
) -> Iterator[Record]:
    keys = count()
    for run, values in listed:
        by_path: defaultdict[str, list[Value]] = defaultdict(list)
        for value in (value for value in values if value.path in paths):
            by_path[value.path].append(Value(next(keys), run.document_id, None, *value))
        yield Record(run.document, "", by_path, counted=run.pk)


def _read_figures(name: str, each: SummedField, cells: Mapping[str, FieldCell]) -> Iterator[tuple[str, Json]]:
    """A figure, or where currencies differ one for each."""
    for function in _COMPUTED[each.kind]:
        if figures := [_write(figure) for figure in cells[Aggregate(function, name).title]]:
            yield function, figures[0] if len(figures) == 1 else list(figures)


def _write(figure: object) -> str:
    return (
        f"{figure:f}"
        if isinstance(figure, Decimal)
        else figure.isoformat()
        if isinstance(figure, date)
        else str(figure)
    )


def _describe_field(each: SummedField, runs: int, figures: Result) -> Result:
    described: Result = {"filled": len(each.values), **figures}
    if empty := runs - len(each.values):
        described["empty"] = empty
    if not figures and each.values:
        counts = Counter(str(written)[:MAX_LETTERS] for written in each.written)
        described["different"] = len(counts)
        if frequent := [(text, number) for text, number in counts.most_common(MAX_FREQUENT) if number > 1]:
            described["most_frequent"] = dict(frequent)
    return described
