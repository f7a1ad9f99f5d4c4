from __future__ import annotations

from django.urls import include, path
from oauth2_provider.views import OAuthProtectedResourceMetadataView, OAuthServerMetadataView

from accounts.api import oauth
from accounts.views import account, auth_views, consent, joining, password_resets
from accounts.views.settings import members, organization, tokens

_settings = [
    path("", organization.show, name="settings"),
    path("/change", organization.change, name="settings-change"),
    path("/stop-agent", organization.stop_agent, name="agent-stop"),
    path("/local-models", organization.keep_text_local, name="models-local"),
    path("/members", members.show, name="members"),
    path("/members/invite", members.invite_member, name="member-invite"),
    path("/invitations/<str:invitation_id>/withdraw", members.withdraw_invitation, name="invitation-withdraw"),
    path("/members/<str:member_id>/change", members.change_member, name="member-change"),
    path("/members/<str:member_id>/remove", members.remove_member, name="member-remove"),
    path("/tokens", tokens.show, name="tokens"),
    path("/tokens/new", tokens.new_token, name="token-new"),
    path("/tokens/<str:token_id>/revoke", tokens.revoke_token, name="token-revoke"),
]

_server, _resource = OAuthServerMetadataView.as_view(), OAuthProtectedResourceMetadataView.as_view()
# Metadata stands at the root and with the resource's path behind it: some clients guess addresses after a 404. The
# names are those that the library looks up.
_oauth = [
    path(".well-known/oauth-authorization-server", _server, name="oauth-server-metadata"),
    path(".well-known/oauth-authorization-server/mcp", _server, name="oauth-server-metadata-mcp"),
    path(".well-known/oauth-protected-resource", _resource, name="oauth-resource-metadata"),
    path(".well-known/oauth-protected-resource/mcp", _resource, name="oauth-resource-metadata-mcp"),
    path(".well-known/oauth-protected-resource/mcp/", _resource, name="oauth-resource-metadata-slash"),
    path("oauth/authorize", consent.authorize, name="authorize"),
    path("oauth/token", oauth.give_keys, name="token"),
    path("oauth/revoke", oauth.revoke, name="revoke-token"),
    path("oauth/register", oauth.register, name="dcr-register"),
]

urlpatterns = [
    path("", auth_views.home, name="home"),
    path("account", account.account, name="account"),
    path("account/profile", account.change_profile, name="account-profile"),
    path("account/theme", account.choose_theme, name="account-theme"),
    path("account/password", account.change_password, name="account-password"),
    path("account/tokens/<str:token_id>/revoke", account.revoke_token, name="account-token-revoke"),
    path("account/invitations/<str:invitation_id>/accept", account.accept_invitation, name="invitation-accept"),
    path("account/invitations/<str:invitation_id>/decline", account.decline_invitation, name="invitation-decline"),
    path("sign-in", auth_views.sign_in, name="sign-in"),
    path("sign-out", auth_views.sign_out, name="sign-out"),
    path("forgotten-password", password_resets.ask_for_password, name="password-forgotten"),
    path("new-password/<str:user_id>/<str:token>", password_resets.set_password, name="password-reset"),
    path("join/<str:token>", joining.join, name="join"),
    path("address/<str:token>", joining.prove_address, name="address-check"),
    path("account/address", account.send_address_check, name="account-address"),
    path("first-run", auth_views.set_up, name="first-run"),
    path("admin/login/", auth_views.admin_sign_in, name="admin-sign-in"),
    path("", include((_oauth, "oauth2_provider"))),
    path("orgs/<str:org_id>/settings", include(_settings)),
]
