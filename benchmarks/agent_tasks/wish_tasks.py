"""Tasks beyond defining: runs whose values are told, many rows, checks, rules for later, undo, steps, vain wishes.

With `long_tasks` they cover nine kinds of long work:

1. a job answers: run over four and tell the totals
2. rows by key, read in windows: 750 rows and ten corrections
3. two texts compared: two versions of sixty pages
4. the sums of a file's own tables: five sheets
5. tables beside values: 36 invoices against a bank file
6. checks of values, in the call that changes the schema: add a value check
7. rules for later: a rule from now on
8. undo of its own acts, and wishes that nothing here fulfils: take back a change; send, assign and remind
9. a list of steps: steps of long work
"""

from __future__ import annotations

import re
from itertools import product
from typing import Any

from agent import wishes
from agent.models import Thread
from benchmarks.agent_tasks import scripts
from benchmarks.agent_tasks.good_model import Script, make_format
from benchmarks.agent_tasks.office import Office
from benchmarks.agent_tasks.papers import ACME, Invoice
from benchmarks.agent_tasks.request import Absent
from benchmarks.agent_tasks.scripts import END
from benchmarks.agent_tasks.task import Task, name_missing
from documents.definitions import prompts, schemas
from documents.models import Document, SchemaRevision
from tests.scripted_model import calls, says

ROWS, COUNTED = 750, 77
REMARK = "counted by the warden on duty, the label was read twice, kept for the list of the works in this year"
MOVED = [15 + 71 * at for at in range(10)]
"""The numbers of the assets whose quantity is corrected."""
VAIN = ("Send it to Ana by mail.", "Could you assign it to Ana?", "Set a reminder for the due date.")
WORK = ["read the invoices", "list the totals", "list the due dates", "find what is late", "tag it", "report"]


def define(office: Office, fields: dict[str, Any]) -> None:
    revision = schemas.create(office.actor, name=scripts.NAME, response_format=make_format("invoice", fields))
    prompts.create(office.actor, name=scripts.NAME, content=scripts.CONTENT, schema_revision=revision)


def upload_extracted(office: Office, invoice: Invoice = ACME[0]) -> Document:
    document = office.upload("a1.txt", invoice)
    define(office, scripts.FIELDS)
    office.extract(document)
    return document


def play_run_over_four(office: Office) -> str:
    first = upload_extracted(office)
    for at, invoice in enumerate(ACME[1:], 2):
        office.upload(f"a{at}.txt", invoice)
    thread = office.open_thread(first)
    office.ask(thread, "Extract the other four and tell me their totals.")
    answer = office.read_last_answer(thread)
    return name_missing(**{f"total of {each.number}": f"{each.total}" in answer for each in ACME[1:]})


def run_and_tell() -> Script:
    request = yield  # type: ignore[misc]
    prompt = request.find(rf"prompt in force: ({scripts.NAME}) ")
    request = yield calls(("list_documents", {}))
    rows = request.result("list_documents")["documents"]
    others = [row["document_name"] for row in rows if not row.get("is_this_document")]
    request = yield calls(("run_extraction", {"prompt_revid": prompt, "documents": others}), text="I run it on these.")
    rows = request.result("run_extraction")["rows"]
    lines = [f"{row['document']}: {row['values']['total']:.2f} [{row['lines']['total']}]." for row in rows]
    yield says("\n".join(lines))


def play_check(office: Office) -> str:
    document = office.upload("a1.txt", ACME[0])
    define(office, {**scripts.FIELDS, "subtotal": scripts.AMOUNT, "tax": scripts.AMOUNT})
    office.extract(document)
    office.ask(office.open_thread(document), "Check from now on that subtotal and tax come to the total.")
    newest = SchemaRevision.objects.filter(schema__organization=office.actor.organization).order_by("number").last()
    return name_missing(the_check="total" in str(newest and newest.value_checks), one_approval=office.approvals == 1)


def add_check() -> Script:
    request = yield  # type: ignore[misc]
    name = request.find(r'kind="current_extraction"[^>]* prompt="([^"]+) v\d')
    check = {"kind": "total", "parts": ["subtotal", "tax"], "field": "total"}
    change = {"schema_id": name, "value_checks": [check]}
    prompt = {"prompt_id": name, "follow_schema": True}
    yield calls(("update_schema", change), ("update_prompt", prompt), END, text="I add the check.")


def play_rule(office: Office) -> str:
    thread = office.open_thread(upload_extracted(office))
    office.ask(thread, "From now on write dates as in Prague.")
    return name_missing(the_wish=[wish.text for wish in wishes.list_wishes(thread)] != [])


def remember() -> Script:
    request = yield  # type: ignore[misc]
    quote = request.find(r"(From now on [^.\n\"]+\.)")
    yield calls(("remember_wish", {"quote": quote}), END, text="I keep it for this thread; elsewhere say it again.")


def play_undo(office: Office) -> str:
    document = upload_extracted(office)
    thread = office.open_thread(document)
    office.ask(thread, "The due date is 2026-03-01, not what was found.")
    changed = office.read_values(document)["due_date"]
    office.ask(thread, "Take that back.")
    back = office.read_values(document)["due_date"] == ACME[0].due
    return name_missing(the_change=changed == "2026-03-01", the_former_date=back, two_approvals=office.approvals == 2)


def correct_or_take_back() -> Script:
    request = yield  # type: ignore[misc]
    said = [str(each["content"]) for each in request.body["messages"] if each["role"] == "user"]
    if not any(each.startswith("Take that back") for each in said):
        due = request.find(r"The due date is (\S+),")
        yield calls(("update_extraction_field", {"path": "due_date", "value": due}), END, text=f"I set it to {due}.")
        return
    request = yield calls(("find_tools", {"query": "undo a change"}))
    yield calls(("undo_change", {}), END, text="I take it back.")


def play_steps(office: Office) -> str:
    upload_extracted(office)
    thread = office.open_thread(None)
    office.ask(thread, f"Please do all of this: {', '.join(WORK)}.")
    steps = Thread.objects.get(pk=thread.pk).steps
    return name_missing(six_steps=[step["text"] for step in steps] == WORK, one_done=steps[:1] and steps[0]["done"])


def keep_steps() -> Script:
    request = yield  # type: ignore[misc]
    steps = request.find(r"do all of this: ([^.]+)\.").split(", ")
    request = yield calls(("set_steps", {"steps": steps}), ("list_documents", {}))
    request = yield calls(("set_steps", {"done": [1]}))
    if "(done)" not in request.text:
        raise Absent("no step is done in the state")
    yield says("The first step is done.")


def play_sending(office: Office) -> str:
    threads = office.open_thread(upload_extracted(office)), office.open_thread(None)
    for thread, text in product(threads, VAIN):
        office.ask(thread, text)
        answer = office.read_last_answer(thread)
        wrong = name_missing(says_no="sends" in answer, offers_a_file="file" in answer, no_card=office.approvals == 0)
        if wrong:
            return f"{text} {wrong}"
    return ""


def offer_a_file() -> Script:
    request = yield  # type: ignore[misc]
    request.find(r"Nothing (sends), reminds or assigns")
    yield says("Nothing here sends, reminds or assigns. I can give you the values as a file, or tag the document.")


def write_assets() -> bytes:
    """So many that no request holds all pages."""
    counts = [(at, at % 7 + 1) for at in range(1, ROWS + 1)]
    rows = [f"Asset A{at:04};{number};2.50;{number * 2.5:.2f};{REMARK}" for at, number in counts]
    return "\n".join(["Description;Quantity;Price;Amount;Remark", *rows]).encode()


def play_many_rows(office: Office) -> str:
    """A run that is read in windows, then ten corrections in the words of a person who knows the assets by name."""
    document = office.upload("assets.csv", write_assets())
    define(office, {"line_items": scripts.ITEMS})
    thread = office.open_thread(document)
    office.ask(thread, "Extract all assets and tell me how many there are.")
    told = office.read_last_answer(thread)
    wanted = {f"Asset A{at:04}" for at in MOVED}
    office.ask(thread, f"Of these there are {COUNTED} now: {', '.join(sorted(wanted))}.")
    rows = office.read_values(document)["line_items"]
    names = [row["description"] for row in rows]
    counted = {row["description"] for row in rows if row["qty"] == COUNTED}
    return name_missing(
        each_row_once=names == [f"Asset A{at:04}" for at in range(1, ROWS + 1)],
        their_number=f"{ROWS}" in told,
        the_ten=counted == wanted,
        two_approvals=office.approvals == 2,
    )


def extract_and_correct_ten_rows() -> Script:
    request = yield  # type: ignore[misc]
    said = [str(each["content"]) for each in request.body["messages"] if each["role"] == "user"]
    if not any("now: Asset" in each for each in said):
        prompt = request.find(rf"prompt in force: ({scripts.NAME}) ")
        request = yield calls(("run_extraction", {"prompt_revid": prompt}), text="I extract them.")
        rows = re.search(r"(\d+) rows of line_items", str(request.result("run_extraction")["summary"]))
        if rows is None:
            raise Absent("no number of rows in run_extraction")
        yield says(f"There are {rows[1]} assets.")
        return
    named = request.find(rf"there are {COUNTED} now: ([^.]+)\.").split(", ")
    changes = [{"path": f"line_items[description={each}].qty", "value": COUNTED} for each in named]
    yield calls(("update_extraction_field", {"changes": changes}), END, text="I correct the ten.")


WISH_TASKS = [
    Task("run over four and tell the totals", play_run_over_four, run_and_tell),
    Task("750 rows and ten corrections", play_many_rows, extract_and_correct_ten_rows, is_long=True),
    Task("add a value check", play_check, add_check),
    Task("a rule from now on", play_rule, remember),
    Task("take back a change", play_undo, correct_or_take_back),
    Task("steps of long work", play_steps, keep_steps),
    Task("send, assign and remind", play_sending, offer_a_file, offline=True),
]
