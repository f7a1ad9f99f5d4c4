"""Mails to admins when most, or all, of the month's budget is spent: one a share, as a row beside the spending."""

from __future__ import annotations

import logging

from django.db import transaction

from accounts.models import Member, Organization, OutgoingMail, Role
from accounts.services.mail import outbox
from kit.errors import Busy
from kit.rows.fixed_update import update_row
from llm.models import Budget
from llm.money.budgets import find_passed_share, format_dollars

log = logging.getLogger(__name__)
READ = ("month", "spent_micros", "limit_micros", "told_percent")


def tell_admins(organization: Organization, budget_id: str, month: str, spent: int, limit: int, told: int) -> None:
    """Under the budget's lock, so a share that two calls pass at once is told of once.

    Without a mail server nobody is told, nor marked as told.
    """
    passed = find_passed_share(spent, limit)
    if passed <= told or not outbox.has_server():
        return
    facts = {"percent": passed, "month": month, "spent": format_dollars(spent), "limit": format_dollars(limit)}
    try:
        _queue_mails(organization, facts)
    except Busy:
        log.warning("the outbox is full: the next spending of %s tells its admins of the budget", organization.pk)
        return
    update_row(Budget, {"told_percent": passed}, where={"pk": budget_id})


@transaction.atomic
def _queue_mails(organization: Organization, facts: dict[str, object]) -> None:
    """All of them or none: those who were told would be told again with the next spending."""
    admins = Member.objects.filter(organization=organization, role=Role.ADMIN, user__is_active=True)
    for email in admins.values_list("user__email", flat=True):
        outbox.queue_mail(OutgoingMail.Kind.BUDGET_SPENT, email, organization=organization, facts=facts)
