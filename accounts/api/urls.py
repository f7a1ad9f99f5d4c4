from __future__ import annotations

from django.urls import path

from accounts.api import mails, memberships, tokens, users
from accounts.api.organizations import OneOrganization, Organizations, TokenOrganization

_EMAIL = "account/email"
_O = "orgs/<str:organization_id>"
urlpatterns = [
    path("account/organizations", Organizations.as_view(), name="v0-organizations"),
    path("account/organizations/<str:organization_id>", OneOrganization.as_view(), name="v0-organization"),
    path("account/users", users.Users.as_view(), name="v0-users"),
    path("account/users/<str:user_id>", users.OneUser.as_view(), name="v0-user"),
    path("account/users/<str:user_id>/password_link", mails.PasswordResetLink.as_view(), name="v0-password-link"),
    path(f"{_EMAIL}/passwords", mails.PasswordResets.as_view(), name="v0-passwords"),
    path(f"{_EMAIL}/passwords/<str:user_id>/<str:token>", mails.PasswordReset.as_view(), name="v0-password"),
    path(f"{_EMAIL}/verification/send/<str:user_id>", mails.SendVerification.as_view(), name="v0-address-send"),
    path(f"{_EMAIL}/verification/register/<str:user_id>", mails.RegisterVerification.as_view(), name="v0-address-new"),
    path(f"{_EMAIL}/verification/<str:token>", mails.Verification.as_view(), name="v0-address"),
    path(f"{_EMAIL}/invitations", memberships.Invitations.as_view(), name="v0-invitations"),
    path(f"{_EMAIL}/invitations/<str:token>", memberships.OneInvitation.as_view(), name="v0-invitation"),
    path(f"{_EMAIL}/invitations/<str:token>/accept", memberships.AcceptInvitation.as_view(), name="v0-join"),
    path("account/invitations/<str:invitation_id>", memberships.Withdrawal.as_view(), name="v0-invitation-withdraw"),
    path("account/token/organization", TokenOrganization.as_view(), name="v0-token-organization"),
    path("account/access_tokens", tokens.AccountTokens.as_view(), name="v0-account-tokens"),
    path("account/access_tokens/<str:token_id>", tokens.AccountToken.as_view(), name="v0-account-token"),
    path(f"{_O}/members/<str:user_id>", memberships.OneMember.as_view(), name="v0-member"),
    path(f"{_O}/access_tokens", tokens.OrganizationTokens.as_view(), name="v0-tokens"),
    path(f"{_O}/access_tokens/<str:token_id>", tokens.OrganizationToken.as_view(), name="v0-token"),
]
