"""A document that a program or the agent brings in: by a card, once, within the bounds of uploads."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest
from django.core.files.base import ContentFile

from accounts.access import enter
from accounts.actor import Actor
from accounts.models import OutboundRequest, Role
from accounts.services import tokens
from agent.calls import execution
from agent.calls.redaction import redact_calls
from agent.mcp import requests
from agent.mcp.requests import Caller
from agent.models import Rule, ToolCall
from agent.policy.offered_tools import list_usable
from documents.intake import uploads
from documents.models import Document, Tag
from kit.errors import Invalid
from tests.agent.decision_rows import say
from tests.agent.tool_rows import undo
from tests.documents.mails import make_archive
from tests.loopback_server import LoopbackServer, QuietHandler

pytestmark = pytest.mark.django_db
TEXT = "Invoice 17. Total 5."


class FileHandler(QuietHandler):
    status: ClassVar[int] = 200

    def do_GET(self) -> None:
        body = TEXT.encode()
        self.send_response(404 if "gone" in self.path else 200)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def address(settings: Any) -> Iterator[str]:
    server = LoopbackServer(FileHandler)
    server.start()
    port = server.server_address[1]
    settings.OUTBOUND_PRIVATE_HOSTS = (f"localhost:{port}",)
    yield f"http://localhost:{port}"
    server.stop()


@pytest.fixture
def add(actor: Actor) -> Callable[..., ToolCall]:
    """As an MCP client asks for it."""
    token, _ = tokens.create(actor.user, name="Desk", organization=actor.organization)
    caller = Caller(enter(actor.user, actor.organization.pk, token=token), "Desk")

    def ask(**arguments: Any) -> ToolCall:
        return requests.begin(caller, "add_document", arguments).calls.get()

    return ask


def run(actor: Actor, call: ToolCall) -> ToolCall:
    if call.status == "pending":
        say(actor, call)
    execution.execute(call.pk, holder="test")
    call.refresh_from_db()
    return call


Add = Callable[..., ToolCall]


def test_a_text_waits_on_a_card_and_becomes_a_document_once(add: Add, actor: Actor) -> None:
    tag = Tag.objects.create(organization=actor.organization, name="Paid")
    call = add(name="Letter", text=TEXT, tag_ids=["Paid"])
    assert (call.status, call.access, call.effective["name"]) == ("pending", "write", "Letter.txt")
    assert (call.preview["title"], call.preview["text"]) == ("Add Letter.txt", TEXT)
    assert not Document.objects.exists()
    assert run(actor, call).status == "succeeded", call.result
    run(actor, call)
    document = Document.objects.get()
    assert call.result == {"document_id": document.pk, "document_name": "Letter.txt"}
    assert document.file.read().decode() == TEXT and list(document.tags.all()) == [tag]
    assert (document.uploaded_by, document.readings.count()) == (actor.user, 1)
    undo(call)
    assert Document.objects.in_trash().get() == document


def test_no_upload_takes_the_place_of_a_call_s(add: Add, actor: Actor) -> None:
    call = add(name="Letter.txt", text=TEXT)
    uploads.store(actor, name="b.txt", content=ContentFile(b"b", name="b.txt"), key=f"call {call.pk}")
    assert run(actor, call).status == "succeeded", call.result
    document = Document.objects.get(pk=call.result["document_id"])
    assert document.upload_key and not document.upload_key.isprintable() and call.pk in document.upload_key


def test_bytes_become_a_file_and_the_same_ones_are_pointed_out(add: Add, actor: Actor) -> None:
    content = base64.b64encode(TEXT.encode()).decode()
    first = run(actor, add(name="a.txt", content=content))
    again = add(name="b.txt", content=content)
    assert again.preview["warnings"] == ["The same file is here already: a.txt."]
    assert run(actor, again).result["same_file_as"]["document_id"] == first.result["document_id"]


def test_an_address_always_asks_and_is_fetched_through_the_guard(add: Add, actor: Actor, address: str) -> None:
    for tool in ("add_document", "*"):
        about = {"organization": actor.organization, "created_by": actor.user, "scope": "mcp", "verdict": "allow"}
        Rule.objects.create(tool=tool, **about)
    assert add(name="c.txt", text=TEXT).status == "approved"
    call = add(url=f"{address}/files/Letter%2017")
    assert (call.status, call.access) == ("pending", "external") and not OutboundRequest.objects.exists()
    assert call.preview["rows"][1] == {"name": "Address", "value": f"{address}/files/Letter%2017"}
    assert run(actor, call).result["document_name"] == "Letter 17.txt"
    assert OutboundRequest.objects.get().organization == actor.organization
    gone = run(actor, add(url=f"{address}/gone.txt"))
    assert gone.status == "failed" and "answers 404" in gone.result["error"]
    refused = run(actor, add(url="http://127.0.0.1/x.txt"))
    assert refused.status == "failed" and "not on the public internet" in refused.result["error"]
    assert Document.objects.count() == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "Give one of text, content or url"),
        ({"text": "a", "url": "http://example.org/"}, "Give one of text, content or url"),
        ({"url": "file:///etc/passwd"}, "begin with https:// or http://"),
        ({"url": "http://user:secret@example.org/"}, "may not name a user"),
        ({"url": "http://example.org:22/"}, "Port 22"),
        ({"text": "a"}, "Give the document a name"),
        ({"name": "a.pdf", "content": "%%%"}, "no base64"),
        ({"name": "a.exe", "content": "TVo="}, "Upload a PDF"),
        ({"name": "a.txt", "content": base64.b64encode(b"x" * 2_000_000).decode()}, "characters"),
        ({"name": "a.txt", "text": "a", "tag_ids": ["nope"]}, "nope"),
    ],
)
def test_what_would_be_refused_makes_no_card(add: Add, arguments: dict[str, Any], sentence: str) -> None:
    try:
        call = add(**arguments)
    except Invalid as error:
        assert sentence in error.sentence
    else:
        assert call.status == "invalid" and sentence in str(call.result)


def test_a_file_larger_than_uploads_may_be_is_not_taken(add: Add, settings: Any) -> None:
    settings.MAX_UPLOAD_MB = 0
    assert "the most that is taken here" in add(name="a.txt", text=TEXT).result["error"]


def test_viewers_are_not_offered_it_and_may_not(actor: Actor) -> None:
    token, _ = tokens.create(actor.user, name="V", organization=actor.organization, role_ceiling=Role.VIEWER)
    caller = Caller(enter(actor.user, actor.organization.pk, token=token), "Desk")
    assert "add_document" not in [tool.name for tool in list_usable(requests.imagine_turn(caller))]
    assert requests.begin(caller, "add_document", {"name": "a.txt", "text": "a"}).calls.get().status == "denied"


def test_its_words_go_with_the_document(add: Add, actor: Actor) -> None:
    call = run(actor, add(name="Letter.txt", text=TEXT))
    assert redact_calls(Document.objects.get())
    call.refresh_from_db()
    left = str([call.proposed_text, call.proposed, call.effective, call.decided, call.preview, call.result])
    assert "Total" not in left and "Letter" not in left


def test_a_large_archive_asks_on_its_card_whatever_rule_allows_the_tool(add: Add, actor: Actor) -> None:
    about = {"organization": actor.organization, "created_by": actor.user, "scope": "mcp", "verdict": "allow"}
    Rule.objects.create(tool="add_document", **about)
    content = base64.b64encode(make_archive(*((f"{at}.txt", b"Total %d" % at) for at in range(34)))).decode()
    refused = add(name="a.zip", content=content)
    assert refused.status == "invalid" and "a.zip holds 34 files, and each becomes a document" in str(refused.result)
    call = add(name="a.zip", content=content, unpack_many=True)
    assert (call.status, add(name="a.txt", text=TEXT).status) == ("pending", "approved")
    assert call.preview["effect"] == "Adds one document and 34 documents out of it, which are read like uploads."
    say(actor, call)
    execution.execute(call.pk, holder="test")
    assert ToolCall.objects.get(pk=call.pk).status == "succeeded" and Document.objects.get().name == "a.zip"
