"""The mail server of the settings, by its address: smtp+tls://user:password@mail.example.com:587."""

from __future__ import annotations

from email.utils import parseaddr
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

_EXPECTED = (
    "an address like smtp+tls://user:password@mail.example.com:587 (STARTTLS), smtps://… (TLS from the first byte), "
    "smtp://… (neither) or file:///var/mails"
)
_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}


class MailServer(NamedTuple):
    """Values of Django's settings EMAIL_…. `begins_tls` is STARTTLS, `is_tls` TLS from the first byte."""

    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    begins_tls: bool = False
    is_tls: bool = False
    file_path: str | None = None

    @property
    def backend(self) -> str:
        name = "filebased" if self.file_path else "smtp"
        return f"django.core.mail.backends.{name}.EmailBackend"


def describe_mail_server(url: str) -> MailServer:
    """Without an address one that is never asked. Raises ImproperlyConfigured."""
    try:
        return _describe(urlsplit(url)) if url else MailServer()
    except (ValueError, KeyError):
        # Without the value, which holds a password.
        raise ImproperlyConfigured(f"EMAIL_URL: the value is not {_EXPECTED}.") from None


def _describe(parts: SplitResult) -> MailServer:
    if parts.scheme == "file":
        return MailServer(file_path=_require(parts.path))
    return MailServer(
        host=_require(parts.hostname),
        port=parts.port or _PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        begins_tls=parts.scheme == "smtp+tls",
        is_tls=parts.scheme == "smtps",
    )


def _require(text: str | None) -> str:
    if not text:
        raise ValueError
    return text


def read_sender(sender: str, *, host: str) -> str:
    """`Name <address>` or an address; without one an address of this installation. Raises ImproperlyConfigured."""
    if not sender:
        return f"DocRouter <docrouter@{host}>"
    try:
        validate_email(parseaddr(sender)[1])
    except ValidationError:
        sentence = f"EMAIL_FROM: {sender!r} is not an address like DocRouter <docs@example.com>."
        raise ImproperlyConfigured(sentence) from None
    return sender
