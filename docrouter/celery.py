from __future__ import annotations

import os
from typing import Any

# Celery would give its workers a title of its own, and read this only when it is imported.
os.environ.setdefault("NOSETPS", "1")

from celery import Celery, signals

from kit.http import request_ids

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "docrouter.settings")
app = Celery("docrouter")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    task_ignore_result=True,
    task_acks_late=True,
    task_serializer="json",
    accept_content=["json"],
    worker_pool="threads",
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_send_task_events=False,
    worker_enable_remote_control=False,
)
app.autodiscover_tasks(["worker"])


@signals.setup_logging.connect
def keep_our_logging(**_: object) -> None:
    """A receiver here is how Celery is told to leave the logging of the settings alone."""


@signals.task_prerun.connect
def keep_request_id(task: Any, **_: object) -> None:
    """Log lines of a job belong to the request that `kit.jobs` has named, if any: its thread had others."""
    request_ids.set_id((task.request.headers or {}).get(request_ids.JOB_HEADER, ""))
