"""How often /v0 is called: for each token or session and for each address, and whatever Redis does."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_network

import pytest
from django.conf import settings as live
from django.test import Client, RequestFactory
from redis import Redis
from rest_framework.test import APIClient

from accounts.actor import Actor
from accounts.api.rate_limits import check_quotas, list_limits
from accounts.api.wire.errors import headers
from accounts.services import tokens
from kit.errors import TooMany
from kit.http.rate_limits import OUTAGE, Limit, Quota, count_request, read_quotas
from worker.web.routes import check_sender, head_of, route_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def address() -> str:
    """One that no other test has called from."""
    return str(ip_network("2001:db8::/32")[random.getrandbits(96)])


@pytest.fixture
def secret(actor: Actor) -> str:
    return tokens.create(actor.user, name="x", organization=actor.organization)[1]


def client_of(secret: str, address: str) -> APIClient:
    return APIClient(headers={"authorization": f"Bearer {secret}"} if secret else {}, REMOTE_ADDR=address)


def quota_of(answer) -> tuple[int, str, str]:
    return answer.status_code, answer["RateLimit-Limit"], answer["RateLimit-Remaining"]


def test_a_token_has_so_many_requests_a_minute(settings, actor: Actor, secret: str, address: str) -> None:
    settings.API_RATE_LIMIT = 2
    path = f"/v0/orgs/{actor.organization.pk}/tags"
    client = client_of(secret, address)
    assert [quota_of(client.get(path)) for _ in range(2)] == [(200, "2", "1"), (200, "2", "0")]
    refused = client.get(path)
    assert quota_of(refused) == (429, "2", "0")
    seconds = refused["RateLimit-Reset"]
    assert refused["Retry-After"] == seconds and 1 <= int(seconds) <= 60
    assert refused.json() == {
        "detail": f"2 requests a minute are taken from one token. Try again in {seconds} seconds."
    }
    assert refused["Cache-Control"] == "private, no-store" and refused["X-Request-Id"]
    _, other = tokens.create(actor.user, name="y", organization=actor.organization)
    assert client_of(other, address).get(path).status_code == 200
    by_key = APIClient(headers={"x-api-key": secret}, REMOTE_ADDR=address)
    assert by_key.get(path).status_code == 429


def test_a_session_has_its_own(settings, actor: Actor, signed_in, secret: str, address: str) -> None:
    settings.API_RATE_LIMIT = 1
    path = f"/v0/orgs/{actor.organization.pk}/tags"
    assert client_of(secret, address).get(path).status_code == 200
    browser = signed_in(Client(REMOTE_ADDR=address), actor)
    assert [browser.get(path).status_code for _ in range(2)] == [200, 429]
    assert "from one session" in browser.get(path).json()["detail"]


def test_pages_do_not_count(settings, actor: Actor, signed_in, address: str) -> None:
    settings.API_RATE_LIMIT = settings.API_ADDRESS_RATE_LIMIT = 1
    browser = signed_in(Client(REMOTE_ADDR=address), actor)
    for _ in range(3):
        answer = browser.get(f"/orgs/{actor.organization.pk}/documents")
        assert answer.status_code == 200 and "RateLimit-Limit" not in answer


def test_who_invents_tokens_meets_the_limit_of_the_address(settings, address: str) -> None:
    settings.API_ADDRESS_RATE_LIMIT = 2
    answers = [client_of(f"org_{number}", address).get("/v0/account/organizations") for number in range(3)]
    assert [quota_of(answer) for answer in answers] == [(401, "2", "1"), (401, "2", "0"), (429, "2", "0")]
    assert "from one address" in answers[-1].json()["detail"]
    neighbour = str(ip_network((address, 64), strict=False)[7])
    assert client_of("", neighbour).get("/v0/nothing").status_code == 429


def test_behind_a_proxy_it_is_the_address_of_who_asked(settings, address: str) -> None:
    settings.API_ADDRESS_RATE_LIMIT = 1
    settings.TRUSTED_PROXIES = (ip_network((address, 64), strict=False),)
    one, other = (f"198.51.100.{number}" for number in random.sample(range(256), 2))
    codes = [
        APIClient(REMOTE_ADDR=address).get("/v0/nothing", headers={"X-Forwarded-For": known}).status_code
        for known in (one, one, other)
    ]
    assert codes == [404, 429, 404]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v0/openapi.json", 200),
        ("GET", "/v0/docs", 200),
        ("PATCH", "/v0/account/users", 405),
        ("GET", "/v0/account/users/", 307),
    ],
)
def test_every_answer_says_what_is_left(method: str, path: str, status: int, address: str) -> None:
    answer = client_of("", address).generic(method, path)
    assert quota_of(answer) == (status, "12000", "11999")


def test_nought_turns_it_off(settings, address: str) -> None:
    settings.API_RATE_LIMIT = settings.API_ADDRESS_RATE_LIMIT = 0
    assert "RateLimit-Limit" not in client_of("org_x", address).get("/v0/nothing")


def test_a_minute_later_it_begins_anew(address: str) -> None:
    limits = [Limit("address", address, 1), Limit("token", address, 9)]
    redis = Redis.from_url(live.REDIS_URL)
    keys = [f"docrouter:rate:{limit.sender}:{address}" for limit in limits]
    assert [[quota.is_exceeded for quota in count_request(limits)] for _ in range(2)] == [[False] * 2, [True, False]]
    assert all(0 < redis.ttl(key) <= 60 for key in keys)
    redis.delete(*keys)  # what the end of the minute does
    assert [quota.remaining for quota in count_request(limits)] == [0, 8]


def test_who_is_over_two_limits_is_told_the_longer_wait() -> None:
    quotas = [Quota(Limit(sender, "x", 1), 2, seconds) for sender, seconds in (("address", 9), ("token", 40))]
    for order in (quotas, quotas[::-1]):
        with pytest.raises(TooMany, match="from one token. Try again in 40 seconds") as refused:
            check_quotas(order)
        assert refused.value.retry_after == 40


def test_of_many_at_once_no_more_get_through(address: str) -> None:
    limits = [Limit("token", address, 10)]
    with ThreadPoolExecutor(8) as pool:
        quotas = list(pool.map(lambda _: count_request(limits)[0], range(40)))
    assert sum(not quota.is_exceeded for quota in quotas) == 10


def test_the_door_for_large_bodies_looks_without_counting(settings, actor: Actor, secret: str, address: str) -> None:
    settings.API_RATE_LIMIT = 1
    path = f"/v0/orgs/{actor.organization.pk}/documents"
    head = head_of(b"POST", path.encode(), [(b"authorization", f"Bearer {secret}".encode())], address)
    for _ in range(3):
        check_sender(head, route_of(head))
    assert client_of(secret, address).get(path).status_code == 200
    with pytest.raises(TooMany) as refused:
        check_sender(head, route_of(head))
    assert 1 <= refused.value.retry_after <= 60
    assert headers(refused.value)["RateLimit-Limit"] == "1"
    request = RequestFactory().get(path, headers={"Authorization": f"Bearer {secret}"}, REMOTE_ADDR=address)
    assert [quota.used for quota in read_quotas(list_limits(request))] == [2, 2]


@pytest.fixture
def no_outage() -> Iterator[None]:
    yield
    OUTAGE.ask_again_at = None


def test_without_redis_everybody_is_served_and_the_log_says_so_once(
    settings, no_outage: None, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    settings.API_ADDRESS_RATE_LIMIT = 1
    known = settings.REDIS_URL
    settings.REDIS_URL = "unix:///nothing/here.sock"
    client = client_of("", address)
    for _ in range(3):
        answer = client.get("/v0/nothing")
        assert answer.status_code == 404 and "RateLimit-Limit" not in answer
        OUTAGE.ask_again_at = 0.0  # as if the pause were over
    settings.REDIS_URL = known
    assert [client.get("/v0/nothing").status_code for _ in range(2)] == [404, 429]
    lines = [record.getMessage() for record in caplog.records if record.name == "kit.http.rate_limits"]
    assert [line.partition(":")[0] for line in lines] == [
        "requests are not counted, and not limited, until Redis answers",
        "requests are counted and limited again",
    ]


def test_a_redis_that_hangs_holds_up_one_request_and_not_all(settings, no_outage: None, address: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.REDIS_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        client = client_of("", address)
        assert client.get("/v0/nothing").status_code == 404
        assert OUTAGE.is_present()
        OUTAGE.ask_again_at += 600  # a slow machine is in the same pause
        assert [client.get("/v0/nothing").status_code for _ in range(4)] == [404] * 4
        silent.settimeout(0.1)
        assert _connections(silent) <= 2  # the first request's two tries


def _connections(server: socket.socket) -> int:
    count = 0
    try:
        while True:
            server.accept()[0].close()
            count += 1
    except TimeoutError:
        return count
