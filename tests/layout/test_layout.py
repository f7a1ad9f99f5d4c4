"""Every page of the product with the hardest data, at seven widths, light and dark: what a person would call broken."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from itertools import product as pairs
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright

from tests.api.test_access import ROUTES, ROWS, address
from tests.browser.conftest import ARGUMENTS, Complaints
from tests.needs import chromium
from tests.product import Product

Problems = dict[tuple[str, str], list[str]]
Looks = tuple[tuple[int, Any], ...]

# 640: a laptop's window at 200 % zoom, which is also low.
WIDTHS = (390, 640, 820, 1024, 1280, 1440, 1920)
HEIGHTS = {640: 400}
# With letters of twice the size a laptop shows what a narrow window shows, and a large screen what a laptop does.
LARGE_TEXT_WIDTHS = (1280, 1920)
AXE_WIDTH = 1280
THEMES: tuple[Any, ...] = ("light", "dark")
# What is dark differs in colours alone; that this moves nothing is seen on a phone and on a laptop.
LOOKS = (*pairs(WIDTHS, THEMES[:1]), *pairs((WIDTHS[0], AXE_WIDTH), THEMES[1:]))
LARGE_TEXT_LOOKS = tuple(pairs(LARGE_TEXT_WIDTHS, THEMES[:1]))
CHECKS = (Path(__file__).parent / "checks.js").read_text()
AXE = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text()
# Best practice beside WCAG 2.2 A and AA, which is axe's default.
RUN_AXE = """() => axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations.map(
    (rule) => `${rule.id}: ${rule.nodes.map((node) => node.target.join(' ')).slice(0, 3).join(', ')}`))"""
QUIET = "() => !document.querySelector('.htmx-request') && document.fonts.status === 'loaded'"
# Twice: what an observer of sizes changes is laid out in the frame after its own.
DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
# A colour on its way to another one is neither.
FINISH_COLOURS = """() => document.getAnimations().filter((each) => each instanceof CSSTransition)
    .forEach((each) => each.finish())"""
PARTS = 4
OWN_COLUMNS = "&".join(f"column={name}" for name in ("@name", "total", "@kind", "@checks", "@state", "vendor"))


class Rows(dict[Any, Any]):
    """Rows of the running product, of which only the ids are known here."""

    def __init__(self, ids: dict[str, str]) -> None:
        self.ids = ids

    def __missing__(self, model: type[Any]) -> SimpleNamespace:
        return SimpleNamespace(pk=self.ids[model.__name__], organization_id=self.ids["Organization"])


def pages_of(context: BrowserContext, ids: dict[str, str]) -> dict[str, str]:
    """Every address of the URLconf that answers with a whole page, and the documents and threads that are hard."""
    names = [name for name, method, *_ in ROWS if method == "GET" and not name.startswith("v0-")]
    paths = {name: address(ROUTES[name], Rows(ids)) for name in names}
    pages = {name: path for name, path in paths.items() if is_page(context, path)}
    document = f"/orgs/{ids['Organization']}/documents"
    hard = {
        "document, long name": f"{document}/{ids['long']}",
        "document, 200 pages": f"{document}/{ids['many']}",
        "document, tree": f"{document}/{ids['nested']}",
        "document, 200 rows": f"{document}/{ids['table']}",
        "agent tab, card": f"{document}/{ids['table']}/agent?thread={ids['thread']}",
        "compare, long names": f"{document}/compare?ids={ids['long']}+{ids['many']}",
        "split, long name": f"{document}/{ids['long']}/split",
        "split, 200 pages": f"{document}/{ids['many']}/split",
        "form of a check": f"/orgs/{ids['Organization']}/schemas/{ids['Schema']}/checks/edit?kind=product",
        "search, hits": f"/orgs/{ids['Organization']}/search?q=invoice",
        "consent": f"/oauth/authorize?{ids['consent']}",
        "documents, columns": f"{document}?q=invoice&{OWN_COLUMNS}",
        "not found": f"/orgs/{ids['Organization']}/nothing",
    }
    return pages | hard


@pytest.fixture(scope="session")
def pages(browser: Browser, product: Product, session: Any, ids: dict[str, str]) -> dict[str, str]:
    with open_context(browser, product, session) as context:
        return pages_of(context, ids)


@pytest.fixture(params=range(PARTS))
def part(request: pytest.FixtureRequest, pages: dict[str, str]) -> dict[str, str]:
    """Some of the pages: so the tests can be shared out."""
    return dict(list(pages.items())[request.param :: PARTS])


def is_page(context: BrowserContext, path: str) -> bool:
    answer = context.request.get(path, max_redirects=0)
    is_html = answer.headers.get("content-type", "").startswith("text/html")
    return is_html and "content-disposition" not in answer.headers and "<html" in answer.text()


@pytest.fixture
def context(browser: Browser, product: Product, session: Any) -> Iterator[BrowserContext]:
    with open_context(browser, product, session) as opened:
        yield opened


@pytest.fixture(scope="session")
def large_text_browser(playwright: Playwright) -> Iterator[Browser]:
    """In which somebody has set the text twice as large, which no page may notice but by its own units."""
    launched = playwright.chromium.launch(
        executable_path=chromium(), args=[*ARGUMENTS, "--blink-settings=defaultFontSize=32"]
    )
    yield launched
    launched.close()


@pytest.fixture
def with_large_text(large_text_browser: Browser, product: Product, session: Any) -> Iterator[BrowserContext]:
    with open_context(large_text_browser, product, session) as opened:
        yield opened


@contextmanager
def open_context(browser: Browser, product: Product, session: Any) -> Iterator[BrowserContext]:
    opened = browser.new_context(base_url=product.url, viewport={"width": 1280, "height": 900})
    opened.add_cookies(session)
    yield opened
    opened.close()


def visit(page: Page, path: str) -> None:
    answer = page.goto(path, wait_until="load")
    assert answer, path
    assert answer.status < 500, path
    page.wait_for_function(QUIET)


def test_nothing_is_cut_squeezed_or_off_the_side_and_axe_finds_nothing(
    context: BrowserContext, part: dict[str, str]
) -> None:
    """In one walk: to load a page takes longer than to look at it."""
    assert not (problems := walk(context, part, LOOKS, with_axe=True)), report(problems)


def test_nothing_is_lost_with_text_twice_as_large(with_large_text: BrowserContext, part: dict[str, str]) -> None:
    assert not (problems := walk(with_large_text, part, LARGE_TEXT_LOOKS)), report(problems)


def walk(context: BrowserContext, pages: dict[str, str], looks: Looks, *, with_axe: bool = False) -> Problems:
    """Each page is loaded once: its width and its theme change while it is open, as in front of a person."""
    complaints, problems = Complaints(), Problems()
    page = context.new_page()
    page.on("console", complaints.hear)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for name, path in pages.items():
        page.emulate_media(color_scheme=looks[0][1])
        page.set_viewport_size({"width": looks[0][0], "height": 900})
        visit(page, path)
        for width, theme in looks:
            change_look(page, width, theme)
            for problem in page.evaluate(CHECKS):
                problems.setdefault((name, problem), []).append(f"{width} {theme}")
        for theme, problem in run_axe(page, name) if with_axe else ():
            problems.setdefault((name, problem), []).append(theme)
        # Pages that refuse say so with their status, which the console repeats.
        problems |= {(name, each): ["console"] for each in complaints if "Failed to load resource" not in each}
        complaints.clear()
    return problems


def change_look(page: Page, width: int, theme: Any) -> None:
    page.set_viewport_size({"width": width, "height": HEIGHTS.get(width, 900)})
    page.emulate_media(color_scheme=theme)
    page.evaluate(DRAWN)


def run_axe(page: Page, name: str) -> Iterator[tuple[str, str]]:
    """Each theme with what is wrong in it."""
    if name == "v0-docs":
        page.locator(".swagger-ui .opblock-tag").first.wait_for()
    page.evaluate(AXE)
    for theme in reversed(THEMES):  # dark is how the page stands
        change_look(page, AXE_WIDTH, theme)
        page.evaluate(FINISH_COLOURS)
        yield from ((theme, problem) for problem in page.evaluate(RUN_AXE))


def report(problems: Problems) -> str:
    lines = [f"{name} ({', '.join(where)}): {problem}" for (name, problem), where in problems.items()]
    return f"{len(lines)} problems\n" + "\n".join(lines)
