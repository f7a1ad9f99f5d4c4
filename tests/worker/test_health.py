from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.files.storage import default_storage

from worker.services import beats

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def storage():
    Path(default_storage.location).mkdir(parents=True, exist_ok=True)
    cache.clear()


def all_alive():
    for kind in beats.KINDS:
        beats.beat(kind, "here:1")


def test_it_says_that_it_lives_to_anyone(client):
    answer = client.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_it_is_ready_once_every_worker_signs(client):
    all_alive()
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_it_is_not_ready_without_a_worker_and_tells_strangers_no_more(client):
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()) == (503, {"status": "unavailable"})


def test_it_tells_the_system_admin_which_part_is_missing(client, django_user_model):
    client.force_login(django_user_model.objects.create_superuser("root@example.com", "long enough"))
    all_alive()
    cache.delete("beat.agent")
    parts = client.get("/ready").json()["parts"]
    assert parts == {
        "database": "ok", "storage": "ok", "redis": "ok", "reading": "ok", "agent": "unavailable", "scheduler": "ok",
    }  # fmt: skip


def test_it_tells_no_parts_to_an_ordinary_member(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("member@example.com", "long enough"))
    assert client.get("/ready").json() == {"status": "unavailable"}
