"""Whether every page and every row of the document is among the values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from documents.checks.checked_values import CheckedValues, list_pages
from documents.checks.findings import CannotCompute, Finding, make_failure
from documents.checks.parameters import Parameter, ParameterType
from documents.checks.schema_paths import SchemaPaths
from documents.checks.value_check import ValueCheck


@dataclass(frozen=True)
class CoverageCheck(ValueCheck):
    kind = "coverage"
    title = "Every page gave values"
    parameters = (
        Parameter(
            "list",
            "The list that goes over the pages",
            ParameterType.LIST,
            required=False,
            help="Empty: values of any field count.",
        ),
        Parameter(
            "count_field", "The field with the printed number of rows", ParameterType.SINGLE_NUMBER, required=False
        ),
        Parameter("allowed_pages", "How many pages may be without", ParameterType.COUNT, required=False),
    )

    list: str | None = None
    count_field: str | None = None
    allowed_pages: int | None = None

    def describe(self, paths: SchemaPaths) -> str:
        subject = f"rows of {paths.title_of(self.list)}" if self.list else "values"
        pages = f"All pages but {self.allowed_pages}" if self.allowed_pages else "All pages"
        count = f", as many as {paths.title_of(self.count_field)} says" if self.count_field else ""
        return f"{pages} gave {subject}{count}."

    def judge(self, values: CheckedValues) -> Iterator[Finding]:
        yield from self._judge_pages(values)
        if self.list and self.count_field:
            yield from self._judge_rows(values, self.list, self.count_field)

    def _judge_pages(self, values: CheckedValues) -> Iterator[Finding]:
        place = self.list or ""
        if not values.pages:
            raise CannotCompute("The document has no pages with text.", place)
        values.budget.spend(len(values.provenance))
        giving = {
            location.get("page")
            for where, location in values.provenance.items()
            if not place or where.startswith((f"{place}[", f"{place}."))
        }
        if not giving - {None}:
            raise CannotCompute("No value was found on a page.", place)
        without = [page for page in values.pages if page not in giving]
        if len(without) > (self.allowed_pages or 0):
            gave = "no row" if place else "no value"
            pages = f"{len(without)} of {len(values.pages)} pages gave {gave}: {list_pages(without)}."
            yield make_failure(f"{pages}{values.describe_gap()}", *([place] if place else []))

    def _judge_rows(self, values: CheckedValues, place: str, count_field: str) -> Iterator[Finding]:
        owner, printed = values.require_amount(count_field)
        rows = len(values.list_rows(place))
        if rows != printed:
            count = "1 row" if rows == 1 else f"{rows:,} rows"
            source = values.describe_source(owner).replace("the page says", "the page prints")
            yield make_failure(
                f"{count}; {source} {printed.normalize():,f}.{values.describe_gap()}", place, owner.where
            )
