from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from docrouter.mail_servers import describe_mail_server
from tests.mail_server import MailServer, run_mail_server


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
