"""Every door that takes JSON, and that none of them makes objects of more than fits."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client
from rest_framework.parsers import FormParser, MultiPartParser

from accounts.actor import Actor
from accounts.api.wire.parsing import PlainJSONParser
from kit.json_types import Json
from tests.api.test_access import ROUTES
from tests.conftest import ApiClient
from tests.product import ROOT
from tests.suites import OURS

HOSTILE = json.dumps({"items": [[]] * 30_000})
PRODUCT = set(OURS) - {"offline_model"}
# What makes objects of a text: a function by its name alone, whatever it is called on.
PARSERS = {"loads", "from_json", "raw_decode", "JSONDecoder", "validate_json", "model_validate_json"}
# `sanitize` counts, and what is signed is our own.
OTHER = {"sanitize", "signing"}
# Texts whose size something else has bounded, and by what.
BOUNDED = {
    "accounts/services/connections/metadata_documents.py": "a document of at most 16 kB",
    "agent/conversation/text_protocol.py": "what a model wrote in one round",
    "agent/mcp/bounds.py": "counted by the line before",
    "agent/mcp/call_results.py": "our own result of a call",
    "agent/outside/protocol.py": "our own request to another server",
    "agent/outside/tool_texts.py": "our own text of a schema that was checked",
    "agent/scope_profiles/applied/classifier.py": "what a model wrote in one answer",
    "agent/tools/extraction.py": "objects of a row",
    "agent/api/turn_events.py": "our own result of a call",
    "documents/autosetup/trials.py": "objects of a row",
    "documents/types/model_question.py": "what a model wrote in one answer",
    "documents/results/omissions.py": "our own lines in a temporary file",
    "reader/words.py": "our own column",
    "reader/frames.py": "what our own reader process sends",
    "reader/markup/json_text.py": "a file, in the reader's own bounds",
    "documents/comparing/packing.py": "a comparison that the product has stored, at most 4 MB",
    "llm/client/dialects/broken_json.py": "what a model wrote in one round",
    "llm/client/dialects/calls.py": "what a model wrote in one answer",
    "llm/client/dialects/streams.py": "what a model's server answered, in the bounds of the client",
    "documents/definitions/schema_text.py": "counted by the line before",
    "documents/definitions/schema_templates/catalogue.py": "our own files",
    "documents/definitions/schemas.py": "our own text of a schema that was checked",
    "documents/extractions/model_requests/model_answers.py": "what a model wrote in one answer",
    "documents/models/ordered_json.py": "our own column; no form of the administration edits one",
    "docrouter/openapi/examples.py": "our own file",
    "reader/office/formats/names.py": "our own file",
    "documents/reading/page_text.py": "our own text of a page",
    "documents/find/research/ranking.py": "what a model wrote in one answer",
    "kit/http/undo_buttons.py": "our own text in a message of Django, which signs it",
    "kit/sanitize.py": "counted by the line before, or what a model wrote in one answer",
    "worker/supervision/lock.py": "our own file",
}


def find_parsing(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in PARSERS:
            of = node.func.value
            if not (isinstance(of, ast.Name) and of.id in OTHER):
                yield str(path.relative_to(ROOT))


def test_whatever_else_makes_objects_of_json_has_a_bound_of_its_own() -> None:
    paths = [path for package in PRODUCT for path in (ROOT / package).rglob("*.py")]
    assert {name for path in paths for name in find_parsing(path)} == set(BOUNDED)


def test_every_route_of_v0_reads_its_body_by_the_parser_that_counts() -> None:
    views = {name: getattr(route.pattern.callback, "cls", None) for name, route in ROUTES.items()}
    parsers = {parser for view in views.values() if view for parser in view.parser_classes}
    assert parsers == {PlainJSONParser, MultiPartParser, FormParser}


@pytest.mark.django_db
def test_each_door_refuses_more_values_than_anything_has(
    actor: Actor,
    client: Client,
    signed_in: Callable[[Client, Actor], Client],
    api_as: Callable[[Actor], ApiClient],
) -> None:
    """MCP is asked in `tests/agent/test_mcp_bounds.py` and `tests/clients`, sockets in `tests/web/test_sockets.py`."""
    page, api, organization = signed_in(client, actor), api_as(actor), actor.organization.pk
    body: Json = {"name": "x", "response_format": json.loads(HOSTILE)}
    answers = {
        "body": api.post(f"/v0/orgs/{organization}/schemas", body),
        "query": api.get(f"/v0/orgs/{organization}/tags", {"filters": HOSTILE}),
        "order": api.get(f"/v0/orgs/{organization}/tags", {"sort": HOSTILE}),
        "form of files": api.post(
            f"/v0/orgs/{organization}/documents/multipart", {"metadata": HOSTILE}, format="multipart"
        ),
        "registration": Client().post("/oauth/register", HOSTILE, content_type="application/json"),
        "message": page.post(f"/orgs/{organization}/agent/begin", {"text": "Hello", "mentions": HOSTILE}),
        "schema": page.post(f"/orgs/{organization}/schemas/new", {"name": "x", "content": HOSTILE}),
    }
    assert {name: answer.status_code for name, answer in answers.items() if answer.status_code not in (400, 422)} == {}
    for name in ("body", "registration", "schema"):
        assert "more than 50,000 values" in answers[name].content.decode()
