"""The password of a locked PDF, which a reading keeps encrypted."""

from __future__ import annotations

from documents.models import Reading
from kit.rows.sealing import seal, unseal


def seal_password(password: str, earlier: Reading | None) -> dict[str, str]:
    """For the settings of a reading: the one given, else the one that opened the file before."""
    if password:
        return {"password": seal(password)}
    sealed = earlier.settings.get("password") if earlier else None
    return {"password": sealed} if sealed else {}


def get_password(reading: Reading) -> str | None:
    sealed = reading.settings.get("password")
    return unseal(sealed) if sealed else None
