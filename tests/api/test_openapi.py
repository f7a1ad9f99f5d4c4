from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponse, JsonResponse
from django.test import Client
from django.urls import get_resolver
from drf_spectacular.plumbing import ComponentRegistry
from jsonschema import Draft202012Validator
from typing_extensions import TypedDict

from accounts.api.wire.responses import Answer, EventStream, JsonLines
from docrouter.openapi import views
from docrouter.openapi.answers import read_stated_answers, register_shapes
from documents.api import answers
from tests.api.test_access import ROUTES, methods_of
from tests.described_answers import compare_events, problems_of

RECORD = "Record an example: RECORD_EXAMPLES=1 with a test of this route (tests/recorded_examples.py)."
CATCH_ALL, ITSELF = "unknown-route", {"v0-openapi", "v0-docs"}


@pytest.fixture
def document(client: Client) -> dict[str, Any]:
    answer = client.get("/v0/openapi.json")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    return answer.json()


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def test_it_describes_every_route_of_v0_with_each_of_its_methods(document: dict[str, Any]) -> None:
    known = get_resolver().reverse_dict
    routes = set()
    for name, route in ROUTES.items():
        if name.startswith("v0-") and name not in ITSELF:
            ((template, _),) = known.getlist(name)[0][0]
            path = "/" + re.sub(r"%\((\w+)\)s", r"{\1}", template)
            routes |= {(path, method) for method in methods_of(route.pattern)}
    assert {(path, method) for path, method, _ in operations(document)} == routes


def test_it_is_an_openapi_3_1_document_whose_references_lead_somewhere(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1.")
    schemas = document["components"]["schemas"]
    for name, schema in schemas.items():
        Draft202012Validator.check_schema(schema), name
    refs = set(re.findall(r"'\$ref': '#/components/schemas/(\w+)'", str(document)))
    assert refs <= set(schemas), refs - set(schemas)
    ids = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(ids) == len(set(ids))


def test_it_is_made_without_a_warning(capfd: pytest.CaptureFixture[str]) -> None:
    """Such as of two serializers with one name, of which one would be described as the other."""
    views.document.__wrapped__()
    assert capfd.readouterr().err == ""


def test_each_operation_says_what_it_does_who_may_and_how_it_is_refused(document: dict[str, Any]) -> None:
    for path, method, operation in operations(document):
        assert operation["summary"] and operation["tags"], (method, path)
        who = re.search(
            r"Needs (the role \*\w+\*|a session or an account token|no credentials)\.", operation["description"]
        )
        assert who, (method, path)
        own = operation["description"].replace(who[0], "").replace("System admins need not be members.", "").strip()
        assert own, f"{method} {path} has no words of its own: a docstring of its handler or its view"
        assert "429" in operation["responses"], (method, path)
        assert any(code.startswith("2") for code in operation["responses"]), (method, path)
        refusals = {"401", "403"} if "no credentials" not in who[0] else set()
        refusals |= {"404"} if "{" in path else set()
        refusals |= {"413", "415", "422"} if "requestBody" in operation else set()
        assert refusals <= set(operation["responses"]), (method, path)
        if "/orgs/" in path:
            assert "the role" in who[0], (method, path)
            assert {"bearer": []} in operation["security"], (method, path)


def test_every_body_and_answer_has_an_example_that_fits_its_schema(document: dict[str, Any]) -> None:
    seen = set()
    for path, method, operation in operations(document):
        for where, content in contents(operation):
            schema = content["schema"]
            if schema.get("format") == "binary":
                continue
            assert "example" in content or "examples" in content, f"{method} {path} {where}: {RECORD}"
            for example in [entry["value"] for entry in content.get("examples", {}).values()] or [content["example"]]:
                checked = Draft202012Validator({**schema, "components": document["components"]})
                problems = [f"{error.json_path}: {error.message}" for error in checked.iter_errors(example)]
                assert not problems, (method, path, where, problems, RECORD)
            seen.add(where)
    assert {
        "request",
        "200",
        "202",
        "400",
        "401",
        "402",
        "403",
        "404",
        "409",
        "413",
        "422",
        "500",
        "502",
        "504",
    } <= seen


def test_failures_have_the_error_shape_and_a_sentence_of_their_own(document: dict[str, Any]) -> None:
    for path, method, operation in operations(document):
        for code, answer in operation["responses"].items():
            if not code.startswith(("4", "5")):
                continue
            shape = "ValidationError" if code == "422" else "Error"
            content = answer["content"]["application/json"]
            assert content["schema"] == {"$ref": f"#/components/schemas/{shape}"}, (method, path, code)
            assert answer["description"], (method, path, code)
            for example in content.get("examples", {}).values():
                assert len(example["value"]["detail"]) > 8, (method, path, code)


def contents(operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for content in operation.get("requestBody", {}).get("content", {}).values():
        yield "request", content
    for code, answer in operation["responses"].items():
        for content in answer.get("content", {}).values():  # 204 has none
            yield code, content


def test_a_failure_looks_as_described(document: dict[str, Any], client: Client, db: None) -> None:
    def check(shape: str, answer: Any) -> None:
        whole = {"$ref": f"#/components/schemas/{shape}", "components": document["components"]}
        Draft202012Validator(whole).validate(answer)

    for path in ("/v0/account/organizations", "/v0/account/token/organization?token=x"):
        check("Error", client.get(path).json())
    missing = client.get("/v0/account/token/organization").json()
    check("ValidationError", missing)
    assert isinstance(missing["detail"], list)


def test_it_says_where_no_credentials_are_needed_and_describes_every_answer(document: dict[str, Any]) -> None:
    for path, method, operation in operations(document):
        is_open = "Needs no credentials." in operation["description"]
        assert (operation["security"] == []) is is_open, (method, path)
        for code, answer in operation["responses"].items():
            assert answer["description"].endswith("."), (method, path, code)
    assert document["paths"]["/v0/account/token/organization"]["get"]["security"] == []


def test_its_sections_stand_in_a_users_order_and_say_what_they_are_about(document: dict[str, Any]) -> None:
    named = [section["name"] for section in document["tags"]]
    assert named[:6] == ["Documents", "Reading", "Extraction", "Schemas", "Prompts", "Tags"]
    assert all(section["description"].endswith(".") for section in document["tags"])
    used = [operation["tags"][0] for _, _, operation in operations(document)]
    assert list(dict.fromkeys(used)) == named


def test_it_is_fetched_again_only_when_it_has_changed(client: Client) -> None:
    for accepted in ("gzip, br", ""):
        first = client.get("/v0/openapi.json", headers={"accept-encoding": accepted})
        again = client.get("/v0/openapi.json", headers={"accept-encoding": accepted, "if-none-match": first["ETag"]})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
        assert not first["ETag"].startswith("W/")
        other = client.get("/v0/openapi.json", headers={"accept-encoding": accepted, "if-none-match": '"of-before"'})
        assert (other.status_code, other.content) == (200, first.content)


def test_it_is_gzipped_for_whoever_takes_that(client: Client) -> None:
    whole = client.get("/v0/openapi.json")
    zipped = client.get("/v0/openapi.json", headers={"accept-encoding": "br, gzip;q=0.8"})
    refused = client.get("/v0/openapi.json", headers={"accept-encoding": "gzip;q=0"})
    assert gzip.decompress(zipped.content) == whole.content == refused.content
    assert (zipped["Content-Encoding"], zipped["Content-Type"]) == ("gzip", "application/json")
    assert len(zipped.content) < len(whole.content) / 8
    assert zipped["ETag"] != whole["ETag"]
    assert all("Accept-Encoding" in answer["Vary"] for answer in (whole, zipped))


def test_a_handler_has_to_state_each_of_its_answers() -> None:
    class Halfway:
        def get(self) -> Answer[answers.Tag] | HttpResponse: ...

    with pytest.raises(TypeError, match="Halfway does not state what GET answers"):
        read_stated_answers(Halfway, "GET")


def test_two_shapes_cannot_have_one_name() -> None:
    class Tag(TypedDict):
        id: str

    registry = ComponentRegistry()
    assert register_shapes(registry, list[answers.Tag])["items"] == register_shapes(registry, answers.Tag)
    with pytest.raises(TypeError, match="called Tag"):
        register_shapes(registry, Tag)


def test_an_answer_is_compared_with_the_document_name_by_name(document: dict[str, Any]) -> None:
    operation = document["paths"]["/v0/orgs/{organization_id}/tags/{tag_id}"]["get"]
    tag = operation["responses"]["200"]["content"]["application/json"]["example"]
    without_color = {name: value for name, value in tag.items() if name != "color"}
    assert problems_of(operation, JsonResponse(tag)) == []
    assert "'shade' was unexpected" in problems_of(operation, JsonResponse({**tag, "shade": "dark"}))[0]
    assert "'color' is a required property" in problems_of(operation, JsonResponse(without_color))[0]
    for code in (202, 400, 409):
        assert problems_of(operation, JsonResponse(tag, status=code)) == [f"{code} is not described"]
    assert problems_of(operation, JsonResponse({}, status=405)) == []
    assert problems_of(operation, HttpResponse("a tag", content_type="text/plain")) == ["text/plain is not described"]


def test_what_comes_line_by_line_is_compared_line_by_line(document: dict[str, Any]) -> None:
    in_organization = "/v0/orgs/{organization_id}"
    chat = document["paths"][f"{in_organization}/documents/{{document_id}}/chat"]["post"]
    log = document["paths"][f"{in_organization}/turns/{{turn_id}}/log"]["get"]
    cost = {"type": "cost", "at": "", "purpose": "", "model": "", "cost_micros": 1, "prompt_tokens": 1}
    words = {"type": "assistant_text_chunk", "chunk": "An invoice", "round_index": 0}

    def read(event: dict[str, Any]) -> bytes:
        stream = EventStream[Any]([": begun\n\n", f"id: 1\ndata: {json.dumps(event)}\n\n"])
        compare_events(chat, stream)
        return stream.getvalue()

    assert b"An invoice" in read(words)
    for wrong in ({**words, "shade": "dark"}, {**words, "type": "whisper"}, {"type": "done", "result": {}}):
        with pytest.raises(AssertionError):
            read(wrong)
    assert problems_of(log, JsonLines([{**cost, "completion_tokens": 1}])) == []
    assert len(problems_of(log, JsonLines([cost, {**cost, "type": "price"}]))) == 2


def test_the_page_loads_nothing_from_elsewhere_and_loosens_its_own_policy_only(client: Client, db: None) -> None:
    page = client.get("/v0/docs")
    assert page.status_code == 200
    sources = re.findall(r'(?:src|href)="([^"]+)"', page.content.decode())
    assert sources and all(source.startswith(("/static/", "/v0/", "data:")) for source in sources), sources
    assert not re.search(r"<script(?![^>]*\bsrc=)", page.content.decode())
    policy = page["Content-Security-Policy"]
    assert "style-src 'self' 'unsafe-inline'" in policy
    assert "script-src 'self';" in policy + ";"
    assert "unsafe-inline" not in client.get("/sign-in")["Content-Security-Policy"]
    for source in sources:
        if source.startswith("/static/"):
            assert client.get(source).status_code == 200, source
