"""Answers of a good model. What they name stands in the request; a field's wording is the model's own."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Any

from benchmarks.agent_tasks.good_model import Script, make_format
from benchmarks.agent_tasks.request import Absent, Request
from tests.scripted_model import Reply, calls, says

Steps = Generator[Reply, Request, Request]
"""A part of a script: it ends with the request that it leaves unanswered."""
TEXT = {"type": "string", "description": "As printed beside its label."}
DATE = {"type": "string", "format": "date", "description": "As printed beside its label, as YYYY-MM-DD."}
AMOUNT = {"type": "number", "description": "As printed beside its label, without currency."}
ITEM = {"description": TEXT, "qty": AMOUNT, "unit_price": AMOUNT, "amount": AMOUNT}
ITEMS = {
    "type": "array",
    "description": "The rows of the table.",
    "items": {"type": "object", "properties": ITEM, "required": list(ITEM), "additionalProperties": False},
}
FIELDS: dict[str, Any] = {
    "vendor": {"type": "string", "description": "Who sends the invoice, at the top."},
    "invoice_number": TEXT,
    "invoice_date": DATE,
    "due_date": DATE,
    "tax_rate": {"type": "number", "description": "In percent, beside Tax."},
    "total": AMOUNT,
}
CONTENT = "Invoices of suppliers. Take each value as it is printed beside its label."
NAME = "Supplier invoice"
END: tuple[str, dict[str, Any]] = ("end_turn", {})
"""Where what the calls do is all, and the answer has said it."""


def set_up() -> Script:
    _ = yield  # type: ignore[misc]
    yield from define_and_run(FIELDS)
    yield says("The extraction is set up; every value was found.")


def set_up_in_a_plan() -> Script:
    _ = yield  # type: ignore[misc]
    request = yield from define_and_run(FIELDS, END, text="The plan: a schema, a prompt, and one run of it.")
    total = request.find(r'"total": ([\d.]+)')
    yield says(f"The extraction is set up; the total is {total}.")


def set_up_with_rows() -> Script:
    _ = yield  # type: ignore[misc]
    yield from define_and_run({**FIELDS, "line_items": ITEMS})
    yield says("The extraction is set up, with its rows.")


def define_and_run(fields: dict[str, Any], *more: tuple[str, dict[str, Any]], text: str = "") -> Steps:
    """Schema, prompt and the first run in one answer, each by the name that the one before it gives."""
    schema = {"name": NAME, "response_format": make_format("invoice", fields)}
    prompt = {"name": NAME, "content": CONTENT, "schema_id": NAME}
    run = {"prompt_revid": NAME}
    return (
        yield calls(("create_schema", schema), ("create_prompt", prompt), ("run_extraction", run), *more, text=text)
    )


def leave_out_the_tax_rate() -> Script:
    request = yield  # type: ignore[misc]
    name = request.find(r'kind="current_extraction"[^>]* prompt="([^"]+) v\d')
    schema = {"schema_id": name, "name": "Invoice", "remove": ["tax_rate"]}
    prompt = {"prompt_id": name, "follow_schema": True}
    text = "I call the schema Invoice and take the tax rate out; its prompt follows."
    yield calls(("update_schema", schema), ("update_prompt", prompt), END, text=text)


def run_what_is_there() -> Script:
    """Of each turn that ends with its run the next one asks anew."""
    request = yield  # type: ignore[misc]
    while True:
        run = {"prompt_revid": request.find(rf"prompt in force: ({NAME}) ")}
        request = yield calls(("run_extraction", run), END, text="I use the prompt that is there.")
        if request.body["messages"][-1]["role"] == "tool":
            request = yield says("Done; look at what is unsure.")


def run_on_the_others() -> Script:
    request = yield  # type: ignore[misc]
    prompt = request.find(rf"prompt in force: ({NAME}) ")
    request = yield calls(("list_documents", {}))
    rows = request.result("list_documents")["documents"]
    others = [row["document_name"] for row in rows if not row.get("is_this_document")]
    yield calls(("run_extraction", {"prompt_revid": prompt, "documents": others}), END, text="I run it on the others.")


def correct_the_due_date() -> Script:
    request = yield  # type: ignore[misc]
    wanted = request.find(r"The due date is (\S+),")
    yield calls(("update_extraction_field", {"path": "due_date", "value": wanted}), END, text=f"I set it to {wanted}.")


def explain_the_empty_total() -> Script:
    request = yield  # type: ignore[misc]
    line = request.find(r"\[(D\d+:[\d.]+)\] Total\s+see the delivery note")
    yield says(f"The line of the total [{line}] prints no amount: it says “see the delivery note”.")


def tag_and_rename() -> Script:
    request = yield  # type: ignore[misc]
    request = yield calls(("list_documents", {"where": ["vendor ~ ACME"]}))
    theirs = [row["document_name"] for row in request.result("list_documents")["documents"]]
    if not theirs:
        raise Absent("no document of the vendor in list_documents")
    tag = request.find(r"as (\w+) and rename")
    change = {"documents": theirs, "add_tags": [tag], "name_pattern": "{invoice_date} ACME"}
    yield calls(("create_tag", {"name": tag}), ("update_document", change), END, text="I tag and rename these.")


def compare_with_another() -> Script:
    request = yield  # type: ignore[misc]
    own = request.find(r"Total\s+([0-9]+\.[0-9]+)")
    other = request.find(r"this one and (\S+)\.")
    request = yield calls(("get_ocr_text", {"document": other}))
    theirs = re.search(r"Total\s+([0-9]+\.[0-9]+)", str(request.result("get_ocr_text")))
    if theirs is None:
        raise Absent("no total in the other's text")
    yield says(f"This one has a total of {own}, the other of {theirs[1]}.")


def keep_a_rule() -> Script:
    """Sets each field as the person asks, by the rule of the first message, as long as the request still shows it."""
    request = yield  # type: ignore[misc]
    while True:
        asked = request.body["messages"]
        newest = next(
            str(m["content"]) for m in reversed(asked) if m["role"] == "user" and "Set the" in str(m["content"])
        )
        sign = request.find(r"begins every value with the letters (\w\w)")
        text = newest.rpartition("to ")[2].rstrip(".")
        change = {"path": "vendor", "value": f"{sign} {text}"}
        request = yield calls(("update_extraction_field", change), END, text="I set it.")


def design_by_itself() -> Script:
    _ = yield  # type: ignore[misc]
    yield from define_and_run(FIELDS)
    yield says("One prompt for all of them.")


def correct_three_values() -> Script:
    request = yield  # type: ignore[misc]
    number, due, total = (
        request.find(pattern) for pattern in (r"number (\S+),", r"due date (\S+) and", r"the total ([\d.]+)\. Correct")
    )
    values = {"invoice_number": number, "due_date": due, "total": float(total)}
    changes = [{"path": path, "value": value} for path, value in values.items()]
    yield calls(("update_extraction_field", {"changes": changes}), END, text="I correct the three values.")


def add_a_row() -> Script:
    request = yield  # type: ignore[misc]
    request = yield calls(("get_extraction_result", {}))
    count = len(request.value("get_extraction_result", "line_items"))
    row = {"description": request.find(r"Add the row “(\w+)”"), "qty": 1, "unit_price": 5, "amount": 5}
    yield calls(("update_extraction_field", {"path": f"line_items.{count}", "value": row}), END, text="I add it.")


def tag_this_document() -> Script:
    request = yield  # type: ignore[misc]
    name = request.find(r"Tag this as (\w+)\.")
    yield calls(("create_tag", {"name": name}), ("update_document", {"add_tags": [name]}), END, text="I tag it.")


def add_up_a_vendor() -> Script:
    request = yield  # type: ignore[misc]
    request = yield calls(("list_documents", {"limit": 100}))
    rows = request.result("list_documents")["documents"]
    totals = [
        row["values"]["total"] for row in rows if str((row.get("values") or {}).get("vendor", "")).startswith("ACME")
    ]
    if not totals:
        raise Absent("no values in list_documents")
    yield says(f"Together {sum(totals):.2f}.")


def find_by_a_word() -> Script:
    request = yield  # type: ignore[misc]
    word = request.find(r"Which document names (\S+)\?")
    request = yield calls(("search_documents", {"query": word}))
    yield says(f"It is {request.value('search_documents', 'filename')}.")


def restore_a_document() -> Script:
    request = yield  # type: ignore[misc]
    name = request.find(r"Bring (\S+) back")
    request = yield calls(("find_tools", {"query": "restore a document from the trash"}))
    yield calls(("restore_documents", {"document": name}), END, text=f"I bring {name} back.")
