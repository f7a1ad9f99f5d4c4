"""Addresses that open something for whoever has them stay out of the log, which more people read."""

from __future__ import annotations

import logging
import re

# A path's part after these names is as good as a password (accounts.services.mail.links).
_SECRET = re.compile(
    r"(/(?:join|address)/|/new-password/[^/]*/|/email/(?:invitations|verification)/|/email/passwords/[^/]*/)[^/?\s]+"
)


class SecretPathFilter(logging.Filter):
    """Changes what is logged, and keeps all of it."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(hide_secret(each) if isinstance(each, str) else each for each in record.args)
        return True


def hide_secret(text: str) -> str:
    return _SECRET.sub(r"\1…", text)
