"""Values that another document has too, such as the number of an invoice that came twice."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from documents.checks.checked_values import CheckedValues, quote
from documents.checks.findings import CannotCompute, Finding, make_failure
from documents.checks.parameters import Parameter, ParameterType
from documents.checks.schema_paths import SchemaPaths
from documents.checks.value_check import ValueCheck

MAX_NAMED = 3


@dataclass(frozen=True)
class DuplicateCheck(ValueCheck):
    kind = "duplicate"
    title = "No other document says the same"
    parameters = (
        Parameter(
            "fields",
            "What is the same together, such as vendor and invoice number",
            ParameterType.SINGLE,
            many=True,
        ),
    )

    fields: tuple[str, ...]

    def describe(self, paths: SchemaPaths) -> str:
        return f"No other document has the same {' and '.join(map(paths.title_of, self.fields))}."

    def compute_digest(self, values: CheckedValues, schema_id: str) -> str:
        """The same for documents that say the same; empty while a field is. Marks, spaces and case do not count."""
        cells = [values.get(path) for path in self.fields]
        parts = ["".join(sign for sign in str(cell.value).casefold() if sign.isalnum()) for cell in cells]
        if any(cell.is_empty for cell in cells) or not all(parts):
            return ""
        named = "\n".join((schema_id, *sorted(f"{path}={part}" for path, part in zip(self.fields, parts, strict=True))))
        return hashlib.sha256(named.encode()).hexdigest()

    def judge(self, values: CheckedValues) -> Iterator[Finding]:
        first, *others = (values.get(path) for path in self.fields)
        for cell in (first, *others):
            if cell.is_empty:
                raise CannotCompute(f"{values.title_of(cell)} is empty.", first.where)
        if values.twins is None:
            raise CannotCompute("Other documents are compared once the check is saved.", first.where)
        names = values.twins.get(self.compute_digest(values, values.schema_id), [])
        if names:
            more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
            listed = ", ".join(quote(name) for name in names[:MAX_NAMED])
            titles = " and ".join(values.title_of(cell) for cell in (first, *others))
            has = "has" if len(names) == 1 else "have"
            yield make_failure(f"{listed}{more} {has} the same {titles}.", first.where, *(o.where for o in others))
