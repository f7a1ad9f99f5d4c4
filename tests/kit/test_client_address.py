"""Who a request comes from."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory

from kit import env
from kit.http.client_address import client_address, network_of

PROXIES = tuple(ip_network(text) for text in ("10.0.0.0/8", "fd00::/8", "127.0.0.1/32"))


@pytest.mark.parametrize(
    ("sender", "forwarded", "address"),
    [
        ("203.0.113.5", "", "203.0.113.5"),
        ("203.0.113.5", "198.51.100.1", "203.0.113.5"),  # not our proxy, so not believed
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"),  # what stands left of it is the client's own word
        ("10.0.0.1", "1.1.1.1, 198.51.100.1, 10.2.0.1", "198.51.100.1"),
        ("10.0.0.1", "10.0.0.3", "10.0.0.3"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "unknown", "10.0.0.1"),
        ("10.0.0.1", "1.1.1.1, <script>", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
        ("fd00::1", "[2001:db8::1]:4711", "2001:db8::1"),
        ("::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("", "198.51.100.1", ""),
    ],
)
def test_it_is_the_first_that_no_proxy_of_ours_is(settings, sender: str, forwarded: str, address: str) -> None:
    settings.TRUSTED_PROXIES = PROXIES
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    assert client_address(RequestFactory().get("/", REMOTE_ADDR=sender, headers=headers)) == address


def test_nobody_is_believed_without_the_setting() -> None:
    request = RequestFactory().get("/", REMOTE_ADDR="127.0.0.1", headers={"X-Forwarded-For": "198.51.100.1"})
    assert client_address(request) == "127.0.0.1"


@pytest.mark.parametrize(
    ("address", "network"),
    [("2001:db8::1", "2001:db8::/64"), ("203.0.113.5", "203.0.113.5"), ("", ""), ("nothing", "nothing")],
)
def test_one_line_of_ipv6_is_one_sender(address: str, network: str) -> None:
    assert network_of(address) == network


def test_the_setting_takes_addresses_and_networks_and_says_what_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUSTED_PROXIES", "127.0.0.1, 10.0.0.5/8,fd00::/8")
    assert [str(network) for network in env.networks("TRUSTED_PROXIES")] == ["127.0.0.1/32", "10.0.0.0/8", "fd00::/8"]
    monkeypatch.setenv("TRUSTED_PROXIES", "10.0.0.0/8, nginx")
    with pytest.raises(ImproperlyConfigured, match="TRUSTED_PROXIES: .*nginx.* is not a list of addresses"):
        env.networks("TRUSTED_PROXIES")
