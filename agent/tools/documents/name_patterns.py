"""Names of documents from a pattern such as "{invoice_date}-{vendor}", filled with the values of their newest run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from agent.tools.documents.current_values import iterate_leaves
from documents import document_changes, extractions
from documents.models import Document
from documents.values import strip_row_ids
from kit.errors import Invalid

_PLACE = re.compile(r"\{([^{}]+)\}")
_UNFIT = re.compile(r'[\\/:*?"<>|\s]+')
MAX_LETTERS = 80


def build_names(documents: Sequence[Document], pattern: str) -> dict[str, str]:
    """By the document's id its new name, with the extension that it has. Raises Invalid where a value is missing."""
    if not _PLACE.search(pattern):
        raise Invalid("A name pattern holds names of values, such as {invoice_date}-{vendor}, or {name}.")
    values = {
        run.document_id: _read_values(run.current) for run in extractions.list_newest_runs(d.pk for d in documents)
    }
    return {document.pk: _build_name(document, pattern, values.get(document.pk, {})) for document in documents}


def _read_values(current: object) -> dict[str, str]:
    leaves = iterate_leaves(strip_row_ids(current))
    return {path: str(value) for path, value in leaves if value not in (None, "") and not isinstance(value, list)}


def _build_name(document: Document, pattern: str, values: Mapping[str, str]) -> str:
    stem, dot, extension = document.name.rpartition(".")
    own = {"name": stem if dot else document.name, "uploaded": f"{document.created_at:%Y-%m-%d}"}
    suffix = f".{extension}" if dot else ""

    def find_value(match: re.Match[str]) -> str:
        text = _find_value(document, match[1].strip(), {**own, **values})
        fit = _UNFIT.sub(" ", text).strip()
        return fit if match[1].strip() == "name" else fit[:MAX_LETTERS]

    name = _PLACE.sub(find_value, pattern.removesuffix(suffix))
    return document_changes.clean_name(f"{name.rstrip(' .') if suffix else name}{suffix}", extension_of=document)


def _find_value(document: Document, value_name: str, values: Mapping[str, str]) -> str:
    """The value of this name, else the only one whose name ends with it: `date` of `invoice_date`."""
    if value_name in values:
        return values[value_name]
    similar = [path for path in values if path.endswith((f"_{value_name}", f".{value_name}"))]
    if len(similar) == 1:
        return values[similar[0]]
    there = ", ".join(similar or list(values)[:8])
    what = "several values called" if similar else "no value"
    raise Invalid(
        f"{document.name} has {what} {value_name[:60]!r}. It has: {there}. Leave it out, or name another value."
    )
