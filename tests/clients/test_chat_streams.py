"""The agent over /v0 against a running product: the published Python client, and many streams at once."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docrouter_sdk import DocRouterClient

from tests import scripts
from tests.open_files import list_open_files
from tests.product import Product
from tests.scripted_model import ScriptedModel, calls, says

pytestmark = pytest.mark.clients
STREAMS = 50
PATIENCE, START_SECONDS = 120, 400
RENAME = calls(("update_document", {"document_name": "renamed.txt"}), text="May I rename it?")
ROWS = f"""{scripts.START}
import json
from django.core.files.base import ContentFile
from accounts.access import enter
from accounts.services import organizations, tokens, users
from documents.intake import uploads
user = users.create(None, email="a@stream.example", password=None, name="Ada")
organization = organizations.create(user, name="Acme", type="team")
actor = enter(user, organization.pk)
document = uploads.store(actor, name="a.txt", content=ContentFile(b"Total 5"))
print(json.dumps([organization.pk, document.pk, tokens.create(user, name="T", organization=organization)[1]]))
"""


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    scripted_model = ScriptedModel()
    scripted_model.start()
    yield scripted_model
    scripted_model.stop()


@pytest.fixture(scope="module")
def product(model: ScriptedModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    named = {"MODEL_API_BASE": model.base_url, "DEFAULT_MODEL": model.model, "EXTRACTION_MODEL": "offline/rules"}
    named["RUN_WAIT_SECONDS"] = str(PATIENCE)
    new_product = Product(tmp_path_factory.mktemp("streams"), named).start(wait=False)
    try:
        new_product.wait_until(new_product.is_ready, "the workers", seconds=START_SECONDS)
        yield new_product
    finally:
        if new_product.process.poll() is None:
            new_product.stop()


class ChatApi:
    """The chat of one document."""

    def __init__(self, product: Product, organization: str, document: str, secret: str) -> None:
        self.product, self.secret, self.document = product, secret, document
        self.org = f"/v0/orgs/{organization}"
        self.chat = f"{self.org}/documents/{document}/chat"
        self.client = DocRouterClient(base_url=product.url, api_token=secret)

    def open(self, path: str, body: Any = None, **headers: str) -> RawStream:
        return RawStream(self.product.port, path, self.secret, body, headers)


class RawStream:
    """A socket that sends one request and reads what comes, as it comes."""

    def __init__(self, port: int, path: str, secret: str, body: Any, headers: dict[str, str]) -> None:
        content = b"" if body is None else json.dumps(body).encode()
        lines = [
            f"{'GET' if body is None else 'POST'} {path} HTTP/1.1",
            "Host: localhost",
            f"Authorization: Bearer {secret}",
            "Accept: text/event-stream",
            "Content-Type: application/json",
            f"Content-Length: {len(content)}",
            *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
        ]
        self.socket = socket.create_connection(("localhost", port), timeout=PATIENCE)
        self.socket.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
        self.got = b""

    def until(self, words: str) -> str:
        while words.encode() not in self.got:
            part = self.socket.recv(65536)
            if not part:
                raise AssertionError(f"{words!r} did not come: {self.got.decode()}")
            self.got += part
        return self.got.decode()

    def events(self) -> list[Any]:
        lines = self.until("\r\n0\r\n").replace("\r", "").split("\n")
        return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]

    @property
    def last_id(self) -> str:
        ids = [line for line in self.got.decode().replace("\r", "").split("\n") if line.startswith("id: ")]
        return ids[-1].removeprefix("id: ")

    def close(self) -> None:
        self.socket.close()


@pytest.fixture(scope="module")
def api(product: Product) -> Iterator[ChatApi]:
    run = product.run("-c", ROWS)
    assert run.returncode == 0, run.stderr
    chat_api = ChatApi(product, *json.loads(run.stdout))
    yield chat_api
    chat_api.client.session.close()


def message(text: str = "Hello", **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}], **more}


def threads_and_databases(pid: int) -> tuple[int, int]:
    folder = Path("/proc") / str(pid)
    databases = sum("docrouter.sqlite3" in name for name in list_open_files(pid))
    return len(list((folder / "task").iterdir())), databases


def test_the_python_client_talks_approves_and_reads_the_thread(api: ChatApi, model: ScriptedModel) -> None:
    model.will(RENAME, says("Renamed."))
    paused = api.client.request("POST", api.chat, json=message())
    (call,) = paused["tool_calls"]
    assert (paused["text"], call["name"]) == ("May I rename it?", "update_document")
    approvals = {"turn_id": paused["turn_id"], "approvals": [{"call_id": call["id"], "approved": True}]}
    done = api.client.request("POST", f"{api.chat}/approve", json=approvals)
    assert (done["text"], "turn_id" in done) == ("Renamed.", False)
    assert api.client.documents.get(api.org.split("/")[-1], api.document).document_name == "renamed.txt"
    thread = api.client.request("GET", f"{api.chat}/threads/{done['thread_id']}")
    assert [each["role"] for each in thread["messages"]] == ["user", "assistant", "assistant"]
    with pytest.raises(Exception, match=r"API Error \(400\): auto_approve requires stream: true"):
        api.client.request("POST", api.chat, json=message(auto_approve=True))


def test_it_streams_word_by_word_and_resumes_in_the_middle(api: ChatApi, model: ScriptedModel) -> None:
    words = [f"{letter}-word " for letter in "abcdefghijklmnopqrst"]
    model.will(says(*words).slowly(0.1))
    first = api.open(api.chat, message(stream=True))
    head = first.until("b-word ")
    assert "t-word" not in head and "X-Accel-Buffering: no" in head
    first.close()
    turn_id = first.last_id.partition(":")[0]
    before = "".join(event["chunk"] for event in read(first))
    rest = api.open(f"{api.chat}/turns/{turn_id}", Last_Event_ID=first.last_id).events()
    assert before + "".join(event.get("chunk", "") for event in rest) == "".join(words)
    assert rest[-1]["type"] == "done" and rest[-1]["result"]["text"] == "".join(words)


def read(stream: RawStream) -> list[Any]:
    """The whole events that came before it was closed."""
    whole = stream.got.decode().replace("\r", "").rpartition("\n\n")[0].split("\n")
    return [json.loads(line.removeprefix("data: ")) for line in whole if line.startswith("data: ")]


def test_fifty_open_streams_hold_neither_threads_nor_database_connections(api: ChatApi, model: ScriptedModel) -> None:
    model.will(says("Begun. ").with_hang())
    turn_id = api.client.request("POST", f"{api.chat}?wait=0", json=message())["turn_id"]
    api.open(f"{api.chat}/turns/{turn_id}").until("Begun. ")
    web = api.product.pid_of("manage.py web")
    threads_before, _ = threads_and_databases(web)
    streams = [api.open(f"{api.chat}/turns/{turn_id}") for _ in range(STREAMS)]
    for stream in streams:
        stream.until("Begun. ")
    threads, databases = threads_and_databases(web)
    print(f"{STREAMS} streams: {threads_before} threads before, {threads} now, {databases} database files open")
    assert threads - threads_before < 12 and databases < 12
    assert api.product.get("/health") == 200
    for stream in streams[::2]:
        stream.close()
    api.client.request("POST", f"{api.org}/turns/{turn_id}/cancel")
    for stream in streams[1::2]:
        *_, text, done = stream.events()
        assert (text["full_text"], done["result"]["turn"]["status"]) == ("Begun. ", "cancelled")
        stream.close()


def test_fifty_chats_begun_at_once_are_all_answered(api: ChatApi, model: ScriptedModel) -> None:
    model.will(*(says(f"Answer {number}.") for number in range(STREAMS)))
    streams = [api.open(api.chat, message(f"Question {number}", stream=True)) for number in range(STREAMS)]
    results = [stream.events()[-1] for stream in streams]
    assert {event["type"] for event in results} == {"done"}
    assert {event["result"]["text"] for event in results} == {f"Answer {number}." for number in range(STREAMS)}


def test_a_stream_goes_on_in_another_process_when_the_web_process_was_killed(
    api: ChatApi, model: ScriptedModel
) -> None:
    words = [f"{letter}-word " for letter in "abcdefghijklmnopqrst"]
    model.will(says(*words).slowly(0.2))
    first = api.open(api.chat, message(stream=True))
    first.until("b-word ")
    killed = api.product.kill("manage.py web")
    api.product.wait_until(lambda: api.product.pid_of("manage.py web") not in (0, killed), "another process")
    api.product.wait_until(api.product.answers, "the web process", seconds=START_SECONDS)
    turn_id = first.last_id.partition(":")[0]
    rest = api.open(f"{api.chat}/turns/{turn_id}", Last_Event_ID=first.last_id).events()
    assert "".join(event.get("chunk", "") for event in [*read(first), *rest]) == "".join(words)
    assert rest[-1]["type"] == "done"
