"""Pages, API and MCP over HTTP, one socket a page. Sockets are taken from our own origin only."""

from __future__ import annotations

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import OriginValidator
from django.core.asgi import get_asgi_application

from kit.http.origins import socket_origins
from kit.http.request_thread import with_own_thread

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "docrouter.settings")
django = get_asgi_application()

from agent.mcp.application import with_mcp  # noqa: E402 - models can be imported only after Django's start above
from agent.routing import websocket_urlpatterns  # noqa: E402 - as above
from docrouter.health import with_probes  # noqa: E402 - as above

application = ProtocolTypeRouter(
    {
        "http": with_probes(with_own_thread(with_mcp(django))),
        "websocket": OriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)), socket_origins()),
    }
)
