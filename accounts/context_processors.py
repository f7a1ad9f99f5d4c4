from __future__ import annotations

from django.http import HttpRequest


def shell(request: HttpRequest) -> dict[str, object]:
    """Values for every page's frame, filled by the page views' `organization_page` decorator."""
    return {"actor": getattr(request, "actor", None), "generation": getattr(request, "generation", "")}
