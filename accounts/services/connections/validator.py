"""Between the OAuth library and our rows: what it asks, and what it writes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TypedDict, cast

from django.db import transaction
from django.utils import timezone
from oauth2_provider.models import AccessToken as KeyRow
from oauth2_provider.models import Application, RefreshToken
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauth2_provider.settings import oauth2_settings
from oauthlib.common import Request
from oauthlib.oauth2.rfc6749 import errors

from accounts.models import Connection
from accounts.services import tokens
from accounts.services.connections import connecting, keys, refreshing
from accounts.services.connections.connecting import Consent
from kit.errors import Unauthenticated


class IssuedKey(TypedDict):
    """The library's answer to a client, beside what is not stored."""

    access_token: str
    expires_in: int
    refresh_token: str
    scope: str


class CodeReplayed(Exception):
    """The code was exchanged by another request since this one looked at it."""


EndedFor = Connection.EndedFor
FOREIGN = "The resource that is asked for is not served here."


class ConnectionValidator(OAuth2Validator):  # type: ignore[misc]  # the library has no types
    """A consent has a connection, and so has each code, key and refresh token; without it none of them is good."""

    def save_authorization_code(
        self, client_id: str, code: Mapping[str, str], request: Request, *args: object, **kwargs: object
    ) -> None:
        consent = cast(Consent, request.consent)
        with transaction.atomic():
            super().save_authorization_code(client_id, code, request, *args, **kwargs)
            connecting.connect(request.user, request.client, consent=consent, code=code["code"])

    def validate_code(
        self, client_id: str, code: str, client: Application, request: Request, *args: object, **kwargs: object
    ) -> bool:
        is_good = bool(super().validate_code(client_id, code, client, request, *args, **kwargs))
        if not is_good:
            connecting.end_replayed(code, client_id)
        return is_good and self._find_open(request, connecting.find_by_code(code, client_id))

    def validate_refresh_token(
        self, refresh_token: str, client: Application, request: Request, *args: object, **kwargs: object
    ) -> bool:
        """The library's own rule has no grace where tokens are kept as digests (`refreshing`)."""
        connection = refreshing.find_connection(refresh_token, client)
        row = refreshing.find_usable(refresh_token, client)
        if row is None:
            if connection:
                connecting.end(connection, EndedFor.TOKEN_REUSED)
            return False
        request.user, request.refresh_token_instance = row.user, row
        request.family = refreshing.read_family(refresh_token)
        return self._find_open(request, connection)

    def get_original_scopes(self, refresh_token: str, request: Request, *args: object, **kwargs: object) -> list[str]:
        """There is one scope, and the key that came with a token may be gone."""
        return list(oauth2_settings.DEFAULT_SCOPES)

    def _find_open(self, request: Request, connection: Connection | None) -> bool:
        """Leaves the connection where the keys are made."""
        if connection is None:
            return False
        try:
            tokens.renew(connection.token)
        except Unauthenticated:
            return False
        request.connection = connection
        return True

    def save_bearer_token(self, token: IssuedKey, request: Request, *args: object, **kwargs: object) -> None:
        try:
            super().save_bearer_token(token, request, *args, **kwargs)
        except CodeReplayed:
            # The library's own writes are undone by now, so this stays.
            connecting.end(request.connection, EndedFor.CODE_REPLAYED)
            raise errors.InvalidGrantError(request=request) from None

    def _save_bearer_token(self, token: IssuedKey, request: Request, *args: object, **kwargs: object) -> None:
        """A refresh adds a key and ends none: another process of the client may be using the one before."""
        if not connecting.lock(request.connection):
            raise errors.InvalidGrantError(request=request)
        if request.grant_type != "refresh_token":
            super()._save_bearer_token(token, request, *args, **kwargs)
            return
        self._check_and_set_request_resource(request)
        expires, used = timezone.now() + timedelta(seconds=token["expires_in"]), request.refresh_token_instance
        key = self._create_access_token(expires, request, token)
        following = super()._create_refresh_token(request, token["refresh_token"], key, used)
        refreshing.replace(request.connection, used, following, family=request.family)

    def _create_access_token(
        self, expires: datetime, request: Request, token: IssuedKey, source_refresh_token: object = None
    ) -> KeyRow:
        key = super()._create_access_token(expires, request, token, source_refresh_token)
        connecting.add_key(request.connection, key)
        return key

    def _create_refresh_token(self, request: Request, *args: object) -> RefreshToken:
        refresh_token = super()._create_refresh_token(request, *args)
        if not connecting.complete(request.connection, refresh_token, family=request.family):
            raise CodeReplayed
        return refresh_token

    def _check_and_set_request_resource(self, request: Request) -> None:
        """Every key is for MCP here, whatever form of our address the client knows (RFC 8707)."""
        named = [value for name, value in request.decoded_body or [] if name == "resource"]
        if not all(keys.is_ours(resource) for resource in named):
            raise errors.CustomOAuth2Error(error="invalid_target", description=FOREIGN, request=request)
        request.resource = [keys.get_resource()]

    def revoke_token(self, token: str, token_type_hint: str, request: Request, *args: object, **kwargs: object) -> None:
        connecting.end_by_client(token, request.client)
