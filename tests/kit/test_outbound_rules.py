"""What the guard lets nobody ask: addresses, hosts, ports and ways of writing them."""

from __future__ import annotations

import pytest

from kit.errors import Denied, Invalid
from kit.outbound.addresses import Reach, judge_address
from kit.outbound.rules import Rules, normalize_pattern
from kit.outbound.targets import parse_target

PRIVATE = (
    "10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 172.16.0.1 172.31.255.255 192.168.0.1 198.18.0.1 192.0.2.1 "
    "198.51.100.7 203.0.113.9 ::1 fc00::1 fd12:3456::1 2001:db8::1 ::ffff:10.0.0.1 ::ffff:7f00:1 64:ff9b::192.168.1.1 "
    "2002:a00:1:: 2002:7f00:1::5"
)
NEVER = (
    "0.0.0.0 0.1.2.3 169.254.169.254 169.254.1.1 192.0.0.192 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 "
    "168.63.129.16 100.100.100.200 :: fe80::1 fe80::1%eth0 ff02::1 fec0::1 ::ffff:169.254.169.254 "
    "64:ff9b::a9fe:a9fe 64:ff9b:1::1 2002:a9fe:a9fe:: 2001::1 2001:20::1 fd00:ec2::254 fd20:ce::254 ::10.0.0.1 "
    "::8.8.8.8 ::ffff:0:8.8.8.8 100::1 5f00::1 4000::1"
)
PUBLIC = (
    "8.8.8.8 93.184.215.14 172.15.255.255 172.32.0.0 100.63.255.255 100.128.0.0 11.0.0.0 1.1.1.1 198.20.0.1 "
    "223.255.255.255 2606:4700::1111 2a00:1450::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808:: 2001:4860::8888"
)


@pytest.mark.parametrize(
    ("addresses", "reach"), [(PRIVATE, Reach.PRIVATE), (NEVER, Reach.NEVER), (PUBLIC, Reach.PUBLIC)]
)
def test_addresses_are_public_private_or_never_asked(addresses: str, reach: Reach) -> None:
    assert {text: judge_address(text) for text in addresses.split()} == dict.fromkeys(addresses.split(), reach)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "//example.com/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com",
        "javascript:alert(1)",
        "https://",
        "https://.",
        "https://a..b/",
        "https://user@example.com/",
        "https://example.com@evil.example/",
        "https://example.com:443@evil.example/",
        "https://exa mple.com/",
        "https://example.com\\@evil.example/",
        "https://example.com/\r\nX: y",
        "https://example.com/\tx",
        "https://example.com\u00a0/",
        "https://example.com:99999/",
        "https://example.com:0/",
        "https://example.com:x/",
        "https://[::1",
        "https://[fe80::1%25eth0]/",
        "https://exa%6dple.com/",
        f"https://{'a' * 64}.example/",
        f"https://example.com/{'x' * 2000}",
    ],
)
def test_what_is_no_plain_address_is_refused_with_a_sentence(url: str) -> None:
    with pytest.raises(Invalid, match=r"^The address .*\.$"):
        parse_target(url)


def test_an_address_is_taken_apart_once() -> None:
    assert parse_target("HTTPS://Example.COM.") == ("https", "example.com", 443, "/")
    assert parse_target("http://MÜLLER.example:8080/ä b".replace(" ", "%20")) == (
        "http",
        "xn--mller-kva.example",
        8080,
        "/%C3%A4%20b",
    )
    target = parse_target("https://[2606:4700:0:0::1111]:8443/a?b=c#d")
    assert (target.host, target.url) == ("2606:4700::1111", "https://[2606:4700::1111]:8443/a?b=c")
    assert parse_target("https://[::ffff:7f00:1]/").host == "::ffff:7f00:1"


def is_allowed(rules: Rules, url: str, *, after: str = "", addresses: tuple[str, ...] = ("8.8.8.8",)) -> bool:
    target = parse_target(url)
    first = parse_target(after or url)
    try:
        rules.require_target(target, first=first)
        rules.require_addresses(target, addresses, first=first)
    except Denied:
        return False
    return True


def test_what_is_denied_goes_before_what_is_allowed() -> None:
    rules = Rules(allowed=("*.example.com", "example.org"), denied=("bad.example.com", "*.bad.example.com"))
    assert is_allowed(rules, "https://a.example.com") and is_allowed(rules, "https://example.org")
    denied = ("example.com", "a.example.org", "bad.example.com", "x.bad.example.com", "evilexample.com", "8.8.8.8")
    assert not [host for host in denied if is_allowed(rules, f"https://{host}")]
    assert is_allowed(Rules(denied=("example.com",)), "https://other.example")


def test_an_address_on_the_list_is_denied_under_every_name() -> None:
    rules = Rules(denied=("93.184.0.0/16", "2606:4700::/32"))
    assert not is_allowed(rules, "https://a.example", addresses=("93.184.215.14",))
    assert not is_allowed(rules, "https://a.example", addresses=("::ffff:93.184.215.14",))
    assert not is_allowed(rules, "https://a.example", addresses=("8.8.8.8", "2606:4700::1"))
    assert is_allowed(rules, "https://a.example")


def test_one_private_address_of_several_is_enough() -> None:
    assert not is_allowed(Rules(), "https://a.example", addresses=("8.8.8.8", "10.0.0.1"))


def test_ports_and_encryption() -> None:
    assert not is_allowed(Rules(), "https://a.example:22")
    assert is_allowed(Rules(ports=(22,)), "https://a.example:22")
    assert not is_allowed(Rules(), "http://a.example", after="https://a.example")
    assert is_allowed(Rules(), "https://a.example", after="http://a.example")


def test_private_hosts_are_reached_where_the_operator_has_named_them() -> None:
    rules = Rules(private_hosts=("models.corp.example", "tools.corp.example:9000", "::1:8000"))
    private = ("10.0.0.1",)
    assert is_allowed(rules, "http://models.corp.example", addresses=private)
    assert is_allowed(rules, "http://tools.corp.example:9000", addresses=private)
    assert is_allowed(rules, "http://[::1]:8000", addresses=("::1",))
    assert not is_allowed(rules, "http://tools.corp.example", addresses=private)
    assert not is_allowed(rules, "http://models.corp.example:9000", addresses=private)
    assert not is_allowed(rules, "http://other.corp.example", addresses=private)
    assert not is_allowed(rules, "http://models.corp.example", addresses=("169.254.169.254",))
    # Nobody outside leads there.
    assert not is_allowed(rules, "http://models.corp.example", after="http://evil.example", addresses=private)


def test_patterns_are_kept_as_hosts_are_compared() -> None:
    assert normalize_pattern(" *.Müller.example. ") == "*.xn--mller-kva.example"
    assert normalize_pattern("203.0.113.7/24") == "203.0.113.0/24"
    for wrong in ("", "*", "https://example.com", "a b", "*.*.example", "1.2.3.4/99", "example.com/path"):
        with pytest.raises(Invalid):
            normalize_pattern(wrong)
