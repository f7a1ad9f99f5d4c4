"""The embedded mode keeps all in DATA_DIR, so that one folder is the whole installation."""

from __future__ import annotations

import hashlib
import os
import secrets
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

_LONGEST_SOCKET_PATH = 100  # sockaddr_un holds 108 bytes


def redis_socket(data_dir: Path) -> Path:
    """Where the embedded Redis listens: inside DATA_DIR, or in a private folder when that path is too long."""
    path = data_dir / "redis" / "redis.sock"
    if len(str(path)) <= _LONGEST_SOCKET_PATH:
        return path
    digest = hashlib.sha256(str(data_dir).encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"docrouter-{os.getuid()}-{digest}" / "redis.sock"


def celery_url(redis_url: str) -> str:
    """Celery's spelling of a Redis address: unix sockets are redis+socket:// there."""
    parts = urlsplit(redis_url)
    return f"redis+socket://{parts.path}" if parts.scheme == "unix" else redis_url


def secret_key(data_dir: Path, *, required: bool) -> str:
    """The key generated into DATA_DIR on the first start. With an external database it must be given."""
    if required:
        raise ImproperlyConfigured("SECRET_KEY: must be set when DATABASE_URL is. Any long random text will do.")
    path = data_dir / "secret_key"
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip() or _half_written(path)
    except OSError as error:
        raise ImproperlyConfigured(f"DATA_DIR: {data_dir} cannot be written to ({error.strerror}).") from error
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(key := secrets.token_urlsafe(50))
    return key


def _half_written(path: Path) -> str:
    raise ImproperlyConfigured(f"SECRET_KEY: the file {path} is empty. Delete it, and a new one is made.")
