"""Memory of the web process under mixed requests: pages, /v0, MCP, sockets, uploads and what is refused.

    python -m benchmarks.soak [minutes]

Flat is a last third that takes no more than the first, after a fifth of the time has warmed it up.
"""

from __future__ import annotations

import http.client
import json
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests import scripts
from tests.product import Product

CLIENTS = 6
PAUSE_SECONDS = 0.1
SAMPLE_SECONDS = 10.0
WARM_UP = 0.2
FLAT = 1.05
# A token lets in what has one, a session the pages; the limits of requests would answer for the product.
ENVIRONMENT = {"API_RATE_LIMIT": "0", "API_ADDRESS_RATE_LIMIT": "0"}
PEOPLE = f"""{scripts.PEOPLE}
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from accounts.services import tokens
session = SessionStore()
session[SESSION_KEY] = user.pk
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.save()
print(actor.organization.pk, session.session_key, tokens.create(user, name="x", organization=actor.organization)[1])
"""


@dataclass
class Visitor:
    """One client: what it asks for is chosen by a seed, so that two runs are alike."""

    port: int
    organization: str
    session: str
    token: str
    choose: random.Random
    answers: Counter[str] = field(default_factory=Counter)
    documents: list[str] = field(default_factory=list)

    def act(self) -> None:
        kind, action = self.choose.choice(ACTIONS)
        try:
            self.answers[f"{kind} {action(self)}"] += 1
        except (OSError, http.client.HTTPException) as error:
            self.answers[f"{kind} {type(error).__name__}"] += 1

    def ask(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> int:
        return self.fetch(method, path, body, headers)[0]

    def fetch(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("localhost", self.port, timeout=60)
        try:
            connection.request(method, path, body or None, dict(headers or {}))
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    @property
    def signed_in(self) -> dict[str, str]:
        return {"Cookie": f"sessionid={self.session}"}

    @property
    def allowed(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}

    def make_word(self) -> str:
        return "".join(self.choose.choices("abcdefghijklmnopqrstuvwxyz", k=9))


def open_page(visitor: Visitor) -> int:
    path = visitor.choose.choice(("documents", "schemas", "prompts", "tags", "inbox", "inbox/count"))
    return visitor.ask("GET", f"/orgs/{visitor.organization}/{path}", headers=visitor.signed_in)


def search(visitor: Visitor) -> int:
    return visitor.ask("GET", f"/orgs/{visitor.organization}/search?q={visitor.make_word()}", headers=visitor.signed_in)


def open_document(visitor: Visitor) -> int:
    path = f"/orgs/{visitor.organization}/documents/{_any_document(visitor)}{visitor.choose.choice(('', '/viewer'))}"
    return visitor.ask("GET", path, headers=visitor.signed_in)


def draw_page(visitor: Visitor) -> int:
    path = f"/orgs/{visitor.organization}/documents/{_any_document(visitor)}/pages/1.webp"
    return visitor.ask("GET", path, headers=visitor.signed_in)


def list_documents(visitor: Visitor) -> int:
    path = f"/v0/orgs/{visitor.organization}/documents?limit=20&name_search={visitor.make_word()}"
    return visitor.ask("GET", path, headers=visitor.allowed)


def download(visitor: Visitor) -> int:
    path = f"/v0/orgs/{visitor.organization}/documents/{_any_document(visitor)}/file"
    return visitor.ask("GET", path, headers=visitor.allowed)


def change_tags(visitor: Visitor) -> int:
    path = f"/v0/orgs/{visitor.organization}/tags"
    body = json.dumps({"name": visitor.make_word(), "color": "#123456"}).encode()
    status, answer = visitor.fetch("POST", path, body, visitor.allowed)
    return (
        visitor.ask("DELETE", f"{path}/{json.loads(answer)['id']}", headers=visitor.allowed) if status < 300 else status
    )


def call_mcp(visitor: Visitor) -> int:
    method, params = visitor.choose.choice(MCP_CALLS)
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    accepted = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    return visitor.ask("POST", "/mcp", body, visitor.allowed | accepted)


MCP_CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("tools/list", {}),
    ("tools/call", {"name": "list_documents", "arguments": {}}),
    ("tools/call", {"name": "search", "arguments": {"query": "total"}}),
    ("tools/call", {"name": "unknown", "arguments": {}}),
)


def open_socket(visitor: Visitor) -> str:
    address = f"ws://localhost:{visitor.port}/ws/orgs/{visitor.organization}"
    own = Origin(f"http://localhost:{visitor.port}")
    try:
        with connect(address, additional_headers=visitor.signed_in, origin=own) as socket:
            socket.send(json.dumps({"open": []}))
            time.sleep(0.2)
    except InvalidStatus as error:
        return str(error.response.status_code)
    return "closed"


def upload(visitor: Visitor) -> int:
    """Stored, and what was stored before it is trashed: the lists stay as long as they are."""
    name = visitor.make_word()
    head = f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}.txt"\r\n\r\n'.encode()
    body = head + f"Invoice {name}, total 12.50 EUR. ".encode() * 200 + b"\r\n--x--\r\n"
    path = f"/v0/orgs/{visitor.organization}/documents"
    form = visitor.allowed | {"Content-Type": "multipart/form-data; boundary=x"}
    status, answer = visitor.fetch("POST", f"{path}/multipart", body, form)
    if status >= 300:
        return status
    visitor.documents.append(json.loads(answer)["document"]["document_id"])
    if len(visitor.documents) > 5:
        visitor.ask("DELETE", f"{path}/{visitor.documents.pop(0)}", headers=visitor.allowed)
    return status


def send_refused(visitor: Visitor) -> int:
    return visitor.choose.choice(REFUSED)(visitor)


REFUSED: tuple[Callable[[Visitor], int], ...] = (
    lambda visitor: visitor.ask("GET", f"/{visitor.make_word()}/{visitor.make_word()}"),
    lambda visitor: visitor.ask("GET", f"/v0/orgs/{visitor.make_word()}/documents", headers=visitor.allowed),
    lambda visitor: visitor.ask("GET", "/v0/account/llm/models", headers={"Authorization": visitor.make_word()}),
    lambda visitor: visitor.ask("GET", "/", headers={"Host": f"{visitor.make_word()}.example"}),
    lambda visitor: visitor.ask("POST", "/sign-in", quote(visitor.make_word()).encode()),
    lambda visitor: visitor.ask("POST", _tags_of(visitor), b'{"name":' + b"[" * 60_000, visitor.allowed),
    lambda visitor: visitor.ask("POST", _tags_of(visitor), b"[" + b"[]," * 60_000 + b"1]", visitor.allowed),
    lambda visitor: visitor.ask("POST", _tags_of(visitor), b'{"name": "' + b"x" * 900_000, visitor.allowed),
    lambda visitor: visitor.ask("POST", "/mcp", b'{"z":[' + b"[]," * 10_000 + b"1]}", visitor.allowed),
)


def _tags_of(visitor: Visitor) -> str:
    return f"/v0/orgs/{visitor.organization}/tags"


def _any_document(visitor: Visitor) -> str:
    return visitor.choose.choice(visitor.documents or ["none"])


ACTIONS: tuple[tuple[str, Callable[[Visitor], object]], ...] = (
    *[("page", open_page)] * 4,
    *[("search", search)] * 2,
    *[("document", open_document)] * 3,
    *[("picture", draw_page)] * 2,
    *[("/v0 list", list_documents)] * 4,
    *[("/v0 file", download)] * 2,
    *[("/v0 change", change_tags)] * 2,
    *[("mcp", call_mcp)] * 4,
    ("socket", open_socket),
    ("upload", upload),
    *[("refused", send_refused)] * 4,
)


def main(minutes: float) -> None:
    folder = Path(tempfile.mkdtemp(prefix="docrouter-soak-"))
    product = Product(folder, ENVIRONMENT).start()
    try:
        product.wait_until(product.is_ready, "the workers")
        answer = product.run("-c", PEOPLE)
        if answer.returncode:
            sys.exit(answer.stderr)
        organization, session, token = answer.stdout.split()
        choosers = [random.Random(seed) for seed in range(CLIENTS)]
        visitors = [Visitor(product.port, organization, session, token, choose) for choose in choosers]
        report(watch(product, visitors, minutes * 60), visitors)
    finally:
        product.stop()
        shutil.rmtree(folder, ignore_errors=True)


def watch(product: Product, visitors: list[Visitor], seconds: float) -> list[float]:
    """Megabytes of the web process alone, once every few seconds, while the visitors ask."""
    end = threading.Event()
    threads = [threading.Thread(target=visit, args=(visitor, end), daemon=True) for visitor in visitors]
    for thread in threads:
        thread.start()
    web, deadline, sizes = product.pid_of("manage.py web"), time.monotonic() + seconds, []
    while time.monotonic() < deadline:
        time.sleep(min(SAMPLE_SECONDS, seconds / 30))
        sizes.append(measure_resident(web))
        if len(sizes) % 12 == 1:
            asked = sum(sum(visitor.answers.values()) for visitor in visitors)
            print(
                f"{seconds - (deadline - time.monotonic()):6.0f} s {asked:7} requests {sizes[-1]:7.1f} MB", flush=True
            )
    end.set()
    for thread in threads:
        thread.join(60)
    return sizes


def visit(visitor: Visitor, end: threading.Event) -> None:
    while not end.wait(PAUSE_SECONDS):
        visitor.act()


def measure_resident(pid: int) -> float:
    """With what it shares with `up`, whose fork it is: a page of that becomes its own as soon as it counts a reference
    there, which looks like growth where only private memory is counted."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    return next(int(line.split()[1]) for line in lines if line.startswith("Rss:")) / 1024


def report(sizes: list[float], visitors: list[Visitor]) -> None:
    answers = sum((visitor.answers for visitor in visitors), Counter[str]())
    for kind, count in sorted(answers.items()):
        print(f"  {count:6}  {kind}")
    warm = sizes[int(len(sizes) * WARM_UP) :]
    third = max(1, len(warm) // 3)
    first, last = statistics.mean(warm[:third]), statistics.mean(warm[-third:])
    word = "flat" if last <= first * FLAT else "growing"
    print(
        f"resident memory of the web process: {sizes[0]:.0f} MB at first, then {first:.1f} MB in the first third, "
        f"{last:.1f} MB in the last, ratio {last / first:.3f} ({word}), highest {max(sizes):.0f} MB"
    )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 30)
