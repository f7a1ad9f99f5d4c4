"""The published Python client against a real server: every method of documents, ocr, tags, schemas and prompts."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from docrouter_sdk import DocRouterClient

from accounts.actor import Actor
from accounts.models import AccessToken
from accounts.services import tokens
from documents.models import Document
from tests.api.test_schemas import response_format
from tests.documents.reading_rows import document_with

PDF = b"%PDF-1.4 a stub that no parser can read"
CONTENT = base64.b64encode(PDF).decode()
UNKNOWN = "0123456789abcdef01234567"
MakeClient = Callable[[str], DocRouterClient]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def connect(live_server) -> Iterator[MakeClient]:
    clients: list[DocRouterClient] = []

    def make(secret: str) -> DocRouterClient:
        clients.append(DocRouterClient(base_url=live_server.url, api_token=secret))
        return clients[-1]

    yield make
    for client in clients:
        client.session.close()


@pytest.fixture
def org(actor: Actor) -> str:
    return actor.organization.pk


@pytest.fixture
def client(actor: Actor, connect: MakeClient) -> DocRouterClient:
    return connect(tokens.create(actor.user, name="Scanner", organization=actor.organization)[1])


def read_refusal(call: Callable[..., Any], *arguments: Any, **named: Any) -> str:
    """What the client says of a call that fails: `API Error (404): Document not found`."""
    with pytest.raises(Exception, match="API Error") as failure:
        call(*arguments, **named)
    return str(failure.value)


def query(client: DocRouterClient, org: str, what: str, **params: Any) -> dict[str, Any]:
    """What the client's own methods have no arguments for."""
    sent = {name: value if isinstance(value, str | int) else json.dumps(value) for name, value in params.items()}
    body: dict[str, Any] = client.request("GET", f"/v0/orgs/{org}/{what}", params=sent)
    return body


def test_it_uploads_lists_changes_and_deletes_documents(client: DocRouterClient, org: str) -> None:
    urgent = client.tags.create(org, {"name": "urgent"})
    sent = [
        {"name": f"{name}.pdf", "content": content, "tag_ids": tag_ids, "metadata": {"a,b": "c=d/é", "n": name}}
        for name, content, tag_ids in (
            ("one", CONTENT, [urgent.id]),
            ("two", f"data:application/pdf;base64,{CONTENT}", []),
            ("one more", CONTENT, []),
        )
    ]
    stored = client.documents.upload(org, sent)["documents"]
    assert [row["document_name"] for row in stored] == ["one.pdf", "two.pdf", "one more.pdf"]

    def names(**wishes: Any) -> list[str]:
        return [row.document_name for row in client.documents.list(org, **wishes).documents]

    assert names() == ["one more.pdf", "two.pdf", "one.pdf"]
    assert names(skip=1, limit=1) == ["two.pdf"]
    assert client.documents.list(org, skip=1, limit=1).total_count == 3
    assert names(name_search="ONE") == ["one more.pdf", "one.pdf"]
    assert names(tag_ids=[urgent.id]) == ["one.pdf"]
    assert names(metadata_search={"a,b": "c=d/é", "n": "two"}) == ["two.pdf"]
    document = client.documents.get(org, stored[1]["document_id"])
    assert (base64.b64decode(document.content), document.type, document.state) == (PDF, "application/pdf", "uploaded")
    assert (document.uploaded_by, document.pdf_id) == ("Scanner", document.id)
    changed = client.documents.update(org, document.id, document_name="2.pdf", tag_ids=[urgent.id], metadata={"k": "v"})
    assert changed == {"message": "Document updated successfully"}
    document = client.documents.get(org, document.id)
    assert (document.document_name, document.tag_ids, document.metadata) == ("2.pdf", [urgent.id], {"k": "v"})
    assert client.documents.update(org, document.id) == {"message": "No updates provided"}
    assert client.documents.delete(org, document.id) == {"message": "Document deleted successfully"}
    assert read_refusal(client.documents.get, org, document.id) == "API Error (404): Document not found"


def test_it_gives_a_file_whole_in_both_forms(client: DocRouterClient, org: str) -> None:
    stored = client.documents.upload(org, [{"name": name, "content": CONTENT} for name in ("a.pdf", "b.png")])
    pdf, picture = (row["document_id"] for row in stored["documents"])
    for query_string in ("", "?file_type=pdf", "?file_type=original"):
        assert client.request("GET", f"/v0/orgs/{org}/documents/{pdf}/file{query_string}") == PDF
    assert client.request("GET", f"/v0/orgs/{org}/documents/{picture}/file?file_type=original") == PDF
    missing = read_refusal(client.request, "GET", f"/v0/orgs/{org}/documents/{picture}/file?file_type=pdf")
    assert missing == "API Error (404): File not found"


def test_it_stores_the_same_upload_once_more_and_a_multipart_form(client: DocRouterClient, org: str) -> None:
    form = {"tag_ids": "[]", "metadata": '{"k": "v"}', "name": "scan.pdf"}
    for _ in range(2):
        stored = client.request(
            "POST", f"/v0/orgs/{org}/documents/multipart", files={"file": ("x.pdf", PDF)}, data=form
        )
        assert stored["document"]["metadata"] == {"k": "v"}
    assert client.documents.list(org).total_count == 2


def test_it_sorts_and_filters_as_the_grid_asks(client: DocRouterClient, org: str) -> None:
    for name in ("b", "a", "c"):
        client.tags.create(org, {"name": name})
        client.prompts.create(org, {"name": name, "content": "x"})
        client.schemas.create(org, {"name": name, "response_format": response_format(name)})
        client.documents.upload(org, [{"name": f"{name}.txt", "content": CONTENT}])
    for what, field in (("tags", "name"), ("prompts", "name"), ("schemas", "name"), ("documents", "document_name")):
        ascending = query(client, org, what, sort=[{"field": field, "sort": "asc"}])
        assert [row[field][0] for row in ascending[what]] == ["a", "b", "c"], what
        item = {"field": field, "operator": "isAnyOf", "value": ["a", "b.txt", "b", "a.txt"]}
        assert query(client, org, what, filters={"items": [item]})["total_count"] == 2
        assert query(client, org, what, name_search="C")["total_count"] == 1
        for broken in ("sort", "filters"):
            assert read_refusal(query, client, org, what, **{broken: "{"}) == f"API Error (400): Invalid {broken} JSON"
        assert read_refusal(query, client, org, what, skip=-1).startswith("API Error (422): ")


def test_it_downloads_what_was_read(client: DocRouterClient, org: str, actor: Actor) -> None:
    document = document_with(actor.organization, ["Invoice | 7"], ["Page two"])
    document.readings.get().pages.filter(number=1).update(text="Invoice 7")
    blocks = client.ocr.get_blocks(org, document.pk)
    assert isinstance(blocks, list)
    assert {block["BlockType"] for block in blocks} == {"PAGE", "LINE", "WORD"}
    assert client.ocr.get_text(org, document.pk, page_num=1) == "Invoice 7"
    assert client.ocr.get_text(org, document.pk).startswith("Invoice 7")
    assert client.ocr.get_metadata(org, document.pk)["n_pages"] == 2
    plain, zipped = (
        client.request("GET", f"/v0/orgs/{org}/ocr/download/json/{document.pk}", params={"format": form})
        for form in ("plain", "gzip")
    )
    assert plain == zipped == {"DocumentMetadata": {"Pages": 2}, "Blocks": blocks}
    started = client.request("POST", f"/v0/orgs/{org}/ocr/run/{document.pk}", params={"force": True, "ocr_only": False})
    assert started == {"status": "queued", "document_id": document.pk}
    assert read_refusal(client.ocr.get_text, org, document.pk, page_num=3) == "API Error (404): OCR text not found"
    unread = client.documents.upload(org, [{"name": "a.pdf", "content": CONTENT}])["documents"][0]["document_id"]
    assert read_refusal(client.ocr.get_blocks, org, unread) == "API Error (404): OCR data not found"


def test_it_keeps_tags(client: DocRouterClient, org: str, actor: Actor) -> None:
    tag = client.tags.create(org, {"name": "a", "color": "#FF0000", "description": "First"})
    assert (tag.name, tag.color, tag.description, tag.created_by) == ("a", "#FF0000", "First", actor.user.pk)
    assert tag.created_at.tzinfo is not None
    assert client.tags.list(org, limit=1).tags == [tag]
    changed = client.tags.update(org, tag.id, {"name": "b", "color": None, "description": None})
    assert (changed.id, changed.name, changed.color, changed.description) == (tag.id, "b", "#FF0000", None)
    assert read_refusal(client.tags.create, org, {"name": "b"}) == "API Error (400): Tag with name 'b' already exists"
    stored = client.documents.upload(org, [{"name": "a.pdf", "content": CONTENT, "tag_ids": [tag.id]}])
    assert read_refusal(client.tags.delete, org, tag.id).endswith("because it is assigned to one or more documents")
    client.documents.update(org, stored["documents"][0]["document_id"], tag_ids=[])
    assert client.tags.delete(org, tag.id) == {"message": "Tag deleted successfully"}


def test_it_keeps_versions_of_schemas(client: DocRouterClient, org: str) -> None:
    first = client.schemas.create(org, {"name": "Invoice", "response_format": response_format("a")})
    second = client.schemas.create(org, {"name": "INVOICE", "response_format": response_format("a", "b")})
    assert (second.schema_id, first.schema_version, second.schema_version) == (first.schema_id, 1, 2)
    assert [schema.schema_revid for schema in client.schemas.list(org).schemas] == [second.schema_revid]
    assert client.schemas.get(org, first.schema_revid).response_format.json_schema["name"] == "document"
    renamed = client.schemas.update(org, first.schema_id, {"name": "Bill"})
    assert (renamed.schema_revid, renamed.name) == (second.schema_revid, "Bill")
    same = client.schemas.update(org, first.schema_id, json.loads(second.model_dump_json(include={"response_format"})))
    assert same.schema_revid == second.schema_revid
    assert client.schemas.validate(org, first.schema_revid, {"data": {"a": "x"}}) == {"valid": True}
    assert client.schemas.validate(org, first.schema_revid, {"a": 1})["errors"][0]["path"] == "a"
    prompt = client.prompts.create(org, {"name": "Read", "content": "x", "schema_id": first.schema_id})
    assert prompt.schema_version == 2
    assert '[{"name": "Read", "schema_version": 2}]' in read_refusal(client.schemas.delete, org, first.schema_id)
    client.prompts.delete(org, prompt.prompt_id)
    assert client.schemas.delete(org, first.schema_id) == {"message": "Schema deleted successfully"}
    wrong = read_refusal(client.schemas.create, org, {"name": "x", "response_format": {"type": "json_schema"}})
    assert wrong.startswith("API Error (422): ") and "json_schema" in wrong


def test_it_keeps_versions_of_prompts(client: DocRouterClient, org: str) -> None:
    tag = client.tags.create(org, {"name": "t"})
    config = {"name": "Read", "content": "x", "tag_ids": [tag.id], "model": "gpt-4o-mini"}
    first = client.prompts.create(org, config)
    assert (first.model, first.tag_ids, first.prompt_version) == ("gpt-4o-mini", [tag.id], 1)
    assert client.prompts.update(org, first.prompt_id, config) == first
    second = client.prompts.update(org, first.prompt_id, {**config, "content": "y"})
    assert (second.prompt_id, second.prompt_version) == (first.prompt_id, 2)
    assert client.prompts.get(org, first.prompt_revid).content == "x"
    assert client.prompts.create(org, config).prompt_version == 3
    stored = client.documents.upload(org, [{"name": "a.pdf", "content": CONTENT, "tag_ids": [tag.id]}])["documents"][0]
    client.prompts.create(org, {"name": "Other", "content": "x"})
    for wishes in ({"tag_ids": [tag.id]}, {"document_id": stored["document_id"]}):
        assert [prompt.name for prompt in client.prompts.list(org, **wishes).prompts] == ["Read"]
    assert client.prompts.list(org, limit=1, skip=1).total_count == 2
    assert "one or more documents" in read_refusal(client.tags.delete, org, tag.id)
    assert client.prompts.delete(org, first.prompt_id) == {"message": "Prompt deleted successfully"}
    assert read_refusal(client.prompts.get, org, first.prompt_revid) == "API Error (404): Prompt not found"


def test_it_finds_nothing_by_wrong_ids(client: DocRouterClient, org: str) -> None:
    calls = {
        "Document": (
            client.documents.get,
            client.documents.delete,
            client.ocr.get_blocks,
            client.ocr.get_text,
            client.ocr.get_metadata,
            lambda *at: client.documents.update(*at, document_name="x"),
        ),
        "Tag": (client.tags.delete, lambda *at: client.tags.update(*at, {"name": "x"})),
        "Schema": (
            client.schemas.get,
            client.schemas.delete,
            lambda *at: client.schemas.update(*at, {"name": "x"}),
            lambda *at: client.schemas.validate(*at, {"data": {}}),
        ),
        "Prompt": (
            client.prompts.get,
            client.prompts.delete,
            lambda *at: client.prompts.update(*at, {"name": "x", "content": "y"}),
        ),
    }
    for noun, methods in calls.items():
        for method in methods:
            for wrong in (UNKNOWN, "nonsense"):
                assert read_refusal(method, org, wrong) == f"API Error (404): {noun} not found"


def test_it_opens_ones_own_organization_only(
    client: DocRouterClient, connect: MakeClient, org: str, actor: Actor, stranger: Actor
) -> None:
    theirs = stranger.organization.pk
    foreign = document_with(stranger.organization, ["secret"])
    wrong_scope = "API Error (401): Invalid authentication credentials: invalid token"
    assert read_refusal(client.documents.list, theirs) == wrong_scope
    account = connect(tokens.create(actor.user, name="Account")[1])
    assert account.documents.list(org).total_count == 0
    assert read_refusal(account.documents.list, theirs) == "API Error (403): You are not a member of this organization"
    for caller in (client, account):
        for method in (caller.documents.get, caller.ocr.get_text, caller.ocr.get_blocks):
            assert read_refusal(method, org, foreign.pk) == "API Error (404): Document not found"
    assert read_refusal(connect("").tags.list, org) == "API Error (401): No authentication credentials provided"
    assert read_refusal(connect("org_wrong").tags.list, org) == wrong_scope
    assert Document.objects.count() == 1


def test_it_refuses_a_token_whose_time_is_over(client: DocRouterClient, org: str) -> None:
    assert client.tags.list(org).total_count == 0
    AccessToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert read_refusal(client.tags.list, org) == "API Error (401): API token expired"
