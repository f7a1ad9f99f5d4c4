"""One step of `benchmarks.growth.results_out`: its database's address, documents, and what to make or measure."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import TypeAlias

from benchmarks.instruments import embedded

if __name__ == "__main__":
    embedded.start(database_url=sys.argv[1])

from openpyxl import Workbook

from accounts.access import enter
from accounts.models import Member
from benchmarks.instruments.statements import statement_count
from documents.models import Document
from documents.results import ResultExport, ResultLayout
from documents.results.layout import plan_columns
from documents.results.loading import list_counted_runs
from tests.results_rows import make_extracted, make_invoice_prompt, make_people, make_values

FIELDS, AT_ONCE, MB = 20, 2_000, 1024 * 1024
Write: TypeAlias = Callable[[bytes], object]


def make_rows(number: int) -> None:
    actor = make_people()
    prompt = make_invoice_prompt(actor, FIELDS)
    for at in range(0, number, AT_ONCE):
        make_extracted(actor, prompt, range(at, min(number, at + AT_ONCE)), FIELDS)


def measure(name: str, make: Callable[[Write], int], number: int) -> None:
    gc.collect()
    idle = read_memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # forgets the most so far
    began = time.process_time()
    with statement_count() as statements, tempfile.TemporaryFile() as file:
        size = make(file.write)
    spent, most = time.process_time() - began, read_memory("VmHWM")
    print(
        f"{name:6} {number:,} documents, {size / MB:6.1f} MB: {most - idle:5.0f} MB above idle ({idle:.0f}), "
        f"{1000 * spent / number * 1000:6.0f} ms of CPU for 1,000 rows, {statements.total:,} statements",
        flush=True,
    )


def write_results(form: str, *, with_proof: bool) -> Callable[[Write], int]:
    member = Member.objects.get()
    actor, layout = enter(member.user, member.organization_id), ResultLayout(format=form, proof=with_proof)

    def make(write: Write) -> int:
        export = ResultExport(actor.organization, layout, plan_columns(actor, layout, list_counted_runs(layout)))
        documents = Document.objects.for_org(actor.organization)
        return add_up(export.iterate_blocks(export.loader.iterate_selected(documents)), write)

    return make


def write_floor(number: int) -> Callable[[Write], int]:
    """No more than the library: the same kinds of cells, made before."""

    def make(write: Write) -> int:
        book = Workbook(write_only=True)
        sheet = book.create_sheet("Documents")
        values = [*make_values(7, FIELDS).values()]
        cells = [date(2026, 3, 7) if str(each).startswith("2026-") else each for each in values]
        address = "http://localhost:8000/orgs/65f1a2b3c4d5e6f708192a3b/documents/65f1a2b3c4d5e6f708192a3b"
        for at in range(number):
            sheet.append([f"65f1a2b3c4d5e6f7{at:08}", f"invoice {at}.pdf", *cells, address])
        with tempfile.TemporaryFile() as file:
            book.save(file)
            return file.tell()

    return make


def add_up(blocks: Iterator[bytes], write: Write) -> int:
    size = 0
    for block in blocks:
        write(block)
        size += len(block)
    return size


def read_memory(name: str) -> float:
    lines = Path(f"/proc/{os.getpid()}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{name}:"))


def main() -> None:
    number, step = int(sys.argv[2]), sys.argv[3]
    if step == "make":
        make_rows(number)
    elif step == "floor":
        measure(step, write_floor(number), number)
    else:
        measure(step, write_results(step, with_proof="--proof" in sys.argv), number)


if __name__ == "__main__":
    main()
