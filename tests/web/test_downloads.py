"""Large files to clients that take them slowly, of the real web process."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from accounts.actor import Actor
from accounts.services import tokens
from documents.models import Document
from tests.api.test_documents import store
from tests.open_files import list_open_files
from tests.web_process import WebProcess, answer_of, head

pytestmark = pytest.mark.django_db(transaction=True)
KB, MB = 1024, 1024 * 1024
SIZE = 40 * MB


@pytest.fixture
def document(actor: Actor) -> Document:
    document = store(actor, "large.txt", b"x")
    with open(document.file.path, "r+b") as file:
        file.truncate(SIZE)
    return document


@pytest.fixture
def question(actor: Actor, document: Document) -> bytes:
    bearer = f"Bearer {tokens.create(actor.user, name='x', organization=actor.organization)[1]}"
    path = f"/v0/orgs/{actor.organization.pk}/documents/{document.pk}/file?file_type=original"
    return head("GET", path, Authorization=bearer)


# What reads the blocks of all answers: asyncio's own threads, as many as its default.
SHARED_THREADS = min(32, (os.cpu_count() or 1) + 4)


def test_downloads_that_nobody_takes_stay_on_disk_and_hold_no_thread(
    web: WebProcess, question: bytes, document: Document
) -> None:
    with ExitStack() as clients:
        before, threads = web.memory_kb(), threads_of(web)
        for _ in range(SHARED_THREADS + 6):
            client = clients.enter_context(web.connection())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * KB)
            client.sendall(question)
            answer = answer_of(client)
            assert (answer.status, answer.headers["Content-Length"]) == (200, str(SIZE))
            assert len(answer.read(MB)) == MB
        assert web.health()[0] == 200
        wait_until(lambda: threads_of(web) - threads <= SHARED_THREADS + 1)
        taken = MB
        while block := answer.read(4 * MB):
            taken += len(block)
        assert taken == SIZE
        assert web.memory_kb() - before < SIZE // KB
    wait_until(lambda: document.file.path not in list_open_files(web.process.pid))


def wait_until(is_so: Callable[[], bool]) -> None:
    """What has ended takes a moment to be gone; what has not stays, and fails the test."""
    deadline = time.monotonic() + 120
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert is_so()


def threads_of(web: WebProcess) -> int:
    return len(list(Path(f"/proc/{web.process.pid}/task").iterdir()))
