"""An installation gets its first admin from the environment or the first visitor. Never a fixed password."""

from __future__ import annotations

import hmac
import logging
import secrets
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.utils import timezone

from accounts.models import FirstRun, Organization, User
from accounts.services import organizations, users
from accounts.services.tokens import digest
from kit.errors import Conflict, Denied, Invalid

log = logging.getLogger(__name__)
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
WRONG_CODE = "This is not the code. The newest one is in the log of this installation."
DONE = "This installation has its admin already. Sign in."


def prepare() -> None:
    """After the migrations of each start: makes the admin that the environment names, or a code for the first visitor.

    Raises ImproperlyConfigured when ADMIN_EMAIL and ADMIN_PASSWORD cannot be used.
    """
    if not is_open():
        return
    if settings.ADMIN_EMAIL:
        _claim_from_environment()
    else:
        code = create_code()
        log.warning("Open %s/first-run to make the admin. Not from this machine? The code is %s", _address(), code)


def is_open() -> bool:
    """True until there is a first person."""
    return not User.objects.exists()


def create_code() -> str:
    """A new one-time code; the one before it no longer counts."""
    code = "-".join(secrets.token_hex(2) for _ in range(3))
    FirstRun.objects.update_or_create(name="first run", defaults={"code_digest": digest(code)})
    return code


def is_local_visitor(*, remote_address: str, host: str, forwarded: bool) -> bool:
    """True when the visitor sits at this machine, so that no code is asked.

    All must say so: behind a proxy on this machine every visitor comes from 127.0.0.1, whatever host they asked for.
    """
    public = urlsplit(settings.PUBLIC_URL).hostname or ""
    host_name = urlsplit(f"//{host}").hostname or ""
    return not forwarded and all(name in LOOPBACK for name in (remote_address, host_name, public))


def claim(*, organization: str, email: str, password: str, code: str, free: bool) -> tuple[User, Organization]:
    """Makes the admin and the first organization, once. Raises Conflict for whoever comes second, Denied, Invalid."""
    if not free:
        _check_code(code)
    with transaction.atomic():
        _claim_row()
        user = users.create(None, email=email, password=password, is_superuser=True)
        return user, organizations.create(user, name=organization, type=Organization.Type.TEAM)


def _check_code(code: str) -> None:
    row = FirstRun.objects.first()
    if row is None or not hmac.compare_digest(row.code_digest, digest(code.strip().lower())):
        raise Denied(WRONG_CODE)


def _claim_row() -> None:
    """The conditional UPDATE holds the row until the commit, so a second visitor waits and then matches nothing."""
    FirstRun.objects.get_or_create(name="first run")
    won = FirstRun.objects.filter(claimed_at=None).update(claimed_at=timezone.now())
    if not won or User.objects.exists():
        raise Conflict(DONE)


def _claim_from_environment() -> None:
    if not settings.ADMIN_PASSWORD:
        raise ImproperlyConfigured("ADMIN_PASSWORD: must be set when ADMIN_EMAIL is.")
    try:
        claim(
            organization=settings.ADMIN_EMAIL.partition("@")[2] or settings.ADMIN_EMAIL,
            email=settings.ADMIN_EMAIL,
            password=settings.ADMIN_PASSWORD,
            code="",
            free=True,
        )
    except Invalid as error:
        names = {"email": "ADMIN_EMAIL", "password": "ADMIN_PASSWORD"}
        where = error.problems[0].where if error.problems else ""
        raise ImproperlyConfigured(f"{names.get(where, 'ADMIN_EMAIL')}: {error.sentence}") from error
    except Conflict:
        log.info("another process made the admin")


def _address() -> str:
    return str(settings.PUBLIC_URL)
