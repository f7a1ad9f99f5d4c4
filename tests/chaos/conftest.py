"""One process with everything imported, which forks the victims of all tests here."""

from __future__ import annotations

import multiprocessing
import time

import pytest
from django.db import connection

from tests.chaos import victim


@pytest.fixture(scope="session")
def fork_server(django_db_setup: None) -> None:
    """A process with everything imported, which forks the victims. It reads the environment when it starts."""
    victim.offer_tools()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", f"sqlite:///{connection.settings_dict['NAME']}")
        patch.setenv("LOG_LEVEL", "ERROR")
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([victim.__name__])
        first = context.Process(target=time.sleep, args=(0,))
        first.start()
        first.join()
