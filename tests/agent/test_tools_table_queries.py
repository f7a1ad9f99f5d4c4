"""Tables of files: their sums, and rows that do not fit with other rows or with values of documents."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import Organization
from documents.find.tables import JoinedSide, cells, join_rows
from documents.find.tables.joining import MAX_KEY_WORDS
from documents.models import Document, Extraction
from kit.errors import TooLarge
from kit.processes.computing import limit_computing
from tests.agent.tool_documents import Do
from tests.documents.checked_invoice import make_prompt, store_invoice
from tests.documents.sheet_rows import store_sheets

pytestmark = pytest.mark.django_db
QUARTER = [
    ["Sales of the quarter"],
    ["Date", "Customer", "Amount EUR", "Paid"],
    ["2026-01-03", "Acme", "1,000.50", "yes"],
    ["2026-01-20", "Berg", "-200.25", "no"],
    ["2026-02-01", "Acme", "99.75", "yes"],
]
BANK = [
    ["Booked", "Text", "Amount", "Currency"],
    ["03.02.2026", "ACME Tools invoice INV-1001 thanks", "-1.010,00", "EUR"],
    ["04.02.2026", "Berg INV-1002", "-500,00", "EUR"],
    ["05.02.2026", "Berg INV-1003 and INV-1004", "-300,00", "EUR"],
    ["06.02.2026", "Rent February", "-2.000,00", "EUR"],
    ["07.02.2026", "Ost INV-1006 part 1", "-40,00", "EUR"],
    ["08.02.2026", "Ost INV-1006 part 2", "-60,00", "EUR"],
]


@pytest.fixture
def document(organization: Organization) -> Document:
    total = ["", "Total", "900.00", ""]
    return store_sheets(
        organization, "sales.xlsx", {"Q1": [*QUARTER, total], "Q2": [*QUARTER[1:], ["", "Acme", "0.10", "no"]]}
    )


@pytest.fixture
def bank(organization: Organization) -> Document:
    return store_sheets(organization, "bank.csv", {"": BANK})


def store_invoices(actor: Actor, totals: dict[str, str]) -> None:
    prompt = make_prompt(actor, [])
    for number, total in totals.items():
        store_invoice(actor, prompt, f"{number}.pdf", number=number, total=total, currency="EUR", line_items=[])
    for run in Extraction.objects.all():
        place = {"page": 1, "blocks": ["1.1.1"], "state": "exact"}
        run.provenance = {"number": place, "total": {**place, "blocks": ["1.2"]}}
        run.save()


def test_a_call_without_a_question_says_what_there_is_and_shows_few_rows(
    organization: Organization, document: Document, do: Do
) -> None:
    rows = [["Who", "Sum"], *([f"x{at}", "1"] for at in range(80))]
    store_sheets(organization, "long.csv", {"": rows})
    first = do("table_query", document="long.csv").result
    assert (first["total_rows"], len(first["rows"]), first["tables"][0]["rows"]) == (80, 5, 80)
    assert first["more"] == "from_row=6 goes on, with the same query."
    on = do("table_query", document="long.csv", from_row=6).result
    assert on["rows"][0]["Who"] == "x5" and on["more"].startswith("from_row=11 ")
    answer = do("table_query", limit=1).result
    assert [(each["sheet"], each["rows"]) for each in answer["tables"]] == [("Q1", 3), ("Q2", 4)]
    assert answer["tables"][0]["columns"] == ["Date", "Customer", "Amount EUR", "Paid"]
    assert answer["rows"][0]["Customer"] == "Acme" and "from_row=2" in answer["more"]


def test_sums_by_sheet_are_exact_cite_their_cells_and_leave_totals_out(document: Document, do: Do) -> None:
    answer = do("table_query", group={"field": "sheet"}, aggregate=[{"function": "sum", "field": "Amount EUR"}]).result
    sums = {row["sheet"]: row["sum(Amount EUR)"] for row in answer["rows"]}
    assert sums == {"Q1": "900.00", "Q2": "900.10"}
    assert answer["rows"][-1]["block_ids"] == ["D1:1.3", "D1:1.4", "D1:1.5"]
    assert any("“Total” is left out as a total, which adds up" in note for note in answer["notes"])
    assert "Values of Amount EUR are in EUR." in answer["notes"]
    cited = do("cite_source", cited_text="1,000.50", block_id="D1:1.3", citation_number=1).result
    assert cited["page"] == 1 and "error" not in cited


@pytest.mark.parametrize(
    ("arguments", "rows"),
    [
        ({"filters": [{"field": "customer", "operator": "eq", "value": "acme"}], "sheets": ["q2"]}, 3),
        ({"filters": [{"field": "Amount EUR", "operator": "lt", "value": 0}]}, 2),
        ({"filters": [{"field": "Date", "operator": "ge", "value": "2026-02-01"}], "columns": ["Date", "C"]}, 2),
        ({"filters": [{"field": "Date", "operator": "empty"}]}, 1),
        ({"group": {"field": "Date", "by": "month"}, "aggregate": [{"function": "count"}]}, 7),
    ],
)
def test_rows_are_filtered_and_grouped_as_values_are(
    document: Document, do: Do, arguments: dict[str, Any], rows: int
) -> None:
    assert do("table_query", **arguments).result["total_rows"] == rows


def test_a_total_that_does_not_add_up_is_named(organization: Organization, document: Document, do: Do) -> None:
    store_sheets(organization, "wrong.xlsx", {"S": [["Item", "Cost"], ["a", "1.00"], ["b", "2.00"], ["Total", "4.00"]]})
    answer = do("table_query", document="wrong.xlsx", aggregate=[{"function": "sum", "field": "Cost"}]).result
    assert answer["rows"][0]["sum(Cost)"] == "3.00"
    assert "it says 4.00, the rows above come to 3.00" in answer["notes"][0]


def test_merged_names_count_for_their_rows_and_figures_once(
    organization: Organization, document: Document, do: Do
) -> None:
    rows = [["Region", "Sold", "Bonus"], ["North", "5", "9"], ["", "7", ""], ["South", "1", "2"]]
    store_sheets(organization, "merged.xlsx", {"S": rows}, merged={(2, 1): (2, 1), (2, 3): (2, 1)})
    sums = [{"function": "sum", "field": name} for name in ("Sold", "Bonus")]
    answer = do("table_query", document="merged.xlsx", group={"field": "Region"}, aggregate=sums).result
    rows = [[row["Region"], row["sum(Sold)"], row["sum(Bonus)"]] for row in answer["rows"]]
    assert sorted(rows) == [["North", "12.00", "9.00"], ["South", "1.00", "2.00"]]


def test_a_bank_file_is_reconciled_with_the_values_of_invoices(
    organization: Organization, actor: Actor, document: Document, bank: Document, do: Do
) -> None:
    totals = {"INV-1001": "1000", "INV-1002": "500", "INV-1003": "100", "INV-1004": "200", "INV-1005": "70"}
    store_invoices(actor, {**totals, "INV-1006": "100"})
    join = {"with": "values", "key": "Text", "with_key": "number", "compare": "Amount", "with_compare": "total"}
    answer = do("table_query", document="bank.csv", join=join).result
    assert (answer["matched"], answer["equal"], answer["different_count"]) == (4, 3, 1)
    (different,) = answer["different"]
    assert different["difference"] == "10.00" and different["with"][0]["document"] == "INV-1001.pdf"
    assert different["table"][0]["block_ids"] == "D1:1.2" and different["with"][0]["block_ids"]
    assert [row["key"] for row in answer["only_in_table"]] == ["Rent February"]
    assert [row["key"] for row in answer["only_in_with"]] == ["INV-1005"]
    assert answer["not_compared"] == []
    store_sheets(organization, "dollars.csv", {"": [BANK[0], ["03.02.2026", "INV-1002", "-499,00", "USD"]]})
    dollars = do("table_query", document="dollars.csv", join=join).result
    assert (dollars["different_count"], dollars["equal"]) == (0, 0) and dollars["not_compared"]


def test_amounts_join_where_there_is_no_reference_and_what_is_near_is_named(
    organization: Organization, actor: Actor, document: Document, do: Do
) -> None:
    store_invoices(actor, {"A": "1000.00", "B": "500.00"})
    store_sheets(organization, "plain.csv", {"": [["Who", "Paid"], ["x", "-1,010.00"], ["y", "-500.00"]]})
    join = {"with": "values", "key": "Paid", "with_key": "total", "compare": "Paid", "with_compare": "total"}
    answer = do("table_query", document="plain.csv", join=join).result
    assert (answer["matched"], answer["equal"]) == (1, 1)
    assert answer["perhaps_the_same"][0]["difference"] == "10.00"


def test_a_key_of_many_words_is_found_as_a_whole_and_not_within_a_text() -> None:
    """Otherwise keys of all lengths would be looked for at each word of each text."""
    keys = [" ".join(f"w{at:04}" for at in range(length)) for length in (MAX_KEY_WORDS, MAX_KEY_WORDS + 1)]
    for key, within in zip(keys, (1, 0), strict=True):
        others = [JoinedSide("", key, None)]
        assert len(join_rows([JoinedSide("", key, None)], others).matches) == 1
        assert len(join_rows([JoinedSide("", f"paid for {key} today", None)], others).matches) == within


def test_tables_of_two_files_and_of_two_sheets_join(organization: Organization, document: Document, do: Do) -> None:
    store_sheets(organization, "other.xlsx", {"S": [["Name", "Sum"], ["Acme", "1"], ["Cold", "2"]]})
    by_file = do(
        "table_query", sheets=["Q1"], join={"with": "other.xlsx", "key": "Customer", "with_key": "Name"}
    ).result
    assert (by_file["matched"], by_file["only_in_with"][0]["key"]) == (1, "Cold")
    by_sheet = do("table_query", sheets=["Q1"], join={"with": "Q2", "key": "Customer", "with_key": "Customer"}).result
    assert by_sheet["matched"] == 2 and not by_sheet["only_in_table"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"columns": ["Amont EUR"]}, "There is no column “Amont EUR”. Near it are Amount EUR."),
        ({"aggregate": [{"function": "sum", "field": "zz"}]}, "There are Date, Customer, Amount EUR, Paid"),
        ({"aggregate": [{"function": "median", "field": "Paid"}]}, "There are count, sum, min, max, avg"),
        ({"sheets": ["Q9"]}, "There are Q1, Q2"),
        ({"join": {"with": "values", "key": "Date"}}, "join is an object such as"),
        ({"join": {"with": "nothing.pdf", "key": "Date", "with_key": "x"}}, "nothing.pdf"),
        ({"join": {"with": "values", "key": "Date", "with_key": "no_field"}}, "No document has a field “no_field”"),
        ({"limit": 0}, "1 to 200 rows"),
        ({"from_row": 0}, "1 to 200 rows"),
        ({"from_row": 0, "join": {"with": "Q2", "key": "Date", "with_key": "Date"}}, "Rows are counted from 1"),
        ({"limit": "many"}, "limit"),
        ({"filters": "all"}, "filters"),
        ({"filters": [{"field": ["Paid"], "operator": "eq", "value": {}}]}, "filter"),
        ({"filters": [{"field": "Paid", "operator": "DROP TABLE", "value": "x"}]}, "operator"),
        ({"columns": [1, None]}, "columns"),
        ({"group": ["Paid"]}, "group"),
        ({"aggregate": [{"function": "sum", "field": {"Paid": 1}}]}, "fields of an aggregate"),
        ({"join": [["with", "values"]]}, "join"),
        ({"join": {"with": {"a": 1}, "key": "Date", "with_key": "x"}}, "join is an object such as"),
        ({"sheets": [5]}, "sheets"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_can(
    document: Document, do: Do, arguments: dict[str, Any], words: str
) -> None:
    assert words.casefold() in do("table_query", **arguments).result["error"].casefold()


@pytest.mark.parametrize("tool", ["table_query", "compare_documents"])
def test_files_of_another_organization_are_not_there(
    organization: Organization, other_organization: Organization, document: Document, do: Do, tool: str
) -> None:
    """Neither by id nor by name, as what is asked or as what is beside it."""
    secret = store_sheets(other_organization, "secret.xlsx", {"S": [["Who", "Paid"], ["CANARY", "5"]]})
    joined = {"join": {"with": secret.pk, "key": "Customer", "with_key": "Who"}}
    beside = joined if tool == "table_query" else {"with_document": secret.pk}
    asked = {} if tool == "table_query" else {"with_document": document.pk}
    for arguments in ({**asked, "document": secret.pk}, {**asked, "document": "secret.xlsx"}, beside):
        result = do(tool, **arguments).result
        assert "CANARY" not in str(result) and "error" in result and "rows" not in result


def test_answers_of_hostile_tables_are_short(
    organization: Organization, document: Document, do: Do, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many columns, long names, long cells, keys that all are the same, and a file that is joined with itself."""
    names = [f"{at} {'long ' * 60}" for at in range(26)]
    store_sheets(organization, "wide.csv", {"": [names, *([f"{'word ' * 50}{at}"] * 26 for at in range(40))]})
    wide = do("table_query", document="wide.csv", limit=200).result
    assert len(str(wide)) < 16_000 and wide["total_rows"] == 40 and 0 < len(wide["rows"]) < 40
    assert wide["more"] == f"from_row={len(wide['rows']) + 1} goes on, with the same query."
    assert wide["tables"][0]["columns"][:2] == ["A", "B"]
    rows = [["Key", "Sum"], *(['=HYPERLINK("x")|same key 77', f"{at}.00"] for at in range(300))]
    store_sheets(organization, "same.csv", {"": rows})
    join = {"with": "same.csv", "key": "Key", "with_key": "Key", "compare": "Sum", "with_compare": "Sum"}
    cyclic = do("table_query", document="same.csv", join=join).result
    assert (cyclic["matched"], cyclic["equal"], len(str(cyclic)) < 3_000) == (1, 1, True)
    store_sheets(organization, "apart.csv", {"": [["Key", "Sum"], *([f"N{at}", "1.00"] for at in range(300))]})
    alone = do("table_query", document="apart.csv", join=join | {"with": "same.csv"}).result
    assert alone["only_in_table_count"] == 300 and len(alone["only_in_table"]) == 40
    assert alone["more"] == "from_row=41 goes on in each list, with the same join."
    on = do("table_query", document="apart.csv", join=join | {"with": "same.csv"}, from_row=41).result
    assert on["only_in_table"][0]["key"] == "N40"
    assert "=HYPERLINK" in do("table_query", document="same.csv").result["rows"][0]["Key"]


def test_work_that_takes_too_long_ends_with_a_sentence() -> None:
    with pytest.raises(TooLarge, match="Narrow it"):
        list(limit_computing(itertools.count(), sentence="Narrow it.", seconds=0.01))


def test_a_file_without_tables_and_one_with_too_many_cells_are_refused(
    organization: Organization, document: Document, do: Do, monkeypatch: pytest.MonkeyPatch
) -> None:
    Document.objects.filter(pk=document.pk).update(name="plain.pdf")
    store_sheets(organization, "empty.csv", {"": [[""]]})
    assert "has no tables of its own" in do("table_query", document="empty.csv").result["error"]
    rows = [[str(at * 7 + to) for to in range(20)] for at in range(cells.MAX_CELLS // 20 + 1)]
    store_sheets(organization, "large.csv", {"": rows})
    assert "more than 200,000 cells" in do("table_query", document="large.csv").result["error"]


def test_a_table_without_a_head_and_texts_that_look_like_formulas(
    organization: Organization, document: Document, do: Do
) -> None:
    store_sheets(organization, "bare.csv", {"": [["1", "2.5"], ["3", "4.5"], ["=LINK(A1:A2)", "(1.00)"]]})
    answer = do("table_query", document="bare.csv", aggregate=[{"function": "sum", "field": "B"}]).result
    assert answer["rows"][0]["sum(B)"] == "6.00"
    assert "no row that names its columns" in answer["notes"][0]
    sums = do("table_query", document="bare.csv", aggregate=[{"function": "sum", "field": "A"}]).result
    assert sums["rows"][0]["sum(A)"] == "4.00" and any("left out: 1." in note for note in sums["notes"])
