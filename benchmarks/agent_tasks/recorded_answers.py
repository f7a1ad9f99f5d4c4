"""Right answers to twenty-two tasks, as models gave them: none of them may cost a round of the check of answers.

Documents and figures are made up. Each answer is about lines that were read, `D1` of the first document and so on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.citations.aliases import list_lines, note_read
from agent.turns import turns
from agent.turns.reviews import answer_reviews
from benchmarks.agent_tasks import scripts
from benchmarks.agent_tasks.good_model import make_format
from benchmarks.agent_tasks.office import Office
from documents.definitions import schemas
from documents.reading.page_text import mark_pages
from documents.reading.reading import get_newest
from tests.documents.reading_rows import document_with

INVOICE = [
    "Brightwater Supplies Ltd",
    "Invoice no. BW-2041",
    "Invoice date: 12 March 2026",
    "Bill to:",
    "Larkfield Bakery",
    "Due date: 11 April 2026",
    "Flour|4|18.50|74.00",
    "Sugar|2|9.25|18.50",
    "Net total 92.50",
    "VAT 20 % 18.50",
    "Total due EUR 111.00",
    "Payment is due within 30 days. Thank you.",
]
SECOND = ["Brightwater Supplies Ltd", "Invoice no. BW-2042", "Total due EUR 240.00", "Bill to: Larkfield Bakery"]
FOREIGN = ["Harbour Freight Inc", "Invoice HF-9", "Total due USD 75.20"]
LEASE = [
    "Service agreement between Norwood Ltd and Pellham Works",
    "4.1 The fee is 1,500.00 EUR per month.",
    "4.2 It is payable within 14 days.",
    "9.1 Either party may terminate with three months' notice.",
    "9.2 Liability is limited to 500,000.00 EUR.",
]
NEWER = [*LEASE[:2], "4.2 It is payable within 30 days.", LEASE[3], "9.2 Liability is limited to 750,000.00 EUR."]
RECEIPT = ["Касса 3", "Итого 1 240,50", "12.03.2026"]
BANK = ["Booked|Text|Amount", "14.03.2026|Larkfield BW-2041|121.00", "15.03.2026|Larkfield BW-2042|240.00"]
SALES = ["North|100.00", "South|250.50", "West|49.50"]
MAIL = ["From: Ines Calder", "Please find the order PO-77 and the delivery note DN-12.", "Order PO-77", "Note DN-12"]
ASSETS = ["No|Location|Quantity", "A0104|Lille|3", "A0105|Ghent|7", "A0106|Turin|2"]


@dataclass(frozen=True)
class RecordedAnswer:
    """`documents`: the lines of each, in the order in which they were read; the thread is about the only one."""

    task: str
    documents: Sequence[Sequence[str]]
    text: str
    asked: str = "How is it?"


ANSWERS = [
    RecordedAnswer(
        "set up an invoice",
        [INVOICE],
        "I have set up the schema **Supplier invoice** with the number BW-2041 [D1:1.2], and the total "
        "is EUR 111.00 [D1:1.11].",
    ),
    RecordedAnswer(
        "leave out a field and rename",
        [INVOICE],
        "“Supplier invoice” has no tax rate any more. Shall I ‘run it on the other documents too’?",
    ),
    RecordedAnswer(
        "the same for the others",
        [INVOICE, SECOND],
        "| Invoice | Total |\n|---|---|\n| BW-2041 [D1:1.2] | EUR 111.00 [D1:1.11] |\n"
        "| BW-2042 [D2:1.2] | EUR 240.00 [D2:1.3] |",
    ),
    RecordedAnswer(
        "why is it empty",
        [INVOICE],
        "“Bill to:” stands alone on its line [D1:1.4], and the customer, Larkfield Bakery, on the next one [D1:1.5].",
    ),
    RecordedAnswer(
        "correct two values",
        [INVOICE],
        "The invoice date is 12 March 2026 [D1:1.3] and the due date 11 April 2026 [D1:1.6].",
    ),
    RecordedAnswer(
        "lines of a table",
        [INVOICE],
        "Flour comes to 74.00, 4 × 18.50 [D1:1.7]. Sugar comes to 18.50, 2 × 9.25 [D1:1.8]. "
        "Together they are 92.50 [D1:1.7, D1:1.8].",
    ),
    RecordedAnswer(
        "a scan that is turned",
        [INVOICE],
        "Number BW-2041 [D1:1.2], net 92.50 [D1:1.9], VAT 18.50 [D1:1.10], total EUR 111.00 [D1:1.11].",
    ),
    RecordedAnswer(
        "tag a vendor's and rename by date",
        [INVOICE, SECOND],
        "Both are from Brightwater Supplies Ltd [D1:1.1, D2:1.1]. Do you want me to “tag later ones at upload”?",
    ),
    RecordedAnswer(
        "compare two short documents",
        [INVOICE, SECOND],
        "The second invoice is higher by 129.00 [D2:1.3, D1:1.11].",
    ),
    RecordedAnswer(
        "a long rule",
        [INVOICE],
        "I will write dates as you asked, such as 2026-03-12. The invoice date is 12 March 2026 [D1:1.3].",
        asked="Write dates such as 2026-03-12.",
    ),
    RecordedAnswer(
        "automatic set-up",
        [INVOICE, SECOND],
        "Both have a number, BW-2041 [D1:1.2] and BW-2042 [D2:1.2], and a total [D1:1.11, D2:1.3].",
    ),
    RecordedAnswer(
        "set up without tools",
        [INVOICE],
        "The schema Supplier invoice takes the total, EUR 111.00 [D1:1.11]. Should I “add a check of the sum”?",
    ),
    RecordedAnswer(
        "set up in a plan",
        [INVOICE],
        "The values are there. The number is BW-2041 [D1:1.2] and the net total is 92.50 [D1:1.9].",
    ),
    RecordedAnswer(
        "unpaid above a limit",
        [INVOICE, SECOND, FOREIGN],
        "Above 100.00 are BW-2041 with EUR 111.00 [D1:1.2, D1:1.11] and BW-2042 with EUR 240.00 [D2:1.2, D2:1.3], "
        "together EUR 351.00 [D1:1.11, D2:1.3]. HF-9 is in another currency, USD 75.20 [D3:1.2, D3:1.3].",
        asked="Which are above 100.00?",
    ),
    RecordedAnswer(
        "three questions to a contract",
        [LEASE],
        "The fee is 1,500.00 EUR per month [D1:1.2]. “It is payable within 14 days.” stands in 4.2 [D1:1.3]. "
        "Either party may terminate with three months' notice [D1:1.4].",
    ),
    RecordedAnswer(
        "two versions of it",
        [LEASE, NEWER],
        "Payable within 14 days [D1:1.3] is now within 30 days [D2:1.3]. The limit of liability rises by "
        "250,000.00 EUR, from 500,000.00 EUR to 750,000.00 EUR [D1:1.5, D2:1.5].",
    ),
    RecordedAnswer("a Russian receipt", [RECEIPT], "The total (“Итого”) is 1 240,50 [D1:1.2], of 12.03.2026 [D1:1.3]."),
    RecordedAnswer(
        "from now on",
        [INVOICE],
        "I keep in mind that suppliers are written without Ltd. Here that is Brightwater Supplies [D1:1.1].",
        asked="From now on write suppliers without Ltd.",
    ),
    RecordedAnswer(
        "invoices against a bank file",
        [BANK, INVOICE, SECOND],
        "BW-2042 was paid in full with 240.00 [D1:1.3, D2:1.2, D3:1.3]. BW-2041 was paid with 121.00 [D1:1.2], "
        "which is 10.00 more than the total of 111.00 [D1:1.2, D2:1.11].",
    ),
    RecordedAnswer(
        "sums of sheets",
        [SALES],
        "North and South come to 350.50 [D1:1.1, D1:1.2]. All three come to 400.00 [D1:1.1, D1:1.2, D1:1.3].",
    ),
    RecordedAnswer(
        "a mail of two kinds",
        [MAIL],
        "Ines Calder [D1:1.1] sends the order PO-77 [D1:1.3] and the delivery note DN-12 [D1:1.2]. May I ‘set up a "
        "schema for both of them’?",
    ),
    RecordedAnswer(
        "corrections of rows",
        [ASSETS],
        "A0105 is in Ghent with the quantity 7 [D1:1.3], A0106 in Turin [D1:1.4]. 2 rows were looked at.",
    ),
]


def explain_round(recorded: RecordedAnswer) -> str:
    """The sentences that the check would ask for again; empty where it costs no round."""
    office = Office()
    schemas.create(office.actor, name="Supplier invoice", response_format=make_format("invoice", scripts.FIELDS))
    organization = office.actor.organization
    documents = [
        document_with(organization, [*lines], name=f"{at}.pdf") for at, lines in enumerate(recorded.documents, 1)
    ]
    thread = office.open_thread(documents[0] if len(documents) == 1 else None)
    for reading in filter(None, map(get_newest, documents)):
        note_read(thread, reading, list_lines(mark_pages(reading)))
    turn = turns.start(office.actor, thread=thread, text=recorded.asked)
    review = answer_reviews.review(turn, recorded.text)
    return review.repair if review else ""


def count_rounds() -> Mapping[str, str]:
    """By their tasks the answers that would cost one."""
    reasons = {each.task: explain_round(each) for each in ANSWERS}
    return {task: why for task, why in reasons.items() if why}
