"""Secrets in rows are encrypted: with keys derived from SECRET_KEY, providers' keys with one of their own."""

from __future__ import annotations

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


def seal(text: str) -> str:
    return _seal().encrypt(text.encode()).decode()


def unseal(sealed: str) -> str | None:
    """The text, or None when SECRET_KEY does not name the one that it was sealed with any more."""
    return _decrypt(_seal(), sealed)


def seal_key(text: str) -> str:
    return _key_seal().encrypt(text.encode()).decode()


def unseal_key(sealed: str) -> str | None:
    """The text, or None when the secret it was sealed with is not known any more."""
    return _decrypt(_key_seal(), sealed)


def reseal_key(sealed: str) -> str | None:
    """Seal the text anew under the newest secret; None when it cannot be opened."""
    try:
        return _key_seal().rotate(sealed.encode()).decode()
    except InvalidToken:
        return None


def list_secrets() -> list[str]:
    """List the keys of SECRET_KEY, the one that seals and signs first."""
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def _seal() -> MultiFernet:
    return MultiFernet([_fernet("sealing", secret) for secret in list_secrets()])


def _key_seal() -> MultiFernet:
    """The first of PROVIDER_KEY_SECRET seals; the others open what was sealed before it, SECRET_KEY as the last."""
    secrets = [*settings.PROVIDER_KEY_SECRET, *list_secrets()]
    return MultiFernet([_fernet("provider-keys", secret) for secret in secrets])


def _fernet(purpose: str, secret: str) -> Fernet:
    digest = hashlib.sha256(f"docrouter.{purpose}:{secret}".encode()).digest()
    return Fernet(base64.urlsafe_b64encode(digest))


def _decrypt(fernet: Fernet | MultiFernet, sealed: str) -> str | None:
    try:
        return fernet.decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None
