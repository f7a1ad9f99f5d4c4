"""The offline model as an agent: played against tools that answer as the product's do."""

import json

import pytest

from documents.reading.page_text import MarkedText, make_data_block
from tests.documents import offline_cases as cases
from tests.documents.offline_talk import VALUES, WORKING, Talk, reject


@pytest.mark.parametrize(
    "request_text",
    [
        "Set up extraction for this document",
        "Please create a schema for this",
        "extract this",
        "design a schema",
        "Can you set up an extraction?",
        "I want you to extract the data from this document.",
        "Study this document, design a schema of the key, repeatable fields of documents like it, write the prompt, "
        "run the extraction, look at the result and refine at most twice.",
    ],
)
def test_it_sets_up_an_extraction_one_step_at_a_time(request_text):
    talk = Talk()
    texts = talk.ask(request_text)
    assert talk.names() == ["validate_schema", "create_schema", "create_prompt", "run_extraction"]
    assert json.loads(talk.last("validate_schema")["schema"]) == talk.last("create_schema")["response_format"]
    assert talk.last("create_prompt")["schema_id"] == "s1"
    assert talk.last("run_extraction") == {"prompt_revid": "q1"}
    assert all(texts)
    assert "- total: 17116.55" in texts[-1]
    assert "Not found: tax, customer" in texts[-1]
    assert "Not found on the page: vendor." in texts[-1]


def test_it_reads_the_pages_first_when_it_was_shown_only_a_part():
    whole = {"page_count": 1, "pages": [1], "text": make_data_block("page_text", MarkedText(cases.INVOICE, [1]))}
    talk = Talk(text="[1.1] Ostrava Tools s.r.o. | INVOICE\n<cut>the rest is not shown</cut>\n", get_ocr_text=whole)
    talk.ask("Set up extraction for this document")
    assert talk.names()[:2] == ["get_ocr_text", "validate_schema"]
    assert "iban" in talk.fields()["properties"]


def test_it_says_so_when_there_is_nothing_to_read():
    talk = Talk(text="", get_ocr_text={"error": "This document has not been read yet."})
    assert "no text" in talk.ask("Set up extraction")[-1]
    assert talk.names() == ["get_ocr_text"]


TAKEN = {"error": "There is a schema “Invoice” already.", "existing": "s0"}


def test_it_runs_the_kind_that_has_the_name_already():
    talk = Talk(create_schema=TAKEN)
    texts = talk.ask("Set up extraction for this document")
    assert talk.names() == ["validate_schema", "create_schema", "run_extraction"]
    assert talk.last("run_extraction") == {"prompt_revid": "Invoice"}
    assert "“Invoice” is set up already" in texts[-2] and "- total: 17116.55" in texts[-1]


def test_it_writes_a_prompt_for_a_schema_that_has_none():
    gone = {"error": "Prompt not found: 'Invoice'. There is none yet."}
    talk = Talk(create_schema=TAKEN, run_extraction=[gone, WORKING["run_extraction"]])
    talk.ask("Set up extraction for this document")
    assert talk.names()[2:] == ["run_extraction", "create_prompt", "run_extraction"]
    assert talk.last("create_prompt")["schema_id"] == "Invoice"
    assert talk.last("run_extraction") == {"prompt_revid": "q1"}


def test_it_takes_another_name_for_a_prompt_when_the_name_is_taken():
    talk = Talk(create_prompt=[TAKEN, WORKING["create_prompt"]])
    talk.ask("Set up extraction for this document")
    assert [a["name"] for n, a in talk.calls if n == "create_prompt"] == ["Invoice", "Invoice 2"]


def test_it_takes_a_new_name_from_a_reason():
    talk = Talk(create_schema=[reject("call it Supplier invoice"), WORKING["create_schema"]])
    talk.ask("Set up extraction for this document")
    assert talk.last("create_schema")["name"] == "Supplier invoice"
    talk = Talk()
    talk.ask("Set up extraction for this document, called Bill")
    assert talk.last("create_schema")["name"] == "Bill"


@pytest.mark.parametrize("reason", ["this is not how our department thinks", "add the BIC", ""])
def test_it_stops_and_asks_when_a_rejection_tells_it_nothing(reason):
    talk = Talk(create_schema=[reject(reason)])
    last = talk.ask("Set up extraction for this document")[-1]
    assert talk.names() == ["validate_schema", "create_schema"]
    assert "You rejected the schema “Invoice”" in last and "edit its fields on the card" in last
    assert reason in last


def test_it_goes_on_from_the_rejected_proposal_when_the_person_names_it():
    talk = Talk(create_schema=[reject(), WORKING["create_schema"]])
    talk.ask("Set up extraction for this document")
    talk.ask("call it Supplier invoice")
    assert talk.last("create_schema")["name"] == "Supplier invoice"
    assert talk.names()[-1] == "run_extraction"


def test_it_does_not_run_what_was_rejected_or_repeat_what_went_stale():
    talk = Talk(create_prompt=[reject("mention that amounts are in pounds")])
    assert "edit its fields on the card" in talk.ask("Set up extraction for this document")[-1]
    talk = Talk(run_extraction=[reject("too expensive")])
    assert "too expensive" in talk.ask("Set up extraction for this document")[-1]
    gone = {"error": "This call was not run. The user went on. It was neither approved nor refused."}
    assert "went on" in Talk(create_schema=[gone]).ask("Set up extraction")[-1]


@pytest.mark.parametrize(
    ("request_text", "path", "value"),
    [
        ("Change the due date to 2026-12-31", "due_date", "2026-12-31"),
        ("change the due date to 31 December 2026.", "due_date", "2026-12-31"),
        ("set total to 12.50", "total", 12.5),
        ("the vendor is Acme Ltd.", "vendor", "Acme Ltd."),
        ("The total is wrong, it should be 99", "total", 99),
        ("please set the tax to 3.5", "tax", 3.5),
        ("change the quantity of row 2 to 5", "line_items.1.quantity", 5),
        ("set the quantity in the last row to 7", "line_items.1.quantity", 7),
        ("replace the supplier with “Acme and Sons”", "vendor", "Acme and Sons"),
        ("line_items.0.sku = X1", "line_items.0.sku", "X1"),
    ],
)
def test_it_changes_a_value_and_keeps_its_type(request_text, path, value):
    talk = Talk(values=VALUES)
    assert "Done" in talk.ask(request_text)[-1]
    assert talk.calls == [("update_extraction_field", {"path": path, "value": value})]
