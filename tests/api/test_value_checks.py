"""Value checks over /v0: with the schema, and their results with the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.actor import Actor
from tests.conftest import ApiClient
from tests.documents.checked_invoice import FORMAT, INVOICE, SUM, make_prompt, store_invoice

pytestmark = pytest.mark.servers


@pytest.fixture
def client(api_as: Callable[[Actor], ApiClient], actor: Actor) -> ApiClient:
    return api_as(actor)


@pytest.fixture
def path(actor: Actor) -> str:
    return f"/v0/orgs/{actor.organization.pk}/schemas"


def test_checks_come_with_the_schema_and_make_versions_of_it(client: ApiClient, path: str) -> None:
    first = client.post(path, {"name": "Invoice", "response_format": FORMAT, "value_checks": [SUM]}).json()
    assert first["value_checks"] == [SUM]
    route = f"{path}/{first['schema_id']}"
    same = client.put(route, {"value_checks": [SUM]}).json()
    assert same["schema_version"] == 1
    renamed = client.put(route, {"name": "Bill", "value_checks": None}).json()
    assert (renamed["schema_version"], renamed["value_checks"]) == (1, [SUM])
    without = client.put(route, {"value_checks": []}).json()
    assert (without["schema_version"], without["value_checks"]) == (2, [])
    kept = client.post(path, {"name": "Bill", "response_format": FORMAT, "value_checks": [SUM]}).json()
    again = client.post(path, {"name": "Bill", "response_format": FORMAT}).json()
    assert (kept["value_checks"], again["schema_version"], again["value_checks"]) == ([SUM], 4, [SUM])


@pytest.mark.parametrize(
    ("checks", "loc", "message"),
    [
        ([SUM, SUM | {"field": "totals"}], ["body", "value_checks", 1, "field"], "no field totals"),
        ([{"kind": "magic"}], ["body", "value_checks", 0, "kind"], "kind must be one of"),
        (5, ["body", "value_checks"], "must be a list"),
        ([SUM] * 51, ["body", "value_checks"], "50 are the most"),
    ],
)
def test_a_check_that_makes_no_sense_is_a_fault_with_its_place(
    client: ApiClient, path: str, checks: Any, loc: list[object], message: str
) -> None:
    sent = {"name": "Invoice", "response_format": FORMAT, "value_checks": checks}
    answer = client.post(path, sent)
    assert answer.status_code == 422
    [fault] = answer.json()["detail"]
    assert fault["loc"] == loc
    assert message in fault["msg"]
    made = client.post(path, {"name": "Invoice", "response_format": FORMAT}).json()
    assert client.put(f"{path}/{made['schema_id']}", {"value_checks": checks}).status_code == 422


def test_a_result_says_what_its_checks_say(client: ApiClient, actor: Actor) -> None:
    product = {"kind": "product", "factors": ["line_items.quantity"], "field": "line_items.amount"}
    prompt = make_prompt(actor, [SUM, product])
    lines = [{"quantity": 2, "amount": 2}, {"quantity": 3, "amount": 4}]
    extraction = store_invoice(actor, prompt, "a.pdf", line_items=lines)
    route = f"/v0/orgs/{actor.organization.pk}/llm/result/{extraction.document_id}?prompt_revid={prompt.pk}"
    sums, row = client.get(route).json()["check_results"]
    message = "2 lines add up to 6.00; Subtotal says 35.00."
    assert sums == {"check": 1, "kind": "sum", "status": "failed", "message": message, "paths": ["subtotal"]}
    assert (row["check"], row["paths"]) == (2, ["line_items.1.amount"])
    corrected = INVOICE | {"line_items": [lines[0], {"quantity": 3, "amount": 3}], "subtotal": 5}
    answer = client.put(route, {"updated_llm_result": {**client.get(route).json()["llm_result"], **corrected}})
    assert [result["status"] for result in answer.json()["check_results"]] == ["passed", "passed"]


def test_checks_are_tried_on_documents_before_a_schema_has_them(
    client: ApiClient, path: str, actor: Actor, stranger: Actor
) -> None:
    prompt = make_prompt(actor, [])
    store_invoice(actor, prompt, "good.pdf")
    bad = store_invoice(actor, prompt, "bad.pdf", subtotal=99000)
    route = f"{path}/{prompt.schema_revision_id}/value_checks/try"
    first, second = client.post(route, {"value_checks": [SUM]}).json()["trials"]
    assert (first["document_name"], first["extraction_id"]) == ("bad.pdf", bad.pk)
    [result] = first["check_results"]
    assert result["status"] == "failed" and result["message"].startswith("2 lines add up to 35.00")
    assert result["paths"][0] == "subtotal" and second["check_results"][0]["status"] == "passed"
    bad.refresh_from_db()
    assert bad.check_results == [], "nothing is stored"
    for wrong in ({}, {"value_checks": [{"kind": "magic"}]}, {"value_checks": [SUM], "save": True}):
        assert client.post(route, wrong).status_code == 422, wrong
    foreign = make_prompt(stranger, [])
    assert client.post(f"{path}/{foreign.schema_revision_id}/value_checks/try", {}).status_code == 404
