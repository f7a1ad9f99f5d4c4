"""Tasks over long texts and many rows, where a person would compare, add up and tick off by hand."""

from __future__ import annotations

import io
from decimal import Decimal
from typing import Any

from openpyxl import Workbook

from benchmarks.agent_tasks import scripts
from benchmarks.agent_tasks.good_model import Script, make_format
from benchmarks.agent_tasks.office import Office
from benchmarks.agent_tasks.papers import Invoice, make_items
from benchmarks.agent_tasks.request import Absent
from benchmarks.agent_tasks.task import Task, name_missing
from documents.definitions import prompts, schemas
from tests.documents.compared_texts import change_contract, make_contract, number_clauses, set_lines
from tests.scripted_model import calls, says

SHEETS, ROWS = ("Vienna", "Graz", "Linz", "Salzburg", "Wels"), 40
CLAUSES = 320
BILLS = [
    Invoice(f"Supplier {at} Ltd", f"INV-{1000 + at}", "2026-01-05", "2026-02-05", make_items(at % 4 + 1))
    for at in range(36)
]
SHORT_PAID, MISSING = (4, 17, 30), (8, 21)
"""By their place the bills of which 10.00 too little was paid, and those that were not paid."""


def write_versions() -> tuple[bytes, bytes]:
    clauses = make_contract(CLAUSES)
    changed, _ = change_contract(clauses)
    old, new = (set_lines(number_clauses(each), width) for each, width in ((clauses, 90), (changed, 72)))
    return "\n".join(old).encode(), "\n".join(new).encode()


def play_two_versions(office: Office) -> str:
    old, new = write_versions()
    office.upload("contract_2026.txt", new)
    thread = office.open_thread(office.upload("contract_2025.txt", old))
    office.ask(thread, "What is different in contract_2026.txt? Numbers first.")
    answer = office.read_last_answer(thread)
    return name_missing(
        the_days="21" in answer, the_written_number="twenty-five" in answer, the_new_clause="source code" in answer
    )


def compare_two_versions() -> Script:
    request = yield  # type: ignore[misc]
    other = request.find(r"different in (\S+)\?")
    request = yield calls(("compare_documents", {"with_document": other}))
    changes = str(request.result("compare_documents")["changes"]).splitlines()
    said = [line.partition(": ")[2] for line in changes if "→" in line or line.startswith(("added", "removed"))]
    if not said:
        raise Absent("no changes in compare_documents")
    yield says("These passages differ:\n" + "\n".join(said))


def make_sheets() -> tuple[bytes, dict[str, Decimal]]:
    book = Workbook()
    book.remove(book.worksheets[0])
    sums = {}
    for number, name in enumerate(SHEETS, 1):
        sheet = book.create_sheet(name)
        sheet.append(["Day", "Customer", "Amount"])
        amounts = [Decimal(number * 1000 + at * 7) / 4 for at in range(ROWS)]
        for at, amount in enumerate(amounts):
            sheet.append([f"2026-03-{at % 28 + 1:02}", f"Customer {at % 9}", float(amount)])
        sums[name] = sum(amounts, Decimal())
    file = io.BytesIO()
    book.save(file)
    return file.getvalue(), sums


def play_sheets(office: Office) -> str:
    content, sums = make_sheets()
    thread = office.open_thread(office.upload("sales.xlsx", content))
    office.ask(thread, "What does each sheet come to?")
    answer = office.read_last_answer(thread)
    return name_missing(**{f"the sum of {name}": f"{total:.2f}" in answer for name, total in sums.items()})


def add_up_sheets() -> Script:
    _ = yield  # type: ignore[misc]
    query = {"group": {"field": "sheet"}, "aggregate": [{"function": "sum", "field": "Amount"}]}
    request = yield calls(("table_query", query))
    rows = request.result("table_query")["rows"]
    yield says("\n".join(f"{row['sheet']}: {row['sum(Amount)']}" for row in rows))


def write_bank() -> bytes:
    paid = [(at, bill) for at, bill in enumerate(BILLS) if at not in MISSING]
    lines = ["Booked;Text;Amount;Currency"]
    lines += [
        f"2026-02-{at % 27 + 1:02};{bill.vendor} {bill.number} thank you;-{bill.total - 10 * (at in SHORT_PAID)};EUR"
        for at, bill in paid
    ]
    return "\n".join([*lines, "2026-02-28;Rent of February;-2400.00;EUR"]).encode()


def play_bank(office: Office) -> str:
    fields: dict[str, Any] = scripts.FIELDS
    revision = schemas.create(office.actor, name=scripts.NAME, response_format=make_format("invoice", fields))
    prompts.create(office.actor, name=scripts.NAME, content=scripts.CONTENT, schema_revision=revision)
    for at, bill in enumerate(BILLS):
        office.extract(office.upload(f"bill{at}.txt", bill))
    thread = office.open_thread(office.upload("bank.csv", write_bank()))
    office.ask(thread, "Which of the invoices were not paid, or not in full?")
    answer = office.read_last_answer(thread)
    return name_missing(**{BILLS[at].number: BILLS[at].number in answer for at in (*SHORT_PAID, *MISSING)})


def reconcile() -> Script:
    request = yield  # type: ignore[misc]
    request = yield calls(("list_documents", {"limit": 5}))
    values = request.value("list_documents", "values")
    number = next(name for name in values if "number" in name)
    join = {"with": "values", "key": "Text", "with_key": number, "compare": "Amount", "with_compare": "total"}
    request = yield calls(("table_query", {"join": join}))
    found = request.result("table_query")
    short = [f"{row['with'][0]['key']} differs by {row['difference']}" for row in found["different"]]
    yield says("\n".join([*short, *(f"{row['key']} was not paid" for row in found["only_in_with"])]))


LONG_TASKS = [
    Task("two versions of sixty pages", play_two_versions, compare_two_versions),
    Task("five sheets", play_sheets, add_up_sheets),
    Task("36 invoices against a bank file", play_bank, reconcile, is_long=True),
]
