import os
import time

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session

from documents.reading import derived_files
from documents.storage.stored_files import DERIVED
from tests.stored_in import keep_files_in
from worker.services.schedule import DAY_SECONDS, SWEEPS

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def test_expired_sessions_are_removed():
    for seconds in (-1, 60):
        session = SessionStore()
        session.set_expiry(seconds)
        session.save(must_create=True)
    next(sweep for sweep in SWEEPS if sweep.name == "sessions").run()
    assert [session.session_key for session in Session.objects.all()] == [session.session_key]


def test_caches_are_kept_within_their_bounds(settings, tmp_path):
    keep_files_in(settings, tmp_path)
    settings.CACHE_DAYS = 30
    old, young = (derived_files.get_picture_key("reading", number, 160) for number in (1, 2))
    for key, days in ((old, 31), (young, 29)):
        DERIVED.save_bytes(key, b"x")
        os.utime(tmp_path / "cache" / key, times=(time.time() - days * DAY_SECONDS,) * 2)
    next(sweep for sweep in SWEEPS if sweep.name == "caches").run()
    assert (DERIVED.exists(old), DERIVED.exists(young)) == (False, True)


@pytest.mark.parametrize(
    "sweep", [sweep for sweep in SWEEPS if sweep.every_seconds >= 10], ids=lambda sweep: sweep.name
)
def test_every_sweep_runs_on_an_empty_installation(sweep):
    sweep.run()
