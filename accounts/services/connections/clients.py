"""Programs that registered themselves. Anybody may, so a registration is small, counted, and goes when it is unused."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from oauth2_provider.models import Application

from accounts.models import User
from accounts.services import tokens
from kit.errors import Denied, Invalid, TooMany

MAX_REDIRECTS, MAX_REDIRECT, MAX_NAME = 20, 500, 100
LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))
CODE_FLOW = "authorization_code"
YOUNG = timedelta(hours=1)
CLOSED = "Programs do not register themselves here. Ask an operator of this server."
FULL = "As many programs are registered as this server keeps. Try again in an hour."
_UNSEEN = re.compile(r"[^\x21-\x7e]")


@dataclass(frozen=True)
class Registration:
    """A client's description of itself (RFC 7591). Nobody has checked its name."""

    name: str
    redirects: tuple[str, ...]


@dataclass(frozen=True)
class ClientIdentity:
    """For the person who is asked. host: whose document describes it, empty for who registered by itself."""

    name: str
    host: str
    answers_to: str
    is_on_this_machine: bool


def read_metadata(metadata: object) -> Registration:
    """Raises Invalid. What is not about names, redirects and flows is not kept."""
    if not isinstance(metadata, dict):
        raise Invalid("The description of a client is a JSON object.")
    name, redirects = metadata.get("client_name") or "", metadata.get("redirect_uris")
    if not isinstance(name, str) or len(name) > MAX_NAME or not name.isprintable():
        raise Invalid(f"client_name is a text of at most {MAX_NAME} characters in one line.")
    if not isinstance(redirects, list) or not 1 <= len(redirects) <= MAX_REDIRECTS:
        raise Invalid(f"redirect_uris is a list of 1 to {MAX_REDIRECTS} addresses.")
    flows = metadata.get("grant_types", [CODE_FLOW])
    if not isinstance(flows, list) or CODE_FLOW not in flows:
        raise Invalid(f"grant_types has to hold {CODE_FLOW}, the one flow that there is here.")
    return Registration(name.strip(), tuple(_check_redirect(each) for each in redirects))


def _check_redirect(redirect: object) -> str:
    if not isinstance(redirect, str) or len(redirect) > MAX_REDIRECT or _UNSEEN.search(redirect):
        raise Invalid(f"A redirect URI is an address of at most {MAX_REDIRECT} plain characters.")
    parts = _split(redirect)
    if "#" in redirect or "@" in parts.netloc or "*" in redirect:
        raise Invalid(f"{redirect}: a redirect URI has no fragment, no user and no placeholder.")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise Invalid(f"{redirect}: http leads to one's own machine only (localhost); elsewhere it is https.")
    if parts.scheme not in ("http", "https", *settings.OAUTH_REDIRECT_SCHEMES):
        raise Invalid(f"{redirect}: addresses that begin so are not redirected to. An operator can allow them.")
    if parts.scheme == "https" and not parts.hostname:
        raise Invalid(f"{redirect}: a redirect URI names a host.")
    return redirect


def _split(redirect: str) -> SplitResult:
    try:
        parts = urlsplit(redirect)
        _ = parts.port
    except ValueError:
        raise Invalid(f"{redirect}: this is no address.") from None
    return parts


def register(registration: Registration) -> Application:
    """Raises Invalid, or TooMany when there is no room. All clients are public: PKCE stands for a secret."""
    make_room()
    client = Application(
        name=registration.name,
        redirect_uris=" ".join(registration.redirects),
        client_type=Application.CLIENT_PUBLIC,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
        registration_source=Application.RegistrationSource.DCR,
        client_secret="",
        hash_client_secret=False,
    )
    try:
        client.full_clean(exclude=["client_secret"])
    except ValidationError as error:
        raise Invalid(" ".join(error.messages)) from None
    client.save(force_insert=True)
    return client


def make_room() -> None:
    """For one more: the unused one that was heard of the longest time ago goes. Raises TooMany when all are young,
    and Denied where none is taken.
    """
    if not settings.OAUTH_MAX_CLIENTS:
        raise Denied(CLOSED)
    surplus = Application.objects.count() - settings.OAUTH_MAX_CLIENTS + 1
    if surplus <= 0:
        return
    old = _list_unused().filter(updated__lt=timezone.now() - YOUNG).order_by("updated")
    keys = list(old.values_list("pk", flat=True)[:surplus])
    if len(keys) < surplus:
        raise TooMany(FULL, retry_after=3600)
    _list_unused().filter(pk__in=keys).delete()


def delete_unused() -> int:
    """Without a connection, and not heard of for OAUTH_CLIENT_DAYS. One that comes back registers anew."""
    limit = timezone.now() - timedelta(days=settings.OAUTH_CLIENT_DAYS)
    keys = list(_list_unused().filter(updated__lt=limit).values_list("pk", flat=True)[:1000])
    _list_unused().filter(pk__in=keys).delete()
    return len(keys)


def _list_unused() -> QuerySet[Application]:
    """List unused registrations, without the ones that an operator made in the admin."""
    rows: QuerySet[Application] = Application.objects.filter(connections=None)
    return rows.exclude(registration_source=Application.RegistrationSource.MANUAL)


@transaction.atomic
def remove(remover: User, *, client: Application) -> None:
    """By an operator: the connections end, each with its audit row. Raises NotFound when one has ended meanwhile."""
    for connection in client.connections.select_related("token__organization"):
        tokens.revoke(remover, token=connection.token)
    client.delete()


def record_use(client: Application) -> None:
    Application.objects.filter(pk=client.pk).update(updated=timezone.now())


def get_name(client: Application) -> str:
    return client.name or urlsplit(client.client_id).hostname or "a program without a name"


def describe_client(client: Application, redirect: str) -> ClientIdentity:
    """redirect: where the answer goes, as the server has checked it."""
    parts = urlsplit(redirect)
    is_document = client.registration_source == Application.RegistrationSource.CIMD
    is_local = parts.scheme != "https"
    return ClientIdentity(
        name=get_name(client),
        host=(urlsplit(client.client_id).hostname or "") if is_document else "",
        answers_to=parts.hostname if parts.scheme in ("http", "https") and parts.hostname else f"{parts.scheme}:",
        is_on_this_machine=is_local,
    )
