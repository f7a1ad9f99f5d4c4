"""Clients whose id is the address of a document about them (draft-ietf-oauth-client-id-metadata-document)."""

from __future__ import annotations

import json
import re
from urllib.parse import urlsplit

from django.urls import reverse
from oauth2_provider.cimd import CIMDError
from oauthlib.common import Request

from accounts.services.connections import clients
from accounts.services.outbound.fetching import fetch
from kit.errors import AppError
from kit.json_types import JsonObject
from kit.outbound.fetching import Answer, Bounds
from kit.outbound.fetching import Request as OutboundRequest
from kit.outbound.network import Network

MAX_ADDRESS = 255
LEAST_SECONDS, MOST_SECONDS = 300, 86_400
BOUNDS = Bounds(max_bytes=16_384, seconds=5.0, idle_seconds=5.0, max_redirects=0)
_AGE = re.compile(r"max-age\s*=\s*(\d{1,9})")


class SignedInOnly:
    """A document is fetched for the page of consent, which asks for a sign-in first; never for keys or their end."""

    def has_permission(self, request: Request, client_id: str) -> bool:
        if urlsplit(request.uri).path != reverse("oauth2_provider:authorize") or len(client_id) > MAX_ADDRESS:
            return False
        try:
            clients.make_room()
        except AppError:
            return False
        return True


class GuardedFetcher:
    """Through the guard to the outside: public addresses only, no redirects, small and quick."""

    network: Network | None = None

    def fetch(self, client_id: str) -> tuple[JsonObject, int]:
        """The document, as far as it is used here, and for how many seconds it holds. Raises CIMDError."""
        try:
            answer = fetch(
                OutboundRequest(client_id, headers={"Accept": "application/json"}),
                purpose="client metadata document",
                organization=None,
                bounds=BOUNDS,
                network=self.network,
            )
            return _read(answer, client_id), _read_age(answer)
        except AppError as error:
            raise CIMDError(error.sentence) from None


def _read(answer: Answer, client_id: str) -> JsonObject:
    if answer.status != 200:
        raise CIMDError(f"the document was answered with {answer.status}")
    try:
        document = json.loads(answer.content)
    except (ValueError, RecursionError):
        raise CIMDError("the document is no JSON") from None
    registration = clients.read_metadata(document)
    if document.get("client_id") != client_id:
        raise CIMDError("the document describes another client")
    return {
        "client_id": client_id,
        "client_name": registration.name,
        "redirect_uris": list(registration.redirects),
        "token_endpoint_auth_method": document.get("token_endpoint_auth_method", "none"),
    }


def _read_age(answer: Answer) -> int:
    lifetime = _AGE.search(answer.headers.get("cache-control", "").lower())
    return min(max(int(lifetime[1]), LEAST_SECONDS), MOST_SECONDS) if lifetime else MOST_SECONDS
