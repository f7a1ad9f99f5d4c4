from __future__ import annotations

import os

from celery import Celery, signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "docrouter.settings")
app = Celery("docrouter")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["worker"])


@signals.setup_logging.connect
def keep_our_logging(**_: object) -> None:
    """A receiver here is how Celery is told to leave the logging of the settings alone."""
