"""Access tokens of the signed-in user: for one organization, or for the whole account. Shown whole once."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request

from accounts.api import account_answers as answers
from accounts.api.access import AccountView, OrganizationView, get_credentials
from accounts.api.wire.answers import Message
from accounts.api.wire.described import describe
from accounts.api.wire.fields import RequestBody, StrictTextField, TrueOrFalse
from accounts.api.wire.responses import Answer
from accounts.models import AccessToken, Organization, Role, User
from accounts.services import tokens
from accounts.services.tokens import LIMITED, OWN_ONLY
from kit.errors import NotFound
from kit.ids import is_id
from kit.timestamps import format_timestamp

_REFUSALS = {
    400: ["A token needs a name of 1 to 200 characters."],
    403: [LIMITED, "A token cannot make one that outlives it: this one ends on 2026-12-31. It makes none any more."],
}


class NewToken(RequestBody):
    name = StrictTextField(max_length=200)
    lifetime = serializers.IntegerField(min_value=0, max_value=tokens.MAX_LIFETIME_DAYS)
    role_ceiling = serializers.ChoiceField(choices=Role.choices, required=False, allow_null=True, default=None)
    upload_only = TrueOrFalse(required=False, default=False)


class OrganizationTokens(OrganizationView):
    roles = {"GET": Role.VIEWER, "POST": Role.VIEWER}
    open_to_system_admins = True
    bodies = {"POST": NewToken}

    @describe("List your tokens")
    def get(self, request: Request) -> Answer[answers.AccessTokens]:
        """Your own tokens, the newest first; of each the first ten characters."""
        return _list(self.user, self.actor.organization)

    @describe("Make a token", refusals=_REFUSALS)
    def post(self, request: Request) -> Answer[answers.AccessToken]:
        """The whole token is in this answer alone and is never shown again. `lifetime` is in days, 0 is for ever. With
        `role_ceiling` it acts with that role at most, with `upload_only` it uploads documents and does nothing else;
        such a token makes none. Made with a token, it is of the same user and ends no later than that one, also when
        that one is revoked. It opens this organization's routes only, with your role.
        """
        return _create(self, self.actor.organization)


class OrganizationToken(OrganizationView):
    roles = {"DELETE": Role.VIEWER}
    open_to_system_admins = True

    @describe("End a token", refusals={403: [OWN_ONLY]})
    def delete(self, request: Request, token_id: str) -> Answer[Message]:
        """One of your own: by a token, itself or one that it made. From now on it and those it made open nothing."""
        return _revoke(request, self.user, self.actor.organization, token_id)


class AccountTokens(AccountView):
    bodies = {"POST": NewToken}

    @describe("List your tokens")
    def get(self, request: Request) -> Answer[answers.AccessTokens]:
        """Your own tokens, the newest first; of each the first ten characters."""
        return _list(self.user, None)

    @describe("Make a token", refusals=_REFUSALS)
    def post(self, request: Request) -> Answer[answers.AccessToken]:
        """The whole token is in this answer alone and is never shown again. `lifetime` is in days, 0 is for ever. With
        `role_ceiling` it acts with that role at most, with `upload_only` it uploads documents and does nothing else;
        such a token makes none. Made with a token, it is of the same user and ends no later than that one, also when
        that one is revoked.
        """
        return _create(self, None)


class AccountToken(AccountView):
    @describe("End a token", refusals={403: [OWN_ONLY]})
    def delete(self, request: Request, token_id: str) -> Answer[Message]:
        """One of your own: by a token, itself or one that it made. From now on it and those it made open nothing."""
        return _revoke(request, self.user, None, token_id)


def _list(user: User, organization: Organization | None) -> Answer[answers.AccessTokens]:
    return Answer({"access_tokens": [_serialize(row, row.start) for row in tokens.list_own(user, organization)]})


def _create(view: AccountView, organization: Organization | None) -> Answer[answers.AccessToken]:
    body = view.read_body()
    row, secret = tokens.create(
        view.user,
        name=body["name"],
        organization=organization,
        lifetime_days=body["lifetime"],
        role_ceiling=body["role_ceiling"] or "",
        upload_only=body["upload_only"],
        made_by=get_credentials(view.request)[0],
    )
    return Answer(_serialize(row, secret))


def _revoke(request: Request, user: User, organization: Organization | None, token_id: str) -> Answer[Message]:
    row = tokens.list_own(user, organization).filter(pk=token_id).first() if is_id(token_id) else None
    if row is None:
        raise NotFound("Token not found")
    if maker := get_credentials(request)[0]:
        tokens.check_reach(maker, row)
    tokens.revoke(user, token=row)
    return Answer({"message": "Token deleted successfully"})


def _serialize(row: AccessToken, secret: str) -> answers.AccessToken:
    return {
        "id": row.pk,
        "user_id": row.user_id,
        "organization_id": row.organization_id,
        "name": row.name,
        "token": secret,
        "created_at": format_timestamp(row.created_at),
        "lifetime": row.lifetime_days,
        "role_ceiling": row.role_ceiling or None,
        "upload_only": row.upload_only,
        "made_by": row.made_by_id,
        "expires_at": format_timestamp(row.expires_at) if row.expires_at else None,
        "last_used_at": format_timestamp(row.last_used_at) if row.last_used_at else None,
    }
