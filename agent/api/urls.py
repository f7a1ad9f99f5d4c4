from __future__ import annotations

from django.urls import path

from agent.api import decisions

urlpatterns = [
    path(
        "orgs/<str:organization_id>/tool_calls/<str:call_id>/decision",
        decisions.CallDecision.as_view(),
        name="v0-call-decision",
    ),
]
