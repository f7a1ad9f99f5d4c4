"""Bodies that must not be taken, against the real web process and over plain sockets."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client

from accounts.actor import Actor
from accounts.models import Role, User
from accounts.services import tokens
from documents.models import Document
from tests.web.body_sizes import HUGE, KB, MB
from tests.web_process import (
    WebProcess,
    answer_of,
    head,
    send_until_refused,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bearer(actor: Actor) -> str:
    return f"Bearer {tokens.create(actor.user, name='x', organization=actor.organization)[1]}"


def upload_path(actor: Actor) -> str:
    return f"/v0/orgs/{actor.organization.pk}/documents"


def test_it_refuses_by_length_before_anything_is_sent(web: WebProcess) -> None:
    for path in ("/nothing", "/sign-in", "/health", "/v0/nothing", "/v0/account/access_tokens"):
        with web.connection() as client:
            client.sendall(head("POST", path, Content_Length=HUGE))
            answer = answer_of(client)
            assert (answer.status, answer.headers["Connection"]) == (413, "close")
            assert "larger than the 256 kB that are taken here" in answer.read().decode()


def test_it_says_so_as_json_to_the_api_and_as_a_page_to_people(web: WebProcess) -> None:
    answers = {}
    for path in ("/v0/nothing", "/nothing"):
        with web.connection() as client:
            client.sendall(head("POST", path, Content_Length=HUGE))
            answer = answer_of(client)
            answers[path] = (answer.headers["Content-Type"], answer.read().decode())
    sentence = "The request is larger than the 256 kB that are taken here."
    assert answers["/v0/nothing"] == ("application/json", json.dumps({"detail": sentence}))
    kind, page = answers["/nothing"]
    assert kind.startswith("text/html") and sentence in page and 'role="alert"' in page


def test_a_huge_body_reaches_neither_memory_nor_disk(web: WebProcess) -> None:
    before = web.memory_kb()
    with web.connection() as client:
        client.sendall(head("POST", "/nothing", Content_Length=HUGE))
        sent = send_until_refused(client, b"x" * MB, 60 * MB)
        assert sent
        assert web.disk_kb() < MB // KB
        assert web.health()[0] == 200
    assert web.memory_kb() - before < 20 * KB


def test_of_a_refused_body_a_megabyte_is_thrown_away_and_the_answer_can_be_read(web: WebProcess) -> None:
    """What the two ends of a connection hold themselves comes on top."""
    with web.connection() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 * KB)
        client.sendall(head("POST", "/nothing", Content_Length=HUGE))
        client.settimeout(2)
        assert send_until_refused(client, b"x" * 16 * KB, 100 * MB) < 12 * MB
        answer = answer_of(client)
        assert answer.status == 413 and "larger than the 256 kB" in answer.read().decode()


def test_an_endless_body_in_chunks_ends_at_the_limit(web: WebProcess) -> None:
    before = web.memory_kb()
    with web.connection() as client:
        client.sendall(head("POST", "/v0/nothing", Transfer_Encoding="chunked"))
        client.sendall(b"40000\r\n" + b"x" * 256 * KB + b"\r\n")
        assert web.health()[0] == 200
        client.sendall(b"1\r\nx\r\n")
        answer = answer_of(client)
        assert (answer.status, answer.headers["Connection"]) == (413, "close")
        assert send_until_refused(client, b"100000\r\n" + b"x" * MB + b"\r\n", 60 * MB)
        assert web.disk_kb() < MB // KB
    assert web.memory_kb() - before < 20 * KB


def test_a_small_body_in_chunks_is_taken(web: WebProcess, bearer: str) -> None:
    with web.connection() as client:
        known = {"Transfer_Encoding": "chunked", "Content_Type": "application/json", "Authorization": bearer}
        client.sendall(head("POST", "/v0/account/organizations", **known) + b"2\r\n{}\r\n0\r\n\r\n")
        assert answer_of(client).status == 401  # an organization's token, for the account: the view has answered


@pytest.mark.parametrize("length", ["", "-1", "1x", "1, 2", "0x10", "+5"])
def test_a_length_that_is_none_is_refused(web: WebProcess, length: str) -> None:
    with web.connection() as client:
        client.sendall(head("POST", "/nothing", Content_Length=length))
        assert answer_of(client).status == 400


def test_two_lengths_are_refused(web: WebProcess) -> None:
    with web.connection() as client:
        client.sendall(head("POST", "/nothing", Content_Length="5", Transfer_Encoding="chunked"))
        assert answer_of(client).status == 400


@pytest.mark.parametrize(
    "how", [{"Content_Length": str(40 * MB)}, {"Transfer_Encoding": "chunked"}, {"Content_Length": HUGE}]
)
def test_a_stranger_sends_no_file(web: WebProcess, actor: Actor, how: dict[str, str]) -> None:
    organization = actor.organization.pk
    for path in (f"/v0/orgs/{organization}/documents", f"/v0/orgs/{organization}/documents/multipart"):
        with web.connection() as client:
            client.sendall(head("POST", path, **how))
            answer = answer_of(client)
            assert (answer.status, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
            assert json.loads(answer.read()) == {"detail": "No authentication credentials provided"}
    with web.connection() as client:
        client.sendall(head("POST", f"/orgs/{organization}/documents/upload", **how))
        answer = answer_of(client)
        assert (answer.status, answer.headers["Content-Type"]) == (401, "text/html; charset=utf-8")


@pytest.mark.parametrize("more", [{}, {"Content_Length": str(26 * MB)}], ids=["chunked", "announced"])
@pytest.mark.parametrize("is_member", [True, False])
def test_a_limited_token_of_a_system_admin_sends_no_file(
    web: WebProcess, actor: Actor, stranger: Actor, is_member: bool, more: dict[str, str]
) -> None:
    user = (actor if is_member else stranger).user
    User.objects.filter(pk=user.pk).update(is_superuser=True)
    secret = tokens.create(user, name="x", role_ceiling=Role.VIEWER)[1]
    known = {"Authorization": f"Bearer {secret}", **(more or {"Transfer_Encoding": "chunked"})}
    for path in (upload_path(actor), f"{upload_path(actor)}/multipart"):
        with web.connection() as client:
            client.sendall(head("POST", path, **known))
            answer = answer_of(client)
            assert (answer.status, answer.headers["Connection"]) == (403, "close")


def test_nobody_is_told_to_go_on_who_will_be_refused(web: WebProcess, actor: Actor, bearer: str) -> None:
    """curl waits for 100 before it sends a megabyte."""
    expecting = {"Content_Length": str(2 * MB), "Expect": "100-continue"}
    for path in ("/nothing", upload_path(actor)):
        with web.connection() as client:
            client.sendall(head("POST", path, **expecting))
            assert answer_of(client).status in (401, 413)
    with web.connection() as client:
        client.sendall(head("POST", upload_path(actor), **expecting, Authorization=bearer))
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"


def test_members_send_files_as_large_as_the_limit_and_no_larger(web: WebProcess, actor: Actor, bearer: str) -> None:
    start = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    body = start + b"word " * (MB // 2) + b"\r\n--b--\r\n"
    known = {"Content_Type": "multipart/form-data; boundary=b", "Authorization": bearer}
    path = upload_path(actor) + "/multipart"
    with web.connection() as client:
        client.sendall(head("POST", path, Content_Length=str(len(body)), **known) + body)
        assert answer_of(client).status == 200
    assert Document.objects.get().size == len(b"word " * (MB // 2))
    with web.connection() as client:
        client.sendall(head("POST", path, Content_Length=str((settings.MAX_UPLOAD_MB + 2) * MB), **known))
        answer = answer_of(client)
        assert (answer.status, answer.headers["Connection"]) == (413, "close")
        assert f"larger than the {settings.MAX_UPLOAD_MB + 1} MB" in answer.read().decode()


def test_a_file_in_chunks_that_is_whole_before_its_sender_is_known_is_taken(
    web: WebProcess, actor: Actor, bearer: str
) -> None:
    body = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nword\r\n--b--\r\n'
    known = {"Content_Type": "multipart/form-data; boundary=b", "Authorization": bearer, "Transfer_Encoding": "chunked"}
    with web.connection() as client:
        chunks = f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"
        client.sendall(head("POST", upload_path(actor) + "/multipart", **known) + chunks)
        assert answer_of(client).status == 200
    assert Document.objects.get().size == len(b"word")


def test_a_file_as_large_as_the_limit_fits_as_base64(web: WebProcess, actor: Actor, bearer: str) -> None:
    needed = settings.MAX_UPLOAD_MB * MB * 4 // 3 + 1000
    with web.connection() as client:
        client.sendall(
            head("POST", upload_path(actor), Content_Length=str(needed), Authorization=bearer, Expect="100-continue")
        )
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
    with web.connection() as client:
        client.sendall(head("POST", upload_path(actor), Content_Length=str(needed + MB), Authorization=bearer))
        assert "ends in /multipart" in answer_of(client).read().decode()


def test_a_browsers_session_sends_files_and_a_viewers_does_not(
    web: WebProcess, actor: Actor, member: Callable[[Role], Actor]
) -> None:
    path = f"/orgs/{actor.organization.pk}/documents/upload"
    statuses = {}
    for role, person in {"admin": actor, "viewer": member(Role.VIEWER)}.items():
        browser = Client()
        browser.force_login(person.user)
        cookie = f"{settings.SESSION_COOKIE_NAME}={browser.cookies[settings.SESSION_COOKIE_NAME].value}"
        with web.connection() as client:
            client.sendall(head("POST", path, Content_Length=str(2 * MB), Cookie=cookie, Expect="100-continue"))
            statuses[role] = client.recv(12)
    assert statuses == {"admin": b"HTTP/1.1 100", "viewer": b"HTTP/1.1 403"}


def test_text_of_some_megabytes_is_taken_from_members_only(web: WebProcess, actor: Actor, bearer: str) -> None:
    path = f"/v0/orgs/{actor.organization.pk}/schemas"
    body = json.dumps({"name": "x" * 2 * MB, "response_format": {}}).encode()
    for more, status in (({}, (401, "Unauthorized")), ({"Authorization": bearer}, (422, "Unprocessable Entity"))):
        with web.connection() as client:
            known = {"Content_Length": str(len(body)), "Content_Type": "application/json", **more}
            client.sendall(head("POST", path, **known))
            send_until_refused(client, body, 1)
            answer = answer_of(client)
            assert (answer.status, answer.reason) == status
