from __future__ import annotations

from django.urls import path

from accounts.api.organizations import Organizations, TokenOrganization

urlpatterns = [
    path("account/organizations", Organizations.as_view(), name="v0-organizations"),
    path("account/token/organization", TokenOrganization.as_view(), name="v0-token-organization"),
]
