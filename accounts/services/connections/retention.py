"""Delete leftovers of consents, keys and registrations, for the scheduler."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from oauth2_provider.models import AccessToken as KeyRow
from oauth2_provider.models import Grant, RefreshToken

from accounts.models import AccessToken, Connection
from accounts.services import tokens
from accounts.services.connections import clients, refreshing

ROWS_AT_ONCE = 1000
# A connection that ended because somebody else had its keys is shown to its person for longer.
UNUSED_CODE, ENDED, SHOWN = timedelta(minutes=10), timedelta(days=1), timedelta(days=30)


def clean_up() -> None:
    """Consents whose code nobody exchanged, connections that have ended, and all that opened them."""
    now = timezone.now()
    over = Q(token__expires_at__lt=now - ENDED) | Q(refresh_token=None, created_at__lt=now - UNUSED_CODE)
    ended = Q(ended_for="") & over | Q(token__expires_at__lt=now - SHOWN)
    _delete_connections(list(Connection.objects.filter(ended).values_list("token", flat=True)[:ROWS_AT_ONCE]))
    alive = Connection.objects.filter(refresh_token__token_family=OuterRef("token_family"))
    _delete(RefreshToken, ~Q(Exists(alive)) | Q(revoked__lte=now - refreshing.GRACE))
    _delete(KeyRow, Q(connection_key=None) | Q(expires__lt=now))
    _delete(Grant, Q(expires__lt=now))
    clients.delete_unused()


@transaction.atomic
def _delete_connections(keys: list[str]) -> None:
    tokens.delete_all(AccessToken.objects.filter(pk__in=keys))


def _delete(model: type[RefreshToken | KeyRow | Grant], which: Q) -> None:
    rows = list(model.objects.filter(which).values_list("pk", flat=True)[:ROWS_AT_ONCE])
    model.objects.filter(pk__in=rows).delete()
