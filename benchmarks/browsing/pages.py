"""What pages cost a browser: requests, bytes, jumps, and the time to the largest paint beside that of a bare picture.

Headless Chromium in front of a running `up` with demo data. Cold: an empty cache; warm: the page opened once more.
The bare page is a static file with one picture of the size that the viewer shows, served by the same process.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from benchmarks.browsing.push_latency import SIGN_IN
from tests import scripts
from tests.browser.conftest import ARGUMENTS
from tests.needs import chromium
from tests.product import Product

ROUNDS = 5
MANY_PAGES = 200
VIEWPORT = {"width": 1440, "height": 900}
# Until nothing has been asked for so long; a page is given at most the other time.
QUIET_MS, LONGEST_MS = 500, 30_000
DEMO = ("--documents", "400", "--prompts-revisions", "40", "--tags", "20", "--seed", "3")
PICTURE = "static/bare.webp"
BARE = "<!doctype html><title>A picture</title><img src=bare.webp width=1200 height=1697 alt='A page'>"
FILL = f"""{scripts.START}
import sys
from accounts.access import enter
from accounts.models import Member
from django.core.files.base import ContentFile
from documents.intake import uploads
from documents.models import Document
from tests.layout.rows import numbered_pages
member = Member.objects.select_related("user").get(organization=sys.argv[1])
actor = enter(member.user, sys.argv[1])
one = Document.objects.for_org(actor.organization).filter(state="llm_completed").order_by("-created_at")[0]
many = uploads.store(actor, name="many.pdf", content=ContentFile(numbered_pages({MANY_PAGES})), tag_ids=[])
print(one.pk, many.pk)
"""
# What the browser itself knows of a page, kept from its first moment on.
WATCH = """
window.seen = { lcp: 0, element: '', shift: 0, moved: [] };
const classOf = (node) => node.className?.baseVal ?? node.className ?? '';
const name = (node) => !node ? '' : node.id ? `#${node.id}` : `${node.nodeName.toLowerCase()}.${classOf(node)}`;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
  Object.assign(seen, { lcp: entry.startTime, element: name(entry.element) });
})).observe({ type: 'largest-contentful-paint', buffered: true });
new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
  if (entry.hadRecentInput) return;
  seen.shift += entry.value;
  seen.moved.push(...entry.sources.map(({ node }) => name(node)));
})).observe({ type: 'layout-shift', buffered: true });
"""
READ = "() => ({ ...seen, ttfb: performance.getEntriesByType('navigation')[0].responseStart })"


@dataclass
class Visit:
    """Once to one page. `requests` reached the server, the socket among them; `bytes` is what came over the wire."""

    requests: int
    bytes: int
    html_bytes: int
    html_wire: int
    paint_ms: float
    shift: float
    element: str
    moved: list[str] = field(default_factory=list)


@dataclass
class Traffic:
    """What the browser sent to the server and got from it."""

    requests: dict[str, str] = field(default_factory=dict)
    cached: set[str] = field(default_factory=set)
    lengths: dict[str, int] = field(default_factory=dict)
    sockets: int = 0
    document: str = ""

    def listen(self, session: CDPSession) -> None:
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self.add_request)
        session.on("Network.requestServedFromCache", lambda event: self.cached.add(event["requestId"]))
        session.on("Network.responseReceived", self.add_response)
        session.on("Network.loadingFinished", self.add_length)
        session.on("Network.webSocketCreated", self.add_socket)

    def add_request(self, event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            self.requests[event["requestId"]] = event["request"]["url"]
            if event.get("type") == "Document":
                self.document = event["requestId"]

    def add_response(self, event: dict[str, Any]) -> None:
        if event["response"].get("fromDiskCache"):
            self.cached.add(event["requestId"])

    def add_length(self, event: dict[str, Any]) -> None:
        self.lengths[event["requestId"]] = int(event["encodedDataLength"])

    def add_socket(self, event: dict[str, Any]) -> None:
        self.sockets += 1

    @property
    def reached(self) -> list[str]:
        return [identifier for identifier in self.requests if identifier not in self.cached]


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="docrouter-pages-"))
    product = Product(folder, environment={"STATIC_ROOT": str(folder / "data" / "static")}).start()
    try:
        organization, session, one, many = prepare(product)
        take_picture(product, organization, session, one)
        product.stop()
        product.start()  # only files that lie there when it starts are served
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            compare(browser, product, session, list_addresses(organization, one, many))
            browser.close()
    finally:
        product.stop()
        shutil.rmtree(folder, ignore_errors=True)


def prepare(product: Product) -> tuple[str, str, str, str]:
    """Ids: the organization, the session of its admin, a document of one page, and one of many."""
    product.wait_until(product.is_ready, "every worker")
    organization, session = run(product, "-c", SIGN_IN)
    [(name,)] = product.query("SELECT name FROM accounts_organization")
    run(product, "seed_demo", "--organization", name, *DEMO)
    one, many = run(product, "-c", FILL, organization)
    read = f"SELECT status FROM documents_reading WHERE document_id = '{many}'"
    product.wait_until(lambda: product.query(read) == [("completed",)], "the reading", seconds=300)
    return organization, session, one, many


def run(product: Product, *arguments: str) -> list[str]:
    answer = product.run(*arguments)
    if answer.returncode:
        sys.exit(answer.stderr)
    return answer.stdout.split()


def take_picture(product: Product, organization: str, session: str, document: str) -> None:
    address = f"{product.url}/orgs/{organization}/documents/{document}/pages/1.webp?w=1200"
    request = urllib.request.Request(address, headers={"Cookie": f"sessionid={session}"})
    with urllib.request.urlopen(request) as answer:
        (product.folder / "data" / PICTURE).write_bytes(answer.read())
    (product.folder / "data" / "static" / "bare.html").write_text(BARE)


def list_addresses(organization: str, one: str, many: str) -> dict[str, str]:
    root = f"/orgs/{organization}"
    names = ("inbox", "agent", "schemas", "prompts", "tags", "settings", "audit")
    return {
        "document, 1 page": f"{root}/documents/{one}",
        f"document, {MANY_PAGES} pages": f"{root}/documents/{many}",
        "document, Agent tab": f"{root}/documents/{one}/agent",
        "documents": f"{root}/documents",
        **{name: f"{root}/{name}" for name in names},
    }


def compare(browser: Browser, product: Product, session: str, addresses: dict[str, str]) -> None:
    """Prints a line a page. The bare page is taken anew beside each visit: the machine may be busy."""
    print(f"{'':22} requests      KB over wire     HTML KB           CLS   LCP - TTFB ms            beside bare")
    print(
        f"{'':22}cold warm    cold  warm   plain  wire                cold  warm  bare warm    cold  warm", flush=True
    )
    for name, address in addresses.items():
        colds, warms, bare_colds, bare_warms = [], [], [], []
        for _ in range(ROUNDS):
            bare_cold, bare_warm = visit_twice(browser, product, session, "/static/bare.html")
            cold, warm = visit_twice(browser, product, session, address)
            for visits, visit in ((colds, cold), (warms, warm), (bare_colds, bare_cold), (bare_warms, bare_warm)):
                visits.append(visit)
        print_line(name, colds, warms, bare_colds, bare_warms)


def print_line(
    name: str, colds: list[Visit], warms: list[Visit], bare_colds: list[Visit], bare_warms: list[Visit]
) -> None:
    cold, warm = colds[-1], warms[-1]
    paint, again = median_paint(colds), median_paint(warms)
    bare, bare_again = median_paint(bare_colds), median_paint(bare_warms)
    shift = max(visit.shift for visit in colds + warms)
    moved = f" moved: {' '.join(sorted(set(cold.moved + warm.moved)))}" if shift > 0.001 else ""
    columns = (
        f"{name:22}{max(visit.requests for visit in colds):4} {max(visit.requests for visit in warms):4}",
        f"{cold.bytes / 1024:6.0f} {warm.bytes / 1024:5.0f}",
        f"{cold.html_bytes / 1024:7.1f} {cold.html_wire / 1024:5.1f}",
        f"{shift:12.4f}",
        f"{paint:7.0f} {again:5.0f} {bare:4.0f} {bare_again:4.0f}",
        f"{paint / bare:6.1f} {again / bare_again:5.1f}",
        f"{cold.element}{moved}",
    )
    print("  ".join(columns), flush=True)


def median_paint(visits: list[Visit]) -> float:
    return statistics.median(visit.paint_ms for visit in visits)


def visit_twice(browser: Browser, product: Product, session: str, address: str) -> tuple[Visit, Visit]:
    context = browser.new_context(base_url=product.url, viewport=VIEWPORT)
    context.add_cookies([{"name": "sessionid", "value": session, "url": product.url}])
    context.add_init_script(WATCH)
    try:
        return visit_page(context, address), visit_page(context, address)
    finally:
        context.close()


def visit_page(context: BrowserContext, address: str) -> Visit:
    page = context.new_page()
    traffic = Traffic()
    traffic.listen(context.new_cdp_session(page))
    response = page.goto(address, wait_until="load")
    assert response is not None and response.ok, address
    wait_until_quiet(page, traffic)
    seen = page.evaluate(READ)
    visit = Visit(
        requests=len(traffic.reached) + traffic.sockets,
        bytes=sum(traffic.lengths.get(identifier, 0) for identifier in traffic.reached),
        html_bytes=len(response.body()),
        html_wire=traffic.lengths.get(traffic.document, 0),
        paint_ms=seen["lcp"] - seen["ttfb"],
        shift=seen["shift"],
        element=seen["element"],
        moved=seen["moved"],
    )
    page.close()
    return visit


def wait_until_quiet(page: Page, traffic: Traffic) -> None:
    number, waited = -1, 0
    while number != len(traffic.lengths) and waited < LONGEST_MS:
        number = len(traffic.lengths)
        page.wait_for_timeout(QUIET_MS)
        waited += QUIET_MS


if __name__ == "__main__":
    main()
