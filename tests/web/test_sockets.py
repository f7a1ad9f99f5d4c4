"""Sockets over the real web process."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from accounts.actor import Actor
from tests.web_process import WebProcess

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_page_says_hello_and_no_more(web: WebProcess, actor: Actor) -> None:
    browser = Client()
    browser.force_login(actor.user)
    cookie = f"{settings.SESSION_COOKIE_NAME}={browser.cookies[settings.SESSION_COOKIE_NAME].value}"
    address = f"ws://localhost:{web.port}/ws/orgs/{actor.organization.pk}"
    with connect(address, additional_headers={"Cookie": cookie}, origin=f"http://localhost:{web.port}") as socket:
        socket.send('{"kind": "hello", "last_seq": 0}')
        socket.send('{"kind": "' + "x" * 20_000 + '"}')
        with pytest.raises(ConnectionClosedError):
            socket.recv(timeout=60)
