from __future__ import annotations

from django.urls import path

from agent.consumers import PageConsumer

websocket_urlpatterns = [path("ws/orgs/<str:org_id>", PageConsumer.as_asgi())]
