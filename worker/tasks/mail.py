from __future__ import annotations

from celery import shared_task

from accounts.services.mail import sending
from kit import stopping
from kit.jobs import Job


@shared_task(name=Job.SEND_MAIL.task)
def send_mail(_: str = "") -> None:
    """The mail that is due first, and the next, while there is one."""
    while not stopping.is_set() and sending.send_next():
        pass
