"""When members were here last. Of people alone: a token has its own last use."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db import OperationalError
from django.db.models import Q
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import Member

log = logging.getLogger(__name__)
WRITE_EVERY = timedelta(minutes=5)


def record_activity(actor: Actor) -> None:
    """Not for each request: a page that is looked at must not cost a write each time, nor wait for one."""
    now = timezone.now()
    if actor.token or (actor.last_active_at and actor.last_active_at > now - WRITE_EVERY):
        return
    stale = Q(last_active_at=None) | Q(last_active_at__lte=now - WRITE_EVERY)
    members = Member.objects.filter(stale, organization=actor.organization, user=actor.user)
    try:
        members.update(last_active_at=now)
    except OperationalError as error:
        log.info("the activity of %s was not noted: %s", actor.user.pk, error)
