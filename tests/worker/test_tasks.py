"""A message is a wake-up: each job's name has a task, and a second delivery changes nothing."""

import pytest
from celery import current_app
from django.core.files.base import ContentFile

from agent.conversation import threads
from agent.models import Message, Turn
from agent.turns import turns
from documents.intake import uploads
from documents.models import Page, Reading
from kit.ids import new_id
from kit.jobs import Job
from tests.scripted_model import says

pytestmark = pytest.mark.django_db(transaction=True)
OF_A_ROW = [job for job in Job if job not in (Job.SYNC_MODELS, Job.FOLLOW_READINGS)]


def run(job, row_id):
    current_app.loader.import_default_modules()
    current_app.tasks[job.task].apply(args=[row_id], throw=True)


@pytest.mark.parametrize("job", Job)
def test_it_has_a_task_for_every_job(job):
    current_app.loader.import_default_modules()
    assert job.task in current_app.tasks


@pytest.mark.parametrize("job", OF_A_ROW)
def test_it_is_not_upset_by_a_row_that_is_gone(job):
    run(job, new_id())
    run(job, new_id())


def test_it_reads_a_document_once(actor):
    uploads.store(actor, name="note.txt", content=ContentFile(b"Total: 12.50 EUR"))
    reading = Reading.objects.get()
    for _ in range(2):
        run(Job.READ_DOCUMENT, reading.pk)
    assert [page.text.strip() for page in Page.objects.all()] == ["Total: 12.50 EUR"]
    assert Reading.objects.get().status == "completed"


def test_it_drives_a_round_once(actor, scripted_model):
    scripted_model.will(says("Hello."), says("Hello again."))
    turn = turns.start(actor, thread=threads.create(actor), text="Hello?")
    for _ in range(2):
        run(Job.RUN_TURN, turn.pk)
    assert Turn.objects.get().status == "completed"
    assert Message.objects.count() == 2
    assert len(scripted_model.requests) == 1
