"""What it costs to put a whole result of many values: `python -m benchmarks.growth.many_values [--values N …]`.

The result is a table of ten columns, and each value of it is changed. A second extraction then carries all edits over.
Told are computing seconds and SQL statements, also for each value and as a ratio to a result of ten.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

from django.apps import apps

from benchmarks.instruments import embedded

if not apps.ready:
    embedded.start()

from django.db import connection

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import User
from accounts.services import organizations, users
from documents import extractions, values
from documents.definitions import prompts, schemas
from documents.extractions import ExtractionDraft, edits
from documents.locate import locate
from documents.models import Document, Page, Reading
from reader.words import Word, number_rows, pack, unpack

COLUMNS = 10
ROWS_A_PAGE = 40
AMOUNT = {"type": "number", "description": "An amount."}
SCHEMA = {
    "type": "object",
    "properties": {
        "rows": {
            "type": "array",
            "description": "The table.",
            "items": {"type": "object", "properties": {f"c{column}": AMOUNT for column in range(COLUMNS)}},
        }
    },
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "table", "schema": SCHEMA, "strict": False}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--values", type=int, nargs="+", default=[10, 150, 1500, 5000])
    numbers: list[int] = parser.parse_args().values
    person = users.create(None, email="a@example.org", password=None, name="A", is_superuser=True)
    actor = enter(person, organizations.create(User.objects.get(pk=person.pk), name="Bench", type="team").pk)
    first: dict[str, float] = {}
    measure(actor, 10, first={})
    for count in numbers:
        measure(actor, count, first=first, tell=True)


def measure(actor: Actor, count: int, *, first: dict[str, float], tell: bool = False) -> None:
    rows = count // COLUMNS
    draft = table_of(actor, rows)
    extraction, again = extractions.store(actor, draft=draft()), draft()
    result = {"rows": [{f"c{at}": amount(row, COLUMNS - 1 - at) for at in range(COLUMNS)} for row in range(rows)]}
    steps: dict[str, Callable[[], object]] = {
        "put": lambda: edits.replace_result(actor, extraction=extraction, result=result, verified=True),
        "carry over": lambda: extractions.store(actor, draft=again),
    }
    for name, step in steps.items():
        statements = Statements()
        with connection.execute_wrapper(statements):
            began = time.process_time()
            step()
            seconds = time.process_time() - began
        share = first.setdefault(name, seconds)
        if tell:
            print(
                f"{name:10} {count:6} values: {seconds:7.2f} s of computing, {statements.count:6} statements, "
                f"{1000 * seconds / count:6.2f} ms a value, {seconds / share:7.1f} times as long as the first",
                flush=True,
            )


class Statements:
    """Counts those that pass through it."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, execute: Callable[..., Any], *statement: Any) -> Any:
        self.count += 1
        return execute(*statement)


def amount(row: int, column: int) -> float:
    return 1000 + row * COLUMNS + column


def table_of(actor: Actor, rows: int) -> Callable[[], ExtractionDraft]:
    """Makes a document with that many rows; each draft is of a run on it."""
    document = Document.objects.create(organization=actor.organization, name="table.pdf", sha256="0", size=1, file="x")
    reading = Reading.objects.create(document=document, number=1, status="completed", page_count=1)
    for start in range(0, rows, ROWS_A_PAGE):
        words = [
            word_of(row - start, column, amount(row, column))
            for row in range(start, min(rows, start + ROWS_A_PAGE))
            for column in range(COLUMNS)
        ]
        Page.objects.create(
            reading=reading,
            number=start // ROWS_A_PAGE + 1,
            width=600,
            height=800,
            engine="x",
            words=pack(number_rows(words)),
        )
    name = f"Table {document.pk}"
    revision = schemas.create(actor, name=name, response_format=FORMAT)
    prompt = prompts.create(actor, name=name, content="Take the rows.", schema_revision=revision)

    pages = [(page.number, unpack(bytes(page.words))) for page in reading.pages.all()]

    def draft() -> ExtractionDraft:
        result = {"rows": [{f"c{at}": amount(row, at) for at in range(COLUMNS)} for row in range(rows)]}
        stored = values.add_row_ids(result, SCHEMA)
        provenance = {where: place.as_json() for where, place in locate(stored, SCHEMA, pages).items()}
        return ExtractionDraft(
            document.pk, reading.pk, prompt.pk, revision.pk, "x", "{}", stored, provenance, coverage=[1], page_count=1
        )

    return draft


def word_of(row: int, column: int, number: float) -> Word:
    left, top = 0.03 + 0.095 * column, 0.02 + row / (ROWS_A_PAGE + 2)
    return Word(f"{number:.2f}", left, top, left + 0.06, top + 0.01)


if __name__ == "__main__":
    main()
