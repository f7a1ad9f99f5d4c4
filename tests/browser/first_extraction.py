"""From an empty installation to the first verified extraction, with the presses that it takes. A benchmark prints it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import EMAIL, LONG, ORGANIZATION, PASSWORD


@dataclass
class Journey:
    """`steps`: what was pressed, and the seconds since the first page was there. Typing into a field is no press."""

    began: float = field(default_factory=time.monotonic)
    steps: list[tuple[str, float]] = field(default_factory=list)

    def press(self, button: Locator) -> None:
        expect(button).to_be_enabled(timeout=LONG)
        words = " ".join(button.inner_text().split())
        button.click()
        self.steps.append((words, time.monotonic() - self.began))

    @property
    def presses(self) -> int:
        return len(self.steps)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began


def verify_first_extraction(page: Page) -> Journey:
    """On a product that nobody has set up. Ends when the sample is verified."""
    page.goto("/")
    page.get_by_label("Organization").fill(ORGANIZATION)
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    journey = Journey()
    journey.press(page.locator("form .btn-primary"))
    journey.press(page.get_by_role("button", name="Try with 3 samples"))
    journey.press(page.locator(".setup").get_by_role("button", name="Accept"))
    check = page.get_by_role("link", name="Check the values")
    expect(check).to_be_focused(timeout=LONG)
    journey.press(check)
    # The IBAN of the sample has a wrong check digit: to verify it all the same is a press of its own.
    journey.press(page.get_by_role("button", name="Verify anyway"))
    expect(page.locator("#topbar .state")).to_have_text("Verified", timeout=LONG)
    return journey
