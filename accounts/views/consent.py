"""The page on which a person lets a program in, or does not."""

from __future__ import annotations

import re
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from oauth2_provider.exceptions import FatalClientError, OAuthToolkitError
from oauth2_provider.http import OAuth2ResponseRedirect
from oauth2_provider.models import Application
from oauth2_provider.oauth2_backends import get_oauthlib_core
from oauthlib.oauth2.rfc6749 import errors

from accounts.access import enter
from accounts.actor import Actor
from accounts.forms import ConsentForm
from accounts.models import Role, User
from accounts.services.connections import clients, keys
from accounts.services.connections.connecting import Consent
from accounts.services.connections.validator import FOREIGN
from kit.errors import AppError, Invalid

UNKNOWN_CLIENT = (
    "This program cannot be connected: it is not registered here, or it wants the answer sent to an address that it "
    "did not register. Remove the connection there and add it again."
)
NO_PKCE = "A code_challenge with the method S256 is required (PKCE)."
NO_CHALLENGE = "A code_challenge has 43 to 128 letters, digits and the signs - . _ ~ (RFC 7636, 4.2)."
_CHALLENGE = re.compile(r"[A-Za-z0-9._~-]{43,128}")
Credentials = dict[str, object]


@require_http_methods(["GET", "POST"])
@never_cache
def authorize(request: HttpRequest) -> HttpResponse:
    """Both ways the request stands in the address, and is judged anew when the person answers."""
    try:
        scopes, credentials = get_oauthlib_core().validate_authorization_request(request)
        _check_request(request, credentials)
        if request.method == "POST":
            return _answer(request, scopes, credentials)
    except FatalClientError:
        raise Invalid(UNKNOWN_CLIENT) from None
    except OAuthToolkitError as error:
        return _redirect_with_error(error)
    return _render_page(request, credentials)


def _check_request(request: HttpRequest, credentials: Credentials) -> None:
    if request.GET.get("code_challenge_method") != "S256":
        raise _refuse(errors.InvalidRequestError(description=NO_PKCE), credentials)
    if not _CHALLENGE.fullmatch(request.GET.get("code_challenge", "")):
        raise _refuse(errors.InvalidRequestError(description=NO_CHALLENGE), credentials)
    if not all(keys.is_ours(resource) for resource in request.GET.getlist("resource")):
        raise _refuse(errors.CustomOAuth2Error(error="invalid_target", description=FOREIGN), credentials)


def _refuse(error: errors.OAuth2Error, credentials: Credentials) -> OAuthToolkitError:
    error.state = credentials.get("state")
    return OAuthToolkitError(error=error, redirect_uri=credentials["redirect_uri"])


def _answer(request: HttpRequest, scopes: list[str], credentials: Credentials) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101 - LoginRequiredMiddleware let them in
    form = ConsentForm(request.POST)
    if not form.is_valid():
        return _render_page(request, credentials, refused="Choose an organization and a role.", status=422)
    allow = form.cleaned_data["answer"] == "allow"
    if allow:
        actor = enter(request.user, form.cleaned_data["organization"])
        credentials["consent"] = Consent(actor.organization, _limit(actor, Role(form.cleaned_data["role"])))
    credentials["resource"] = [keys.get_resource()]
    try:
        address, _, _, _ = get_oauthlib_core().create_authorization_response(
            request, scopes=scopes, credentials=credentials, allow=allow
        )
    except AppError as error:
        return _render_page(request, credentials, refused=error.sentence, status=422)
    return _redirect(address)


def _limit(actor: Actor, chosen: Role) -> Role:
    return chosen if actor.role.covers(chosen) else actor.role


def _render_page(
    request: HttpRequest, credentials: Credentials, *, refused: str = "", status: int = 200
) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101 - LoginRequiredMiddleware let them in
    organizations = request.user.open_organizations
    if not organizations:
        return render(request, "accounts/no_organization.html")
    asked = request.GET.get("organization") or organizations[0].pk
    redirect = str(credentials["redirect_uri"])
    actor = enter(request.user, asked)
    context = {
        "client": clients.describe_client(Application.objects.get(client_id=credentials["client_id"]), redirect),
        "organization": actor.organization,
        "others": [(each, _address_for(request, each.pk)) for each in organizations if each.pk != asked],
        "role": actor.role,
        "roles": [role for role in Role if actor.role.covers(role)],
        "idle_days": settings.OAUTH_IDLE_DAYS,
        "max_days": settings.OAUTH_MAX_DAYS,
        "refused": refused,
    }
    response = render(request, "accounts/consent.html", context, status=status)
    # Browsers hold what a form leads to against this as well, and the answer leads to the program.
    response._csp_update = {"form-action": [_source_of(redirect)]}  # type: ignore[attr-defined]
    return response


def _address_for(request: HttpRequest, organization_id: str) -> str:
    query = request.GET.copy()
    query["organization"] = organization_id
    return f"?{query.urlencode()}"


def _source_of(redirect: str) -> str:
    parts = urlsplit(redirect)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else f"{parts.scheme}:"


def _redirect_with_error(error: OAuthToolkitError) -> HttpResponse:
    """To an address that the client has registered: the library keeps the other errors apart."""
    address: str = error.oauthlib_error.redirect_uri or ""
    if not address:
        raise Invalid(UNKNOWN_CLIENT)
    separator = "&" if "?" in address else "?"
    issuer = urlencode({"iss": settings.PUBLIC_URL})
    return _redirect(f"{address}{separator}{error.oauthlib_error.urlencoded}&{issuer}")


def _redirect(address: str) -> HttpResponse:
    schemes = ["https", "http", *settings.OAUTH_REDIRECT_SCHEMES]
    response: HttpResponse = OAuth2ResponseRedirect(address, schemes)
    return response
