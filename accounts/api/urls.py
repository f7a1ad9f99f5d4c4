from __future__ import annotations

from django.urls import path

from accounts.api import tokens, users
from accounts.api.organizations import OneOrganization, Organizations, TokenOrganization

_O = "orgs/<str:organization_id>"
urlpatterns = [
    path("account/organizations", Organizations.as_view(), name="v0-organizations"),
    path("account/organizations/<str:organization_id>", OneOrganization.as_view(), name="v0-organization"),
    path("account/users", users.Users.as_view(), name="v0-users"),
    path("account/users/<str:user_id>", users.OneUser.as_view(), name="v0-user"),
    path("account/token/organization", TokenOrganization.as_view(), name="v0-token-organization"),
    path("account/access_tokens", tokens.AccountTokens.as_view(), name="v0-account-tokens"),
    path("account/access_tokens/<str:token_id>", tokens.AccountToken.as_view(), name="v0-account-token"),
    path(f"{_O}/access_tokens", tokens.OrganizationTokens.as_view(), name="v0-tokens"),
    path(f"{_O}/access_tokens/<str:token_id>", tokens.OrganizationToken.as_view(), name="v0-token"),
]
