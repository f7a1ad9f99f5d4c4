"""Every address. `/admin/login/` is ours and has to stand before the admin's own."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path

from accounts.api.access import UnknownRoute
from docrouter.openapi import views as openapi

v0: list[URLPattern | URLResolver] = [
    path("", include("accounts.api.urls")),
    path("", include("documents.api.urls")),
    path("", include("agent.api.urls")),
    path("openapi.json", openapi.OpenApiDocument.as_view(), name="v0-openapi"),
    path("docs", openapi.docs, name="v0-docs"),
    re_path("", UnknownRoute.as_view(), name="unknown-route"),
]
urlpatterns = [
    path("", include("accounts.urls")),
    path("", include("documents.urls")),
    path("", include("agent.urls")),
    path("v0/", include(v0)),
    path("admin/", admin.site.urls),
]
handler400 = "accounts.views.failures.bad_request"
handler500 = "accounts.views.failures.server_error"
