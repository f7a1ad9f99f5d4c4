"""A request to an address that somebody gave: each step of it judged, bounded and recorded."""

from __future__ import annotations

import re
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from urllib.parse import urljoin

import certifi
import httpcore

from kit.errors import AppError, Denied, Invalid, TooLarge, Upstream
from kit.outbound.connections import Deadline, GuardedConnections
from kit.outbound.network import Network, SystemNetwork
from kit.outbound.rules import CODE, Rules
from kit.outbound.targets import Target, parse_target

MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+", re.ASCII)
NO_CONTENT = 204
REDIRECTS = (301, 302, 303, 307, 308)
# Neither keys nor cookies go to a server that another one named.
HEADERS_FOR_OTHERS = ("accept",)
OWN_HEADERS = frozenset(("host", "user-agent", "accept-encoding", "connection", "content-length", "transfer-encoding"))


@dataclass(frozen=True)
class Request:
    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class Bounds:
    """content_types: of a good answer; empty for any. seconds: from the first look-up to the last byte."""

    max_bytes: int = 1_000_000
    seconds: float = 20.0
    idle_seconds: float = 10.0
    max_redirects: int = 3
    content_types: frozenset[str] = frozenset(("application/json",))


@dataclass(frozen=True)
class Answer:
    """url: the one that answered, after redirects. headers: in lower case."""

    url: str
    status: int
    headers: Mapping[str, str] = field(repr=False)
    content: bytes = field(repr=False)


@dataclass
class Step:
    """One request of what a fetch came to. refusal: why it was not made, or broke off."""

    method: str
    target: Target
    address: str = ""
    status: int = 0
    size: int = 0
    seconds: float = 0.0
    refusal: str = ""
    is_denied: bool = False


@dataclass
class Fetcher:
    rules: Rules = field(default_factory=Rules)
    bounds: Bounds = field(default_factory=Bounds)
    network: Network = field(default_factory=SystemNetwork)
    record: Callable[[Step], object] = lambda step: None

    def fetch(self, request: Request) -> Answer:
        """Raises Invalid for no address, Denied, TooLarge, and Upstream where the server fails."""
        target = first = parse_target(request.url)
        deadline = Deadline(first.host, self.bounds.seconds, self.bounds.idle_seconds)
        for _ in range(self.bounds.max_redirects + 1):
            answer = self.ask(request, target, first, deadline)
            if answer.status not in REDIRECTS or not answer.headers.get("location"):
                return answer
            target, request = follow(request, target, answer)
        raise Denied(f"{first.host} redirects more than {self.bounds.max_redirects} times.", code=CODE)

    def ask(self, request: Request, target: Target, first: Target, deadline: Deadline) -> Answer:
        step, began = Step(request.method, target), time.monotonic()
        try:
            self.rules.require_target(target, first=first)
            connections = GuardedConnections(self.network, self.rules, target, first, deadline)
            try:
                with name_failures(target.host):
                    return self.exchange(request, target, connections, step)
            finally:
                step.address = connections.address
        except AppError as error:
            step.refusal, step.is_denied = error.sentence, isinstance(error, Denied)
            raise
        finally:
            step.seconds = time.monotonic() - began
            self.record(step)

    def exchange(self, request: Request, target: Target, connections: GuardedConnections, step: Step) -> Answer:
        url = httpcore.URL(scheme=target.scheme, host=target.host, port=target.port, target=target.path)
        headers = make_headers(request, target)
        context = make_tls_context() if target.scheme == "https" else None
        with (
            httpcore.ConnectionPool(ssl_context=context, network_backend=connections) as pool,
            pool.stream(request.method, url, headers=headers, content=request.body or None) as response,
        ):
            step.status = response.status
            answer_headers = {
                name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers
            }
            if response.status in REDIRECTS:
                return Answer(target.url, response.status, answer_headers, b"")
            self.require_kind(target, response.status, answer_headers)
            return Answer(target.url, response.status, answer_headers, self.read(target, response, step))

    def require_kind(self, target: Target, status: int, headers: Mapping[str, str]) -> None:
        """Check the kind of a good answer. One that says what is wrong may be of any kind. Raises Upstream."""
        if headers.get("content-encoding", "identity").lower() != "identity":
            raise Upstream(f"{target.host} sent a packed answer, which was not asked for.")
        if not 200 <= status < 300 or status == NO_CONTENT or not self.bounds.content_types:
            return
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind not in self.bounds.content_types:
            expected = " or ".join(sorted(self.bounds.content_types))
            sent = kind[:100] if MEDIA_TYPE.fullmatch(kind) else "something"
            raise Upstream(f"{target.host} sent {sent} where {expected} was expected.")

    def read(self, target: Target, response: httpcore.Response, step: Step) -> bytes:
        content = bytearray()
        for part in response.iter_stream():
            content += part
            step.size = len(content)
            if len(content) > self.bounds.max_bytes:
                raise TooLarge(f"{target.host} sent more than {self.bounds.max_bytes:,} bytes.")
        return bytes(content)


def make_headers(request: Request, target: Target) -> list[tuple[str, str]]:
    """A packed answer is not asked for: a small one may unpack to a large one. Raises Invalid for no plain text."""
    if not all(text.isascii() and text.isprintable() for pair in request.headers.items() for text in pair):
        raise Invalid("A header of the request has a letter or sign that headers do not have.")
    chosen = [(name, text) for name, text in request.headers.items() if name.lower() not in OWN_HEADERS]
    own = {"Host": target.authority, "User-Agent": "DocRouter", "Accept-Encoding": "identity", "Connection": "close"}
    return [*own.items(), *chosen]


def follow(request: Request, target: Target, answer: Answer) -> tuple[Target, Request]:
    """Where the answer sends to, and what is asked there. Raises Denied for what only the first server was to get."""
    if request.method not in ("GET", "HEAD"):
        raise Denied(f"{target.host} redirects. Give the address that it redirects to.", code=CODE)
    try:
        after = parse_target(urljoin(target.url, answer.headers["location"]))
    except (Invalid, ValueError):
        raise Upstream(f"{target.host} redirects to something that is no address.") from None
    if after.origin == target.origin:
        return after, request
    headers = {name: text for name, text in request.headers.items() if name.lower() in HEADERS_FOR_OTHERS}
    return after, replace(request, headers=headers)


@contextmanager
def name_failures(host: str) -> Iterator[None]:
    """Turn httpcore's errors into sentences."""
    try:
        yield
    except httpcore.TimeoutException as error:
        raise Upstream(f"{host} did not answer in time.", retryable=True) from error
    except httpcore.ProtocolError as error:
        raise Upstream(f"{host} broke off, or sent something that is no answer.", retryable=True) from error
    except httpcore.NetworkError as error:
        reason = "its certificate is not good for it" if is_about_certificate(error) else "the connection failed"
        raise Upstream(f"{host} cannot be reached: {reason}.", retryable=True) from error


def is_about_certificate(error: BaseException) -> bool:
    return isinstance(error.__cause__ or error.__context__, ssl.SSLCertVerificationError)


@cache
def make_tls_context() -> ssl.SSLContext:
    """Trusts what the system trusts (or SSL_CERT_FILE names), and the usual authorities where it has none."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context
