"""`/health` and `/ready` through the real ASGI door, before Django."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator

from accounts.actor import Actor
from accounts.services import tokens
from docrouter import asgi
from docrouter.health import KEPT_SECONDS, Readiness, with_probes
from worker.services.readiness import State

Headers = dict[str, str]
AWAY = "Nothing was heard of it."
STRANGER, LOOPBACK = "203.0.113.9", "127.0.0.1"


@dataclass
class Looks:
    """What the next look comes to. Without `may_end` none ends."""

    now: float = 100.0
    failure: str = ""

    def __post_init__(self) -> None:
        self.may_end = threading.Event()
        self.may_end.set()
        self.begun = 0

    def look(self) -> State:
        self.begun += 1
        self.may_end.wait(60)
        return State({"database": "", "agent": self.failure}, self.now)


@pytest.fixture
def looks() -> Iterator[Looks]:
    looks = Looks()
    yield looks
    looks.may_end.set()


@pytest.fixture
def ask(looks: Looks) -> Callable[..., tuple[int, dict[str, Any], Headers]]:
    readiness = Readiness(looks.look, lambda: looks.now, patience_seconds=0.05)
    application = with_probes(asgi.application, readiness)

    def ask(path: str, **kwargs: Any) -> tuple[int, dict[str, Any], Headers]:
        return async_to_sync(request)(application, path, **kwargs)

    return ask


async def request(
    application: Any, path: str, *, sender: str = STRANGER, method: str = "GET", **headers: str
) -> tuple[int, dict[str, Any], Headers]:
    fields = {"host": "10.1.2.3:8000"} | {name.replace("_", "-"): value for name, value in headers.items()}
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in fields.items()],
        "client": (sender, 5),
    }
    door = ApplicationCommunicator(application, scope)
    await door.send_input({"type": "http.request", "body": b""})
    start, body = await door.receive_output(30), await door.receive_output(30)
    await door.wait(120)
    names = {name.decode().lower(): value.decode() for name, value in start["headers"]}
    is_json = names["content-type"] == "application/json"
    return start["status"], json.loads(body["body"] or b"{}") if is_json else {}, names


def test_it_lives_for_any_host() -> None:
    """A probe of a container names its address, which nobody has told us."""
    status, body, headers = async_to_sync(request)(asgi.application, "/health", x_request_id="probe-1")
    assert (status, body, headers["x-request-id"]) == (200, {"status": "ok"}, "probe-1")
    assert headers["cache-control"] == "private, no-store"


def test_only_these_two_answer_any_host() -> None:
    assert async_to_sync(request)(asgi.application, "/v0/nothing")[0] == 400


@pytest.mark.parametrize("path", ["/health", "/ready"])
def test_they_only_answer(ask: Any, path: str) -> None:
    assert ask(path, method="POST")[0] == 405
    assert ask(path, method="HEAD")[:2] == (200, {})


def test_strangers_learn_whether_and_this_machine_what(ask: Any, looks: Looks) -> None:
    looks.failure = AWAY
    assert ask("/ready")[:2] == (503, {"status": "unavailable"})
    parts = {"database": "ok", "agent": AWAY}
    assert ask("/ready", sender=LOOPBACK)[:2] == (503, {"status": "unavailable", "parts": parts})
    for name in ("x_forwarded_for", "forwarded", "x_real_ip"):  # by a proxy on this machine
        assert ask("/ready", sender=LOOPBACK, **{name: STRANGER})[:2] == (503, {"status": "unavailable"})


@pytest.mark.django_db(transaction=True)
def test_the_token_of_a_system_admin_learns_what(ask: Any, actor: Actor) -> None:
    actor.user.is_superuser = True
    actor.user.save()
    own = tokens.create(actor.user, name="own")[1]
    assert "parts" in ask("/ready", authorization=f"Bearer {own}")[1]
    for limits in ({"upload_only": True}, {"role_ceiling": "viewer"}):
        limited = tokens.create(actor.user, name="limited", **limits)[1]
        assert "parts" not in ask("/ready", authorization=f"Bearer {limited}")[1]
    of_organization = tokens.create(actor.user, name="org", organization=actor.organization)[1]
    for secret in (of_organization, "nobody's"):
        assert ask("/ready", authorization=f"Bearer {secret}")[:2] == (200, {"status": "ok"})
    actor.user.is_superuser = False
    actor.user.save()
    assert ask("/ready", authorization=f"Bearer {own}")[:2] == (200, {"status": "ok"})


def test_one_look_serves_all_who_ask_within_a_second(ask: Any, looks: Looks) -> None:
    assert [ask("/ready")[0] for _ in range(5)] == [200] * 5 and looks.begun == 1
    looks.now, looks.failure = looks.now + 1, AWAY
    assert ask("/ready")[0] == 503 and looks.begun == 2


def test_a_look_that_does_not_end_is_not_waited_for(ask: Any, looks: Looks) -> None:
    """The last answer is given for a while; after that it says nothing any more."""
    assert ask("/ready")[0] == 200
    looks.may_end.clear()
    looks.now += 2
    assert [ask("/ready")[0] for _ in range(3)] == [200] * 3 and looks.begun == 2
    looks.now += KEPT_SECONDS
    status, body, _ = ask("/ready", sender=LOOPBACK)
    assert status == 503 and body["parts"] == {"check": "The last check began 30 seconds ago and has not ended."}


def test_the_first_answer_says_no_until_there_was_a_look(ask: Any, looks: Looks) -> None:
    looks.may_end.clear()
    assert ask("/ready")[0] == 503


def test_a_look_that_fails_does_not_hinder_the_next(looks: Looks) -> None:
    fails = [True]

    def look() -> State:
        if fails.pop() if fails else False:
            raise RuntimeError("broken")
        return looks.look()

    readiness = Readiness(look, lambda: looks.now)

    async def look_twice() -> State:
        with pytest.raises(RuntimeError):
            await readiness.find()
        return await readiness.find()

    assert asyncio.run(look_twice()).is_ready
