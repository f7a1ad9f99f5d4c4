"""From which pages a socket may be opened: exact scheme, host and port.

A host alone is not enough: whatever else runs on this machine has the host of our own loopback address.
"""

from __future__ import annotations

from django.conf import settings


def socket_origins() -> list[str]:
    """Behind a proxy the page's address is PUBLIC_URL; on this machine it is loopback with our port."""
    loopback = (f"http://{host}:{settings.PORT}" for host in ("localhost", "127.0.0.1", "[::1]"))
    return [settings.PUBLIC_URL, *loopback]
