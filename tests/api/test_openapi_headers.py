"""Headers, names and fields of the OpenAPI document: what a client that is generated from it can send, read and call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings

from docrouter.openapi import views

FILE = "/v0/orgs/{organization_id}/documents/{document_id}/file"
CALL = "/v0/orgs/{organization_id}/tool_calls/{call_id}"
DOCUMENTS = "/v0/orgs/{organization_id}/documents"
Operation = dict[str, Any]


@pytest.fixture(scope="module")
def operations() -> list[Operation]:
    return [operation for methods in views.document()["paths"].values() for operation in methods.values()]


def list_sent_headers(operation: Operation) -> set[str]:
    return {parameter["name"] for parameter in operation.get("parameters", ()) if parameter["in"] == "header"}


def list_answered_headers(operation: Operation) -> Iterator[tuple[str, str]]:
    for code, answer in operation["responses"].items():
        for name in answer.get("headers", {}):
            yield code, name


def test_it_says_where_a_result_will_be_and_when_the_next_request_is_taken(operations: list[Operation]) -> None:
    for operation in operations:
        headers = set(list_answered_headers(operation))
        assert ("429", "Retry-After") in headers, operation["operationId"]
        for name in ("Location", "Retry-After"):
            assert ("202" in operation["responses"]) == (("202", name) in headers), operation["operationId"]


def test_a_condition_is_described_with_its_refusals_and_the_etag_of_what_holds_now(
    operations: list[Operation],
) -> None:
    for operation in operations:
        sent, answered = list_sent_headers(operation), set(list_answered_headers(operation))
        assert "If-None-Match" not in sent or {("200", "ETag"), ("304", "ETag")} <= answered, operation["operationId"]
        if "If-Match" in sent and "Range" not in sent:
            assert {"400", "412"} <= set(operation["responses"]), operation["operationId"]
            assert ("412", "ETag") in answered or operation["operationId"] == "post_call_decision"
    assert ("200", "ETag") in set(list_answered_headers(views.document()["paths"][CALL]["get"]))


def test_what_a_patch_needs_is_required_and_what_may_be_repeated_is_a_list() -> None:
    document = views.document()
    assert document["components"]["schemas"]["ChangedField"]["required"] == ["path", "value"]
    parameters = {each["name"]: each["schema"] for each in document["paths"][DOCUMENTS]["get"]["parameters"]}
    assert (parameters["value"]["type"], parameters["state"]["type"]) == ("array", "string")


def test_a_part_of_a_file_can_be_asked_for_and_told_from_the_whole() -> None:
    operation = views.document()["paths"][FILE]["get"]
    assert list_sent_headers(operation) == {"Range", "If-Range", "If-None-Match", "If-Match"}
    assert {("200", "ETag"), ("206", "ETag"), ("206", "Content-Range"), ("416", "Content-Range")} <= set(
        list_answered_headers(operation)
    )
    assert "412" in operation["responses"]


def test_a_generated_client_knows_a_file_of_any_type_for_bytes(operations: list[Operation]) -> None:
    """A route that answers JSON unless another form is asked for has that first."""
    for operation in operations:
        for answer in operation["responses"].values():
            kinds = [kind for kind in answer.get("content", {}) if kind != "application/json"]
            assert "*/*" not in kinds or kinds[0] == "application/octet-stream", operation["operationId"]


def test_a_page_of_another_origin_may_send_and_read_every_header_that_is_described(
    operations: list[Operation],
) -> None:
    sent = {name.lower() for operation in operations for name in list_sent_headers(operation)}
    answered = {name for operation in operations for _, name in list_answered_headers(operation)}
    assert sent and sent <= set(settings.CORS_ALLOW_HEADERS)
    assert answered and answered <= set(settings.CORS_EXPOSE_HEADERS)


def test_a_generated_function_has_the_name_of_its_resource_and_not_of_our_code(operations: list[Operation]) -> None:
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names)
    assert not [name for name in names if name.endswith("_view")]


def test_no_field_that_may_be_left_out_looks_as_if_it_had_to_be_sent() -> None:
    shapes = views.document()["components"]["schemas"]
    fields = [field for shape in shapes.values() for field in shape.get("properties", {}).values()]
    assert fields and not [field for field in fields if "default" in field]
    assert shapes["NewChat"]["properties"]["stream"]["description"] == "false if it is left out."
    assert shapes["NewDocument"]["properties"]["password"]["description"] == "Of a locked PDF."
