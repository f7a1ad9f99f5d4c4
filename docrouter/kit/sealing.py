"""Small secrets in rows (a PDF's password) are encrypted with a key derived from SECRET_KEY."""

from __future__ import annotations

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


def _fernet() -> Fernet:
    digest = hashlib.sha256(b"docrouter.sealing:" + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(digest))


def seal(text: str) -> str:
    return _fernet().encrypt(text.encode()).decode()


def unseal(sealed: str) -> str | None:
    """The text, or None when SECRET_KEY has changed since."""
    try:
        return _fernet().decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None
