"""Tasks beyond defining: runs whose values are told, many rows, checks, rules for later, undo, steps, vain wishes."""

from __future__ import annotations

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
from documents import extractions
from documents.definitions import prompts, schemas
from documents.extractions import ExtractionDraft
from documents.models import Document, PromptRevision, SchemaRevision
from documents.reading.reading import get_newest
from documents.values import add_row_ids
from tests.scripted_model import calls, says

ROWS, COUNTED = 750, 77
MOVED = [15 + 71 * at for at in range(10)]
"""The numbers of the assets whose quantity is corrected."""
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
    thread = office.open_thread(upload_extracted(office))
    office.ask(thread, "Send it to Ana by mail.")
    answer = office.read_last_answer(thread)
    return name_missing(says_no="sends" in answer, offers_a_file="file" in answer, no_card=office.approvals == 0)


def offer_a_file() -> Script:
    request = yield  # type: ignore[misc]
    request.find(r"Nothing (sends), reminds or assigns")
    yield says("Nothing here sends mail. I can give you the values as a file, which you send.")


def play_many_rows(office: Office) -> str:
    lines = [f"Asset A{at:04}  {at % 7 + 1}  2.50  {(at % 7 + 1) * 2.5:.2f}" for at in range(1, ROWS + 1)]
    text = "\n".join(["INVOICE", "Description  Quantity  Price  Amount", *lines])
    document = office.upload("assets.txt", text.encode())
    define(office, {"line_items": scripts.ITEMS})
    _store_rows(office, document)
    wanted = {f"Asset A{at:04}" for at in MOVED}
    office.ask(office.open_thread(document), f"Of these there are {COUNTED} now: {', '.join(sorted(wanted))}.")
    rows = office.read_values(document)["line_items"]
    counted = {row["description"] for row in rows if row["qty"] == COUNTED}
    return name_missing(**{f"{ROWS} rows": len(rows) == ROWS}, the_ten=counted == wanted, one=office.approvals == 1)


def _store_rows(office: Office, document: Document) -> None:
    """As an extraction that found them all: this task is about what comes after it."""
    reading, prompt = get_newest(document), PromptRevision.objects.get(prompt__organization=office.actor.organization)
    assert reading
    rows = [
        {"description": f"Asset A{at:04}", "qty": at % 7 + 1, "unit_price": 2.5, "amount": (at % 7 + 1) * 2.5}
        for at in range(1, ROWS + 1)
    ]
    draft = ExtractionDraft(
        document_id=document.pk,
        reading_id=reading.pk,
        prompt_revision_id=prompt.pk,
        schema_revision_id=prompt.schema_revision_id,
        model="none",
        raw="",
        result=add_row_ids({"line_items": rows}),
        provenance={},
        coverage=list(range(1, (reading.page_count or 0) + 1)),
        page_count=reading.page_count or 0,
    )
    extractions.store(office.actor, draft=draft)


def correct_ten_rows() -> Script:
    request = yield  # type: ignore[misc]
    named = request.find(rf"there are {COUNTED} now: ([^.]+)\.").split(", ")
    changes = [{"path": f"line_items[description={each}].qty", "value": COUNTED} for each in named]
    yield calls(("update_extraction_field", {"changes": changes}), END, text="I correct the ten.")


WISH_TASKS = [
    Task("run over four and tell the totals", play_run_over_four, run_and_tell),
    Task("750 rows and ten corrections", play_many_rows, correct_ten_rows, is_long=True),
    Task("add a value check", play_check, add_check),
    Task("a rule from now on", play_rule, remember),
    Task("take back a change", play_undo, correct_or_take_back),
    Task("steps of long work", play_steps, keep_steps),
    Task("send it to a colleague", play_sending, offer_a_file, offline=True),
]
