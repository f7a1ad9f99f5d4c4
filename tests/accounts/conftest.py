from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from accounts.actor import Actor
from docrouter.mail_servers import describe_mail_server
from tests.mail_server import MailServer, run_mail_server
from tests.oauth_client import Program
from tests.page_client import PageClient


@pytest.fixture(scope="session")
def running_mail_server() -> Iterator[MailServer]:
    with run_mail_server() as server:
        yield server


@pytest.fixture
def mail_server(running_mail_server: MailServer, settings: Any) -> MailServer:
    """The one that the settings name."""
    running_mail_server.forget()
    server = describe_mail_server(running_mail_server.url)
    settings.EMAIL_URL = running_mail_server.url
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = server.backend, server.host, server.port
    return running_mail_server


@pytest.fixture
def program(actor: Actor, settings: Any) -> Program:
    settings.OAUTH_PER_MINUTE = 0  # any number; all tests have one address
    person = PageClient()
    person.force_login(actor.user)
    return Program(person)


@pytest.fixture
def connected(program: Program, actor: Actor) -> dict[str, Any]:
    return program.connect(actor.organization.pk)
