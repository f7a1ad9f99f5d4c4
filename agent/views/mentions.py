"""What can be named with @ in a message."""

from __future__ import annotations

from django.http import JsonResponse
from django.views.decorators.http import require_GET

from accounts.views.pages import PageRequest, organization_page
from agent.conversation import mentions


@require_GET
@organization_page()
def list_offers(request: PageRequest) -> JsonResponse:
    return JsonResponse(dict(mentions.find_offers(request.actor, request.GET.get("q", ""))))
