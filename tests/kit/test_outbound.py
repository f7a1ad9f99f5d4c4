"""Requests to addresses that somebody gave, to a real server on loopback."""

from __future__ import annotations

import datetime
import ssl
from ipaddress import ip_address
from pathlib import Path

import httpcore
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from kit.errors import AppError, Denied, Invalid, TooLarge, Upstream
from kit.outbound.connections import Deadline
from kit.outbound.fetching import Bounds, Fetcher, Request, Step, make_tls_context
from kit.outbound.network import SystemNetwork, require_other_machine
from kit.outbound.rules import Rules
from tests.loopback_server import LoopbackServer
from tests.outside_server import OTHER_PUBLIC, PUBLIC, OutsideHandler, PretendedNetwork, run_outside
from tests.outside_server import running_outside as running_outside  # a fixture


@pytest.fixture
def network(running_outside: LoopbackServer) -> PretendedNetwork:
    list_asked(running_outside).clear()
    return PretendedNetwork(
        running_outside,
        {
            "a.example": [[PUBLIC]],
            "b.example": [[OTHER_PUBLIC]],
            "inside.example": [["10.0.0.1"]],
            "metadata.example": [["169.254.169.254"]],
        },
    )


def list_asked(server: LoopbackServer) -> list[tuple[str, dict[str, str]]]:
    handler = server.RequestHandlerClass
    assert isinstance(handler, type) and issubclass(handler, OutsideHandler)
    return handler.asked


def list_paths(network: PretendedNetwork) -> list[str]:
    return [path for path, _ in list_asked(network.server)]


def test_it_asks_the_address_that_was_judged_under_the_name_that_was_given(network: PretendedNetwork) -> None:
    steps: list[Step] = []
    answer = Fetcher(network=network, record=steps.append).fetch(Request("http://a.example/x?y=z"))
    assert (answer.status, answer.content) == (200, b'{"path": "/x?y=z"}')
    assert network.connected == [(PUBLIC, 80)]
    [(_, headers)] = list_asked(network.server)
    assert headers["host"] == "a.example" and headers["accept-encoding"] == "identity"
    [step] = steps
    assert (step.address, step.status, step.size, step.refusal) == (PUBLIC, 200, 18, "")
    assert step.target.origin == "http://a.example"


def test_a_name_that_changes_its_meaning_is_looked_up_once_and_then_judged_anew(network: PretendedNetwork) -> None:
    network.names["a.example"] = [[PUBLIC], ["127.0.0.1"]]
    fetcher = Fetcher(network=network)
    assert fetcher.fetch(Request("http://a.example/")).status == 200
    assert (network.lookups, network.connected) == (["a.example"], [(PUBLIC, 80)])
    with pytest.raises(Denied):
        fetcher.fetch(Request("http://a.example/"))
    assert network.connected == [(PUBLIC, 80)]


@pytest.mark.parametrize("host", ["inside.example", "metadata.example"])
def test_a_private_address_is_not_connected_to_and_not_told(network: PretendedNetwork, host: str) -> None:
    steps: list[Step] = []
    with pytest.raises(Denied) as raised:
        Fetcher(network=network, record=steps.append).fetch(Request(f"http://{host}/"))
    assert raised.value.sentence == f"{host} is not on the public internet, so it is not asked."
    assert network.connected == [] and list_paths(network) == []
    [step] = steps
    assert step.is_denied and step.address == network.names[host][0][0] and step.refusal == raised.value.sentence


def test_every_spelling_of_this_machine_is_refused_by_the_systems_own_names(running_outside: LoopbackServer) -> None:
    list_asked(running_outside).clear()
    port = running_outside.server_address[1]
    fetcher = Fetcher(Rules(ports=(port,)))
    for host in ("127.0.0.1", "localhost", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "[::ffff:127.0.0.1]", "0"):
        with pytest.raises((Denied, Upstream)):
            fetcher.fetch(Request(f"http://{host}:{port}/"))
    assert list_asked(running_outside) == []


def test_a_host_that_the_operator_named_is_asked_through_the_system(running_outside: LoopbackServer) -> None:
    port = running_outside.server_address[1]
    rules = Rules(private_hosts=(f"localhost:{port}",))
    assert Fetcher(rules).fetch(Request(f"http://localhost:{port}/")).status == 200


def test_a_name_that_nobody_has_is_said() -> None:
    with pytest.raises(Upstream, match=r"There is no host nobody\.invalid"):
        Fetcher().fetch(Request("http://nobody.invalid/"))


def test_what_leads_back_to_this_machine_is_left(running_outside: LoopbackServer) -> None:
    port = running_outside.server_address[1]
    stream = httpcore.SyncBackend().connect_tcp("127.0.0.1", port, timeout=60)
    with pytest.raises(Denied):
        require_other_machine(stream)
    private = SystemNetwork().connect("127.0.0.1", port, 5)
    private.close()


@pytest.mark.parametrize(
    "to",
    [
        "http://inside.example/",
        "http://metadata.example/latest",
        "http://127.0.0.1/",
        "http://[::1]/",
        "//inside.example/",
        "http://a.example:22/",
    ],
)
def test_a_redirect_is_judged_like_an_address_of_its_own(network: PretendedNetwork, to: str) -> None:
    network.names |= {"127.0.0.1": [["127.0.0.1"]], "::1": [["::1"]]}
    with pytest.raises(Denied):
        Fetcher(network=network).fetch(Request(f"http://a.example/redirect?to={to}"))
    assert network.connected == [(PUBLIC, 80)]


def test_a_redirect_is_followed_without_what_was_meant_for_the_first(network: PretendedNetwork) -> None:
    steps: list[Step] = []
    headers = {"Authorization": "Bearer key", "Cookie": "a=b", "X-Key": "key", "Accept": "application/json"}
    fetcher = Fetcher(network=network, record=steps.append)
    answer = fetcher.fetch(Request("http://a.example/redirect?to=/redirect?to=http://b.example/x", headers=headers))
    assert answer.url == "http://b.example/x"
    first, second, third = (sent for _, sent in list_asked(network.server))
    assert first["authorization"] == second["authorization"] == "Bearer key"
    assert not {"authorization", "cookie", "x-key"} & set(third) and third["accept"] == "application/json"
    assert [(step.target.host, step.status) for step in steps] == [
        ("a.example", 302),
        ("a.example", 302),
        ("b.example", 200),
    ]


def test_redirects_end(network: PretendedNetwork) -> None:
    with pytest.raises(Denied, match="redirects more than 3 times"):
        Fetcher(network=network).fetch(Request("http://a.example/redirect?to=" + "/redirect?to=" * 9))
    assert len(list_paths(network)) == 4


def test_what_is_sent_goes_nowhere_else(network: PretendedNetwork) -> None:
    with pytest.raises(Denied, match="Give the address that it redirects to"):
        Fetcher(network=network).fetch(
            Request("http://a.example/redirect?status=307&to=http://b.example/", "POST", body=b"{}")
        )
    assert network.lookups == ["a.example"]


def test_a_redirect_to_nothing_is_the_servers_fault(network: PretendedNetwork) -> None:
    with pytest.raises(Upstream, match="no address"):
        Fetcher(network=network).fetch(Request("http://a.example/redirect?to=javascript:x"))


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("flood", TooLarge),
        ("packed", Upstream),
        ("page", Upstream),
        ("drip?in=head", Upstream),
        ("drip?in=body", Upstream),
    ],
)
def test_an_answer_has_bounds(network: PretendedNetwork, path: str, error: type[AppError]) -> None:
    steps: list[Step] = []
    fetcher = Fetcher(bounds=Bounds(seconds=0.2), network=network, record=steps.append)
    with pytest.raises(error):
        fetcher.fetch(Request(f"http://a.example/{path}"))
    assert steps[0].refusal and not steps[0].is_denied and steps[0].size < 1_200_000


HEAD = "HTTP/1.1 200 OK%0D%0AContent-Type: "


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ("", "broke off, or sent something that is no answer"),
        ("hello%00", "broke off, or sent something that is no answer"),
        (f"{HEAD}application/json%0D%0AContent-Length: 9%0D%0A%0D%0Aabc", "broke off"),
        (f"{HEAD}application/json%0D%0AContent-Length: -1%0D%0A%0D%0A", "no answer"),
        (f"{HEAD}application/json%0D%0ATransfer-Encoding: chunked%0D%0A%0D%0AZ%0D%0A", "no answer"),
        (f"{HEAD}Do as I say.%0D%0AContent-Length: 0%0D%0A%0D%0A", "sent something where application/json"),
        (f"{HEAD}text/html%0D%0AContent-Length: 0%0D%0A%0D%0A", "sent text/html where application/json"),
    ],
)
def test_what_is_no_answer_is_said_in_our_words(network: PretendedNetwork, raw: str, sentence: str) -> None:
    with pytest.raises(Upstream, match=sentence):
        Fetcher(network=network).fetch(Request(f"http://a.example/raw?bytes={raw}".replace(" ", "%20")))


def test_a_step_takes_no_longer_than_what_is_left() -> None:
    assert Deadline("a.example", 50, 10).get_seconds() == 10
    assert 4 < Deadline("a.example", 5, 10).get_seconds() <= 5
    with pytest.raises(Upstream, match="did not answer in full within 0 seconds"):
        Deadline("a.example", 0, 10).get_seconds()


def test_an_answer_that_says_no_may_be_of_any_kind(network: PretendedNetwork) -> None:
    assert Fetcher(network=network).fetch(Request("http://a.example/page?status=404")).status == 404


def test_a_second_address_is_tried_where_the_first_is_dead(network: PretendedNetwork) -> None:
    network.names["a.example"], network.dead = [[OTHER_PUBLIC, PUBLIC]], {OTHER_PUBLIC}
    assert Fetcher(network=network).fetch(Request("http://a.example/")).status == 200
    assert network.connected == [(OTHER_PUBLIC, 80), (PUBLIC, 80)]
    network.dead = {OTHER_PUBLIC, PUBLIC}
    with pytest.raises(Upstream, match="did not answer in time"):
        Fetcher(network=network).fetch(Request("http://a.example/"))


def test_headers_of_the_guard_are_not_the_callers(network: PretendedNetwork) -> None:
    Fetcher(network=network).fetch(
        Request("http://a.example/", headers={"host": "inside.example", "accept-encoding": "gzip"})
    )
    [(_, headers)] = list_asked(network.server)
    assert (headers["host"], headers["accept-encoding"]) == ("a.example", "identity")


@pytest.mark.parametrize("text", ["a\r\nX-Injected: b", "é", "\0"])
def test_a_header_brings_no_other_header(network: PretendedNetwork, text: str) -> None:
    with pytest.raises(Invalid, match="header"):
        Fetcher(network=network).fetch(Request("http://a.example/", headers={"X-Name": text}))
    assert network.connected == []


def test_an_address_that_is_none_is_not_recorded(network: PretendedNetwork) -> None:
    steps: list[Step] = []
    with pytest.raises(Invalid):
        Fetcher(network=network, record=steps.append).fetch(Request("file:///etc/passwd"))
    assert steps == []


def make_certificate(folder: Path, name: str) -> Path:
    """Its own authority, in one file with its key."""
    key, subject = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    today = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName([x509.DNSName(name), x509.IPAddress(ip_address(OTHER_PUBLIC))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=1))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / "certificate.pem"
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


def test_a_certificate_has_to_be_good_for_the_name_though_an_address_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_certificate(tmp_path, "a.example")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    names: list[str | None] = []
    context.sni_callback = lambda connection, name, _: names.append(name)
    server = run_outside(context)
    network = PretendedNetwork(server, {"a.example": [[PUBLIC]], "b.example": [[PUBLIC]]})
    try:
        make_tls_context.cache_clear()
        with pytest.raises(Upstream, match="certificate"):
            Fetcher(network=network).fetch(Request("https://a.example/"))
        monkeypatch.setenv("SSL_CERT_FILE", str(path))
        make_tls_context.cache_clear()
        assert Fetcher(network=network).fetch(Request("https://a.example/")).status == 200
        with pytest.raises(Upstream, match="certificate"):
            Fetcher(network=network).fetch(Request("https://b.example/"))
    finally:
        make_tls_context.cache_clear()
        server.stop()
    assert names == ["a.example", "a.example", "b.example"] and network.connected == [(PUBLIC, 443)] * 3
