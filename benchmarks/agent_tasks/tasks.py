"""The tasks, in the order in which they are printed."""

from __future__ import annotations

from typing import Any

from agent.models import Thread
from benchmarks.agent_tasks import scripts
from benchmarks.agent_tasks.good_model import make_format
from benchmarks.agent_tasks.long_tasks import LONG_TASKS
from benchmarks.agent_tasks.office import Office
from benchmarks.agent_tasks.papers import ACME, BLUE, Invoice
from benchmarks.agent_tasks.task import Task, name_missing
from benchmarks.agent_tasks.wish_tasks import WISH_TASKS
from documents import document_changes
from documents.definitions import prompts, schemas
from documents.models import AutoSetup, Document, Prompt, Proposal, SchemaRevision
from tests.product import ROOT

DATA = ROOT / "tests" / "data"
RULE_TURNS = 45
LONG = "You will set the vendor many times, since our suppliers change their names, merge, and are bought by others. "


def has_values_of(invoice: Invoice, values: dict[str, Any]) -> bool:
    return (values.get("total"), values.get("due_date")) == (float(invoice.total), invoice.due)


def define(office: Office, fields: dict[str, Any] = scripts.FIELDS) -> None:
    """What an earlier thread made."""
    revision = schemas.create(office.actor, name=scripts.NAME, response_format=make_format("invoice", fields))
    prompts.create(office.actor, name=scripts.NAME, content=scripts.CONTENT, schema_revision=revision)


def upload_defined(office: Office, invoice: Invoice, name: str = "a1.txt") -> Document:
    """With values of a prompt that is there."""
    document = office.upload(name, invoice)
    define(office)
    office.extract(document)
    return document


def play_set_up(office: Office, mode: str = Thread.Mode.ASK) -> str:
    document = office.upload("a1.txt", ACME[0])
    office.ask(office.open_thread(document, mode), "Set up the extraction of invoices like this one and run it.")
    return name_missing(
        a_prompt=Prompt.objects.for_org(office.actor.organization).exists(),
        values=has_values_of(ACME[0], office.read_values(document)),
    )


def play_set_up_planned(office: Office) -> str:
    problem = play_set_up(office, Thread.Mode.PLAN)
    return problem or name_missing(one_approval=office.approvals == 1)


def play_change(office: Office) -> str:
    document = upload_defined(office, ACME[0])
    office.ask(office.open_thread(document), "Leave out the tax rate and call it Invoice.")
    newest = SchemaRevision.objects.filter(schema__organization=office.actor.organization).order_by("number").last()
    prompt = Prompt.objects.for_org(office.actor.organization).get()
    used = prompt.revisions.order_by("number").last()
    assert newest and used
    return name_missing(
        no_tax_rate="tax_rate" not in str(newest.response_format),
        the_schemas_name=newest.schema.name == "Invoice",
        the_prompts_name=prompt.name == "Invoice",
        the_prompt_with_it=used.schema_revision_id == newest.pk,
        one_approval=office.approvals == 1,
    )


def play_others_one_by_one(office: Office) -> str:
    upload_defined(office, ACME[0])
    others = [office.upload(f"a{at}.txt", invoice) for at, invoice in enumerate(ACME[1:], 2)]
    for other in others:
        office.ask(office.open_thread(other), "Extract this one as well.")
    return name_others(office, others)


def play_others(office: Office) -> str:
    first = upload_defined(office, ACME[0])
    others = [office.upload(f"a{at}.txt", invoice) for at, invoice in enumerate(ACME[1:], 2)]
    office.ask(office.open_thread(first), "The same for the other four.")
    return name_others(office, others) or name_missing(one_approval=office.approvals == 1)


def name_others(office: Office, others: list[Document]) -> str:
    missing = [
        other.name
        for other, invoice in zip(others, ACME[1:], strict=True)
        if not has_values_of(invoice, office.read_values(other))
    ]
    return f"values of {', '.join(missing)}" if missing else ""


def play_correction(office: Office) -> str:
    document = upload_defined(office, ACME[0])
    office.ask(office.open_thread(document), "The due date is 2026-03-01, not what was found.")
    return name_missing(the_due_date=office.read_values(document)["due_date"] == "2026-03-01")


def play_empty_total(office: Office) -> str:
    document = upload_defined(office, Invoice("ACME Tools Ltd", "A-9", "2026-01-01", "2026-02-01", printed_total=False))
    thread = office.open_thread(document)
    office.ask(thread, "Why is the total empty?")
    return name_missing(the_reason="see the delivery note" in office.read_last_answer(thread))


def play_rows(office: Office, name: str = "gen_invoice_101.pdf", count: int = 5) -> str:
    document = office.upload(name, (DATA / name).read_bytes())
    office.ask(office.open_thread(document), "Set up the extraction with the rows of the table.")
    rows = office.read_values(document).get("line_items") or []
    return name_missing(**{f"{count}_rows": len(rows) == count, "their_amounts": all(row["amount"] for row in rows)})


def play_turned(office: Office) -> str:
    return play_rows(office, "gen_invoice_104_rot90.pdf", 9)


def play_tags(office: Office) -> str:
    first = upload_defined(office, ACME[0])
    others = [office.upload(f"a{at}.txt", invoice) for at, invoice in enumerate(ACME[1:3], 2)]
    blue = office.upload("b1.txt", BLUE[0])
    for document in (*others, blue):
        office.extract(document)
    office.ask(office.open_thread(first), "Tag all documents from ACME as Paid and rename them by date.")
    paid = Document.objects.filter(organization=office.actor.organization, tags__name="Paid")
    names = set(paid.values_list("name", flat=True))
    wanted = {f"{invoice.date} ACME.txt" for invoice in ACME[:3]}
    return name_missing(three_tagged_and_renamed=names == wanted, one_approval=office.approvals == 1)


def play_comparison(office: Office) -> str:
    first, _ = office.upload("a1.txt", ACME[0]), office.upload("b1.txt", BLUE[0])
    thread = office.open_thread(first)
    office.ask(thread, "Compare the totals of this one and b1.txt.")
    answer = office.read_last_answer(thread)
    return name_missing(both_totals=str(ACME[0].total) in answer and str(BLUE[0].total) in answer)


def play_long_rule(office: Office) -> str:
    document = upload_defined(office, ACME[0])
    thread = office.open_thread(document)
    rule = "The most important rule: who writes a vendor begins every value with the letters QX."
    office.ask(thread, f"{LONG * 6}{rule} Set the vendor to Number 0.")
    for number in range(1, RULE_TURNS):
        office.ask(thread, f"Set the vendor to Number {number}.")
    return name_missing(the_rule=office.read_values(document)["vendor"] == f"QX Number {RULE_TURNS - 1}")


def play_automatic_setup(office: Office) -> str:
    documents = [office.upload(f"a{at}.txt", invoice, auto_setup=True) for at, invoice in enumerate(ACME[:3], 1)]
    office.work()
    return name_missing(
        one_proposal=Proposal.objects.for_org(office.actor.organization).count() == 1,
        three_setups=AutoSetup.objects.filter(document__in=documents).count() == 3,
        values=all(has_values_of(paper, office.read_values(doc)) for paper, doc in zip(ACME, documents, strict=False)),
    )


def play_three_corrections(office: Office) -> str:
    document = upload_defined(office, ACME[0])
    office.ask(
        office.open_thread(document), "The number A-999, the due date 2026-03-02 and the total 77.5. Correct these."
    )
    values = office.read_values(document)
    right = [values["invoice_number"], values["due_date"], values["total"]] == ["A-999", "2026-03-02", 77.5]
    return name_missing(three_values=right, one_approval=office.approvals == 1)


def play_added_row(office: Office) -> str:
    name = "gen_invoice_101.pdf"
    document = office.upload(name, (DATA / name).read_bytes())
    define(office, {**scripts.FIELDS, "line_items": scripts.ITEMS})
    office.extract(document)
    office.ask(office.open_thread(document), "Add the row “Freight” for 5.")
    rows = office.read_values(document)["line_items"]
    return name_missing(the_row=len(rows) == 6 and rows[-1]["description"] == "Freight")


def play_tag(office: Office) -> str:
    document = office.upload("a1.txt", ACME[0])
    office.ask(office.open_thread(document), "Tag this as Urgent.")
    tagged = document.tags.filter(name="Urgent").exists()
    return name_missing(the_tag=tagged, one_approval=office.approvals == 1)


def play_sum(office: Office) -> str:
    first = upload_defined(office, ACME[0])
    papers = [*ACME[1:4], *BLUE]
    for at, paper in enumerate(papers, 1):
        office.extract(office.upload(f"scan{at}.txt", paper))
    thread = office.open_thread(first)
    office.ask(thread, "What do the invoices of ACME come to together?")
    return name_missing(the_sum=f"{sum(paper.total for paper in ACME[:4]):.2f}" in office.read_last_answer(thread))


def play_search(office: Office) -> str:
    first = office.upload("scan1.txt", ACME[0])
    for at, paper in enumerate(BLUE, 2):
        office.upload(f"scan{at}.txt", paper)
    thread = office.open_thread(first)
    office.ask(thread, f"Which document names {BLUE[1].number}?")
    return name_missing(the_document="scan3.txt" in office.read_last_answer(thread))


def play_restoring(office: Office) -> str:
    first, other = office.upload("a1.txt", ACME[0]), office.upload("b1.txt", BLUE[0])
    document_changes.trash(office.actor, document=other)
    office.ask(office.open_thread(first), "Bring b1.txt back from the trash.")
    other.refresh_from_db()
    return name_missing(the_document=other.trashed_at is None)


TASKS = [
    Task("set up an invoice", play_set_up, scripts.set_up, offline=True),
    Task("leave out a field and rename", play_change, scripts.leave_out_the_tax_rate),
    Task("the same for the other four", play_others, scripts.run_on_the_others),
    Task("the other four one by one", play_others_one_by_one, scripts.run_what_is_there),
    Task("correct a wrong field", play_correction, scripts.correct_the_due_date),
    Task("why is the total empty", play_empty_total, scripts.explain_the_empty_total),
    Task("rows of a table", play_rows, scripts.set_up_with_rows),
    Task("a scan that is turned", play_turned, scripts.set_up_with_rows),
    Task("tag a vendor's and rename by date", play_tags, scripts.tag_and_rename),
    Task("compare two documents", play_comparison, scripts.compare_with_another),
    Task("a rule over 45 turns", play_long_rule, scripts.keep_a_rule, is_long=True),
    Task("automatic setup of three", play_automatic_setup, scripts.design_by_itself, offline=True),
    Task("set up without tools", play_set_up, scripts.set_up, without_tools=True),
    Task("set up in a plan", play_set_up_planned, scripts.set_up_in_a_plan),
    Task("correct three values", play_three_corrections, scripts.correct_three_values),
    Task("add a row", play_added_row, scripts.add_a_row),
    Task("tag this document", play_tag, scripts.tag_this_document),
    Task("add up a vendor's totals", play_sum, scripts.add_up_a_vendor),
    Task("find by a word on a page", play_search, scripts.find_by_a_word),
    Task("restore from the trash", play_restoring, scripts.restore_a_document),
    *LONG_TASKS,
    *WISH_TASKS,
]
