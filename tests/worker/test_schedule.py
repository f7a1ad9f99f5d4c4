import os
import time

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session

from documents.reading import derived_files
from worker.services.schedule import DAY_SECONDS, SWEEPS

pytestmark = pytest.mark.django_db


def test_expired_sessions_are_removed():
    for seconds in (-1, 60):
        session = SessionStore()
        session.set_expiry(seconds)
        session.save(must_create=True)
    next(sweep for sweep in SWEEPS if sweep.name == "sessions").run()
    assert [session.session_key for session in Session.objects.all()] == [session.session_key]


def test_caches_are_kept_within_their_bounds(settings, tmp_path):
    settings.DATA_DIR, settings.CACHE_DAYS = tmp_path, 30
    old, young = (derived_files.get_picture_path("reading", number, 160) for number in (1, 2))
    for path, days in ((old, 31), (young, 29)):
        derived_files.save_file(b"x", path)
        os.utime(path, times=(time.time() - days * DAY_SECONDS,) * 2)
    next(sweep for sweep in SWEEPS if sweep.name == "caches").run()
    assert (old.exists(), young.exists()) == (False, True)


@pytest.mark.parametrize(
    "sweep", [sweep for sweep in SWEEPS if sweep.every_seconds >= 10], ids=lambda sweep: sweep.name
)
def test_every_sweep_runs_on_an_empty_installation(sweep):
    sweep.run()
