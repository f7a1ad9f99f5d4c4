"""A real mail server on loopback, which keeps what it takes and refuses what it is told to."""

from __future__ import annotations

import email
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session


class MailServer:
    """`answer` is what it says to a recipient, `data_answer` to the mail itself: "250 OK" takes them."""

    def __init__(self) -> None:
        self.mails: list[Message] = []
        self.answer = self.data_answer = "250 OK"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def forget(self) -> None:
        self.mails.clear()
        self.answer = self.data_answer = "250 OK"

    def read_link(self) -> str:
        """The path of the only link in the newest mail."""
        text = self.mails[-1].get_payload(decode=True)
        assert isinstance(text, bytes)
        (link,) = re.findall(r"^https?://[^/]+(/\S+?)\r?$", text.decode(), re.M)
        return str(link)

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        if self.data_answer.startswith("250"):
            self.mails.append(email.message_from_bytes(envelope.content))
        return self.data_answer


@contextmanager
def run_mail_server() -> Iterator[MailServer]:
    server = MailServer()
    controller = Controller(server, hostname="127.0.0.1", port=server.port)
    controller.start()
    try:
        yield server
    finally:
        controller.stop()
