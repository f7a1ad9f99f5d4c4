"""Cards on a page, and the form that decides them."""

from __future__ import annotations

from accounts.actor import Actor
from agent.models import Thread
from tests.agent.test_pages import address, as_member, browser, decision  # noqa: F401 - browser is a fixture
from tests.page_client import PageClient

HTMX = {"HTTP_HX_REQUEST": "true"}


def page(browser: PageClient, actor: Actor, thread: Thread) -> str:  # noqa: F811
    return browser.get(address("thread-items", actor, thread.pk)).content.decode()
