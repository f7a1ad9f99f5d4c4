"""What hostile bodies cost, and who sends slowly."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from accounts.actor import Actor
from accounts.models import Role
from accounts.services import tokens
from kit.http.bodies import Body, kind_taken_by
from tests.api.test_access import ROUTES
from tests.open_files import list_open_files
from tests.web.body_sizes import HUGE, MB
from tests.web_process import (
    WebProcess,
    answer_of,
    head,
)

pytestmark = pytest.mark.django_db(transaction=True)


def test_nested_json_of_megabytes_costs_nothing(web: WebProcess, actor: Actor, member: Callable[[Role], Actor]) -> None:
    """Five megabytes of a viewer's took the process for 16 s, and /health waited for 10."""
    viewer = member(Role.VIEWER)
    secret = tokens.create(viewer.user, name="x", organization=actor.organization)[1]
    organization = f"/v0/orgs/{actor.organization.pk}"
    body = b'{"name":"x","lifetime":1,"z":[' + b"[]," * (MB * 4 // 3) + b"1]}"
    known = {"Content_Type": "application/json", "Authorization": f"Bearer {secret}"}
    before = _cpu_seconds(web)
    with web.connection() as client:
        client.sendall(head("POST", f"{organization}/access_tokens", Content_Length=str(5 * MB), **known))
        assert answer_of(client).status == 413
    with web.connection() as client:
        path = f"{organization}/schemas/{'0' * 24}/validate"
        client.sendall(head("POST", path, Content_Length=str(len(body)), **known))
        client.sendall(body)
        assert answer_of(client).status in (404, 413, 422)
    assert _cpu_seconds(web) - before < 1
    assert web.health()[0] == 200


def test_who_sends_slowly_holds_nobody_up_and_pipelined_requests_are_still_answered(web: WebProcess) -> None:
    with web.connection() as slow, web.connection() as client:
        slow.sendall(head("POST", "/nothing", Content_Length="1000") + b"x")
        client.sendall(head("GET", "/health") + head("GET", "/health", Connection="close"))
        received = b""
        while piece := client.recv(4096):
            received += piece
        assert received.count(b"HTTP/1.1 200 OK") == 2


def test_many_refusals_at_once_leave_nothing_open(web: WebProcess) -> None:
    def refuse() -> None:
        with web.connection() as client:
            client.sendall(head("POST", "/nothing", Content_Length=HUGE))
            assert answer_of(client).status == 413

    before = _open_sockets(web)
    threads = [threading.Thread(target=refuse) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    _wait_for_sockets(web, before)


def _wait_for_sockets(web: WebProcess, maximum: int) -> None:
    deadline = time.monotonic() + 120
    while _open_sockets(web) > maximum and time.monotonic() < deadline:
        time.sleep(0.1)
    assert _open_sockets(web) <= maximum


def _cpu_seconds(web: WebProcess) -> float:
    fields = Path(f"/proc/{web.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def _open_sockets(web: WebProcess) -> int:
    return sum(1 for name in list_open_files(web.process.pid) if name.startswith("socket:"))


def test_these_views_alone_take_more_than_a_form() -> None:
    """What is added here is added knowingly: each one is asked who sends it before its body is read."""
    larger = {
        name: kind for name, route in ROUTES.items() if (kind := kind_taken_by(route.pattern.callback)) is not Body.FORM
    }
    assert {name for name, kind in larger.items() if kind is not Body.TEXT} == {
        "document-upload",
        "v0-documents",
        "v0-document-multipart",
    }
    assert {name for name, kind in larger.items() if kind is Body.TEXT} == {
        "schema-new",
        "schema-edit",
        "schema-check",
        "prompt-new",
        "prompt-edit",
        "prompt-try",
        "field-edit",
        "call-edit",
        "call-preview",
        "call-approve-edited",
        "thread-begin",
        "agent-begin",
        "thread-say",
        "wish-add",
        "wish-change",
        "thread-steps",
        "v0-schemas",
        "v0-schema",
        "v0-schema-validate",
        "v0-prompts",
        "v0-prompt",
        "v0-llm-result",
        "v0-fields",
        "v0-field-verify",
        "v0-field-unverify",
        "v0-value-checks-try",
        "v0-llm-chat",
        "v0-account-llm-chat",
        "v0-account-llm-embedding",
        "v0-chat",
        "v0-chat-approve",
        "v0-agent-chat",
        "v0-agent-approve",
        "v0-call-decision",
    }
