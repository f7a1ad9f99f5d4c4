from __future__ import annotations

from celery import shared_task

from kit.jobs import Job
from llm import models_catalogue


@shared_task(name=Job.SYNC_MODELS.task)
def sync_models(_: str = "") -> None:
    """Names, prices and abilities of the models, so that the web process need not import litellm."""
    models_catalogue.sync()
