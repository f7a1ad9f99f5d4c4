"""Hands mails to the server. A worker that dies in between may have sent one: then it comes twice, never not at all."""

from __future__ import annotations

import logging
import smtplib
from datetime import timedelta

from django.db import connection, models
from django.utils import timezone

from accounts.models import MAIL_LEASE, OutgoingMail
from accounts.services.mail import letters
from kit import jobs
from kit.jobs import Job
from kit.leases import LeaseLost
from kit.rows.row_guard import RowGuard

log = logging.getLogger(__name__)
Status = OutgoingMail.Status
# After each failure that may pass; then it is given up.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30))
KEEP_FOR = timedelta(days=7)
MAX_PER_SWEEP = 100
STOPPED = "The worker stopped while it sent this mail."
_lost_mails = RowGuard("mail")


def send_next() -> bool:
    """Sends the mail that is due first. False when none is."""
    mail = _list_due().select_related("organization", "invitation__organization", "invitation__invited_by").first()
    if mail is None:
        return False
    if MAIL_LEASE.claim(mail, attempt=mail.attempt + 1):
        try:
            _send(mail)
        except LeaseLost:
            log.info("mail %s was taken over or is not wanted any more", mail.pk)
    return True


def requeue_mails() -> int:
    """Puts those back whose worker died, and wakes a worker for what is due. For the scheduler."""
    number = _lost_mails.run_each(MAIL_LEASE.list_lost(), _requeue_lost_mail, maximum=MAX_PER_SWEEP)
    jobs.wake(Job.SEND_MAIL, _list_due().values_list("pk", flat=True)[:1])
    return number


def delete_old() -> int:
    """For the scheduler."""
    over = OutgoingMail.objects.filter(status__in=(Status.SENT, Status.FAILED, Status.DROPPED))
    return over.filter(created_at__lt=timezone.now() - KEEP_FOR).delete()[0]


def _list_due() -> models.QuerySet[OutgoingMail]:
    return OutgoingMail.objects.filter(status=Status.WAITING, due_at__lte=timezone.now()).order_by("due_at")


def _send(mail: OutgoingMail) -> None:
    message = letters.compose(mail)
    if message is None:
        MAIL_LEASE.finish(mail, Status.DROPPED)
        return
    if not connection.in_atomic_block:
        connection.close()  # the server may take its time
    try:
        message.send()
    except (OSError, smtplib.SMTPException) as error:
        _end_attempt(mail, _explain(error), is_permanent=_is_permanent(error))
    else:
        MAIL_LEASE.finish(mail, Status.SENT, sent_at=timezone.now(), reason="")


def _requeue_lost_mail(mail_id: str) -> None:
    mail = MAIL_LEASE.take_over(mail_id)
    if mail is None:
        return
    try:
        _end_attempt(mail, STOPPED)
    except LeaseLost:
        log.info("mail %s was taken over meanwhile", mail_id)


def _end_attempt(mail: OutgoingMail, reason: str, *, is_permanent: bool = False) -> None:
    log.warning("mail %s was not sent at attempt %s: %s", mail.pk, mail.attempt, reason)
    if is_permanent or mail.attempt > len(PAUSES):
        MAIL_LEASE.finish(mail, Status.FAILED, reason=reason)
    else:
        MAIL_LEASE.release(mail, reason=reason, due_at=timezone.now() + PAUSES[mail.attempt - 1])


def _is_permanent(error: Exception) -> bool:
    """By the codes of RFC 5321, section 4.2.1. A refused sign-in is the operator's to mend, so it is tried again."""
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return False
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    return isinstance(error, smtplib.SMTPResponseException) and error.smtp_code >= 500


def _explain(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return _explain_answer(*next(iter(error.recipients.values())))
    if isinstance(error, smtplib.SMTPResponseException):
        return _explain_answer(error.smtp_code, error.smtp_error)
    return f"The mail server cannot be reached ({error})."[:300]


def _explain_answer(code: int, answer: bytes | str) -> str:
    words = answer.decode(errors="replace") if isinstance(answer, bytes) else answer
    return f"The mail server refused it: {code} {words}"[:300]
