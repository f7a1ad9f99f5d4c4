"""The log's levels, and the form of its lines."""

from __future__ import annotations

import logging

FILTERS = ["request", "secrets"]


def describe_logging(level: str) -> dict[str, object]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "request": {"()": "kit.http.request_ids.RequestIdFilter"},
            "secrets": {"()": "kit.http.secret_paths.SecretPathFilter"},
            "short": {"()": "django.utils.log.CallbackFilter", "callback": drop_traceback},
        },
        "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s%(request)s: %(message)s"}},
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["request", "secrets"]}
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # Anybody can send another Host: a line says enough.
            "django.security.DisallowedHost": {"filters": ["short"]},
            "LiteLLM": {"level": "WARNING"},
            "httpx": {"level": "WARNING"},
            "daphne": {"level": "WARNING"},
            "mcp": {"level": "WARNING"},
        },
    }


def drop_traceback(record: logging.LogRecord) -> bool:
    record.exc_info = None
    return True
