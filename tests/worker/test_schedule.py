import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session

from worker.services.schedule import SWEEPS

pytestmark = pytest.mark.django_db


def test_expired_sessions_are_removed():
    for seconds in (-1, 60):
        session = SessionStore()
        session.set_expiry(seconds)
        session.save(must_create=True)
    next(sweep for sweep in SWEEPS if sweep.name == "sessions").run()
    assert [session.session_key for session in Session.objects.all()] == [session.session_key]


@pytest.mark.parametrize(
    "sweep", [sweep for sweep in SWEEPS if sweep.every_seconds >= 10], ids=lambda sweep: sweep.name
)
def test_every_sweep_runs_on_an_empty_installation(sweep):
    sweep.run()
