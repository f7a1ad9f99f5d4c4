"""Devices that have signed in to an account before. A stranger's failures do not lock them out.

What a device keeps is a signed cookie that names no address and opens nothing: it only counts failures apart.
"""

from __future__ import annotations

import secrets
from typing import TypedDict

from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User
from accounts.services.tokens import digest
from kit.rows.sealing import list_secrets

COOKIE = "device"
LIFETIME_SECONDS = 400 * 24 * 3600  # the most that browsers keep one
MAX_ACCOUNTS = 8
_SALT = "accounts.device"


class Device(TypedDict):
    """`accounts`: the newest last, a digest of the address and one of the password that was right."""

    id: str
    accounts: dict[str, str]


def find_device(cookie: str, email: str) -> str:
    """The device's id when it has signed in to this account with the password of today, else empty."""
    device = _read(cookie)
    mark = device["accounts"].get(_name(email))
    if mark is None:
        return ""
    user = User.objects.filter(email=User.objects.normalize_email(email)).first()
    known = [_mark(user, secret) for secret in list_secrets()] if user else []
    return device["id"] if any(constant_time_compare(mark, each) for each in known) else ""


def remember_device(cookie: str, user: User) -> str:
    """The cookie of the device after this account has signed in. Of many accounts the newest are known."""
    device = _read(cookie)
    accounts = {name: mark for name, mark in device["accounts"].items() if name != _name(user.email)}
    accounts[_name(user.email)] = _mark(user)
    newest = dict(list(accounts.items())[-MAX_ACCOUNTS:])
    return signing.dumps(Device(id=device["id"], accounts=newest), salt=_SALT)


def _read(cookie: str) -> Device:
    try:
        device: Device = signing.loads(cookie, salt=_SALT, max_age=LIFETIME_SECONDS)
    except signing.BadSignature:
        return Device(id=secrets.token_hex(8), accounts={})
    return device


def _name(email: str) -> str:
    return digest(User.objects.normalize_email(email))[:16]


def _mark(user: User, secret: str | None = None) -> str:
    """Another one after each change of the password."""
    return salted_hmac(_SALT, user.password, secret=secret, algorithm="sha256").hexdigest()[:20]
