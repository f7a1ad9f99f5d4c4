"""Results as JSON, an object a document with its lists as they are; a trailer says what was left out."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping

from documents.extractions.field_proofs import FieldProofs, Leaf
from documents.models import Extraction
from documents.results.loading import ResultDocument
from documents.results.proof_cells import describe_for_programs, prove_value
from documents.results.rows import PlacedValue
from documents.results.tables import Tabulator, describe_state, read_beside
from documents.results.writing.base import ResultWriter, Summary
from documents.results.writing.csv_tables import encode
from documents.values import Stored, strip_row_ids
from documents.values.addresses import RowStep, split_steps
from kit.json_types import Json, JsonObject

_ALWAYS = ("@id", "@name", "@link", "@state", "@prompt", "@model")


class JsonFile(ResultWriter):
    """`{"results": [ … ], "trailer": { … }}`."""

    before, between, after = '{"results": [\n', ",\n", '\n], "trailer": '
    end = "}\n"

    def __init__(self, tabulator: Tabulator, note_work: Callable[[], None] = lambda: None) -> None:
        super().__init__(tabulator, note_work)
        self.describing, self._parts, self._is_first = Describing(tabulator), list[str](), True

    def begin(self) -> bytes:
        return encode(self.before)

    def add(self, document: ResultDocument) -> int:
        self._parts += ["" if self._is_first else self.between, _write(self.describing.describe(document))]
        self._is_first = False
        return 1

    def take(self) -> bytes:
        text, self._parts = "".join(self._parts), []
        return encode(text)

    def finish(self, summary: Summary) -> Iterator[bytes]:
        yield self.take()
        yield encode(self.after)
        yield from _write_trailer(summary)
        yield encode(self.end)


class JsonLinesFile(JsonFile):
    """A line a document; the last line is `{"trailer": { … }}`."""

    before, between = "", "\n"
    after, end = '\n{"trailer": ', "}\n"

    def finish(self, summary: Summary) -> Iterator[bytes]:
        first, *rest = super().finish(summary)
        yield first
        yield from [encode(self.after.strip()), *rest[1:]] if self._is_first else rest


class Describing:
    """Documents as JSON. Columns narrow the values to these; without any there is all that a result has."""

    def __init__(self, tabulator: Tabulator) -> None:
        self.tabulator, layout = tabulator, tabulator.layout
        self.chosen = frozenset(layout.columns and [each.name for each in tabulator.columns if each.is_field])
        self.beside = [name for name in layout.columns if name.startswith("@") and name not in _ALWAYS]

    def describe(self, document: ResultDocument) -> JsonObject:
        row, links = document.document, self.tabulator.links
        whole: JsonObject = {
            "document_id": row.pk,
            "document_name": row.name,
            "document_type": row.document_type.key if row.document_type else None,
            "link": links.link_document(row.pk),
            "state": describe_state(document),
        }
        for name in self.beside:
            value = read_beside(document, name, links)
            whole[name.removeprefix("@")] = value if isinstance(value, str | bool | int) else str(value or "")
        if metadata := {key: row.metadata.get(key) for key in self._list_metadata()}:
            whole["metadata"] = metadata
        pairs = zip(document.runs, document.proofs, strict=True)
        return {**whole, "results": [self._describe_run(run, proofs) for run, proofs in pairs]}

    def _list_metadata(self) -> list[str]:
        return [name.removeprefix("metadata.") for name in sorted(self.chosen) if name.startswith("metadata.")]

    def _describe_run(self, run: Extraction, proofs: FieldProofs) -> JsonObject:
        revision = run.prompt_revision
        leaves = [leaf for leaf in proofs.list_leaves() if not self.chosen or _name_field(leaf.where) in self.chosen]
        described: JsonObject = {
            "prompt_revid": run.prompt_revision_id,
            "prompt_name": revision.prompt.name if revision else "",
            "prompt_version": revision.number if revision else 1,
            "prompt_status": revision.status if revision else "",
            "extraction_id": run.pk,
            "values": strip_row_ids(select_values(run.current, self.chosen) if self.chosen else run.current),
            "without_value": {leaf.path: _explain_empty(proofs, leaf) for leaf in leaves if leaf.is_empty},
        }
        if self.tabulator.layout.proof:
            described["proof"] = {leaf.path: self._prove(proofs, leaf) for leaf in leaves}
        return described

    def _prove(self, proofs: FieldProofs, leaf: Leaf) -> dict[str, object]:
        return describe_for_programs(prove_value(proofs, PlacedValue(0, leaf.where, leaf.value), self.tabulator.links))


def select_values(stored: Stored, chosen: Collection[str], path: str = "") -> Stored:
    """Only the chosen fields, and what leads to them."""
    if path in chosen:
        return stored
    if isinstance(stored, list):
        return [{**row, "value": select_values(row["value"], chosen, path)} for row in stored]
    if not isinstance(stored, dict):
        return None
    inner = {name: f"{path}.{name}".removeprefix(".") for name in stored}
    selected = {name for name, where in inner.items() if any(_leads(where, each) for each in chosen)}
    return {name: select_values(value, chosen, inner[name]) for name, value in stored.items() if name in selected}


def _leads(where: str, chosen: str) -> bool:
    return chosen == where or chosen.startswith(f"{where}.")


def _name_field(where: str) -> str:
    return ".".join(step for step in split_steps(where) if not isinstance(step, RowStep))


def _explain_empty(proofs: FieldProofs, leaf: Leaf) -> Mapping[str, str]:
    return {"state": proofs.find_state(leaf), "note": proofs.find_place(leaf).get("note", "")}


def _write_trailer(summary: Summary) -> Iterator[bytes]:
    counts = {
        "documents": summary.documents,
        "proposed_count": summary.proposed,
        "left_out_count": summary.omissions.left_out,
        "in_part_count": summary.omissions.in_part,
    }
    yield encode(f'{_write(counts)[:-1]}, "left_out": [')
    for number, omission in enumerate(summary.omissions):
        yield encode(f"{', ' if number else ''}{_write(omission._asdict())}")
    yield b"]}"


def _write(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
