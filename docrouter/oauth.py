"""Settings of the OAuth server: clients, flows and keys. RFC 9700 is followed in all of it."""

from __future__ import annotations

from collections.abc import Sequence

SCOPE = "mcp"
CODE_SECONDS, KEY_SECONDS, DAY_SECONDS = 60, 3600, 86_400
PACKAGE = "accounts.services.connections"


def describe_oauth(public_url: str, schemes: Sequence[str], idle_days: int, max_clients: int) -> dict[str, object]:
    """For django-oauth-toolkit. schemes: of programs on a person's own machine, beside http on loopback."""
    return {
        "SCOPES": {SCOPE: "Use DocRouter's tools over MCP"},
        "DEFAULT_SCOPES": [SCOPE],
        "OAUTH2_VALIDATOR_CLASS": f"{PACKAGE}.validator.ConnectionValidator",
        "ACCESS_TOKEN_GENERATOR": f"{PACKAGE}.keys.make_key",
        "REFRESH_TOKEN_GENERATOR": f"{PACKAGE}.keys.make_refresh_token",
        "AUTHORIZATION_CODE_EXPIRE_SECONDS": CODE_SECONDS,
        "ACCESS_TOKEN_EXPIRE_SECONDS": KEY_SECONDS,
        "REFRESH_TOKEN_EXPIRE_SECONDS": idle_days * DAY_SECONDS,
        # Both by `refreshing`, which has a grace: clients ask for keys in several processes at once.
        "ROTATE_REFRESH_TOKEN": True,
        "REFRESH_TOKEN_REUSE_PROTECTION": True,
        "COMPLIANT_BCP_RFC9700_REFRESH_TOKEN": True,
        "PKCE_REQUIRED": True,
        "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
        "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
        "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
        "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
        "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
        "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
        # The issuer, also without OpenID Connect; never the Host header of a request.
        "OIDC_ISS_ENDPOINT": public_url,
        "ALLOWED_REDIRECT_URI_SCHEMES": ["https", "http", *schemes],
        "ALLOW_LOCALHOST_LOOPBACK": True,
        "DCR_ENABLED": max_clients > 0,
        "CIMD_ENABLED": max_clients > 0,
        "CIMD_METADATA_FETCHER": f"{PACKAGE}.metadata_documents.GuardedFetcher",
        "CIMD_REGISTRATION_PERMISSION_CLASSES": [f"{PACKAGE}.metadata_documents.SignedInOnly"],
        "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
        "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token"],
        "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": ["none"],
        "OAUTH2_PROTECTED_RESOURCE_IDENTIFIER": f"{public_url}/mcp",
        "OAUTH2_PROTECTED_RESOURCE_NAME": "DocRouter",
    }
