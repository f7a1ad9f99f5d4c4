from __future__ import annotations

from django.urls import path, re_path

from agent.consumers import PageConsumer, UnknownSocket

websocket_urlpatterns = [
    path("ws/orgs/<str:org_id>", PageConsumer.as_asgi()),
    # Without it each stranger who asks for another address writes an error of forty lines into the log.
    re_path("", UnknownSocket.as_asgi()),
]
