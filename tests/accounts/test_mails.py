"""Mails on their way: what a slow, refusing or absent server does to them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone

from accounts.models import MAIL_LEASE, OutgoingMail, User
from accounts.services.mail import outbox, sending
from docrouter.mail_servers import MailServer as Server
from docrouter.mail_servers import describe_mail_server, read_sender
from tests.mail_server import MailServer

RESET = OutgoingMail.Kind.PASSWORD_RESET


@pytest.fixture
def mail(user: User, mail_server: MailServer) -> OutgoingMail:
    return outbox.queue_mail(RESET, user.email)


def send_again(mail: OutgoingMail) -> OutgoingMail:
    OutgoingMail.objects.update(due_at=timezone.now())
    assert sending.send_next()
    mail.refresh_from_db()
    return mail


def test_what_the_server_puts_off_is_tried_again_later(mail: OutgoingMail, mail_server: MailServer) -> None:
    mail_server.answer = "451 Try again"
    assert send_again(mail).status == "waiting"
    assert mail.due_at > timezone.now() + timedelta(seconds=50)
    assert mail.reason == "The mail server refused it: 451 Try again"
    assert not sending.send_next()
    mail_server.answer = "250 OK"
    assert (send_again(mail).status, mail.reason, mail.attempt) == ("sent", "", 2)
    assert len(mail_server.mails) == 1


@pytest.mark.parametrize(
    ("part", "answer"), [("answer", "550 No such mailbox"), ("data_answer", "554 This looks like spam")]
)
def test_what_the_server_refuses_for_good_is_given_up(
    mail: OutgoingMail, mail_server: MailServer, part: str, answer: str
) -> None:
    setattr(mail_server, part, answer)
    assert send_again(mail).status == "failed"
    assert mail.reason == f"The mail server refused it: {answer}"


def test_without_an_answer_it_is_given_up_after_five_attempts(mail: OutgoingMail, settings: Any) -> None:
    settings.EMAIL_PORT = 1
    tries = [send_again(mail).status for _ in range(5)]
    assert tries == ["waiting"] * 4 + ["failed"]
    assert mail.reason.startswith("The mail server cannot be reached (")


def test_a_mail_whose_worker_died_is_sent_by_another(mail: OutgoingMail, mail_server: MailServer) -> None:
    assert MAIL_LEASE.claim(mail, attempt=1)
    OutgoingMail.objects.update(lease_until=timezone.now())
    assert sending.requeue_mails() == 1
    assert send_again(mail).status == "sent"
    assert len(mail_server.mails) == 1


def test_a_mail_whose_worker_dies_each_time_is_given_up(mail: OutgoingMail) -> None:
    assert MAIL_LEASE.claim(mail, attempt=9)
    OutgoingMail.objects.update(lease_until=timezone.now())
    sending.requeue_mails()
    mail.refresh_from_db()
    assert (mail.status, mail.reason) == ("failed", sending.STOPPED)


def test_old_ones_are_forgotten_and_waiting_ones_are_not(mail: OutgoingMail) -> None:
    OutgoingMail.objects.update(created_at=timezone.now() - timedelta(days=8))
    assert sending.delete_old() == 0
    send_again(mail)
    assert sending.delete_old() == 1


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("", Server()),
        ("smtp://mail.example", Server(host="mail.example")),
        ("smtp+tls://u%40x:p%2Fw@mail.example", Server("mail.example", 587, "u@x", "p/w", begins_tls=True)),
        ("smtps://mail.example:2465", Server("mail.example", 2465, is_tls=True)),
        ("file:///var/mails", Server(file_path="/var/mails")),
    ],
)
def test_the_server_is_named_by_its_address(url: str, server: Server) -> None:
    assert describe_mail_server(url) == server


@pytest.mark.parametrize("url", ["mail.example", "http://mail.example", "smtp://", "smtp://:secret@h:port", "file://"])
def test_an_address_of_no_server_stops_the_start_and_shows_no_password(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="EMAIL_URL") as refused:
        describe_mail_server(url)
    assert "secret" not in str(refused.value)


def test_the_sender_is_an_address() -> None:
    assert read_sender("", host="127.0.0.1") == "DocRouter <docrouter@127.0.0.1>"
    assert read_sender("Docs <docs@acme.example>", host="x") == "Docs <docs@acme.example>"
    with pytest.raises(ImproperlyConfigured, match="EMAIL_FROM"):
        read_sender("nobody", host="x")
