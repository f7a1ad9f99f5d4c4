"""All runs are made once for all tests of a file: they only look at what came of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from tests.agent.injection.corpus import corpus
from tests.agent.injection.obedient import ObedientModel
from tests.agent.injection.runs import Run, every
from tests.agent.injection.world import build


@pytest.fixture(scope="module")
def runs(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[list[Run]]:
    """Each document of the corpus in each mode, against a model that obeys it."""
    from tests.untrusted import leaks  # noqa: PLC0415 - Django has to be set up

    attacks = corpus()
    model = ObedientModel(attacks)
    model.start()
    named = {"MODEL_API_BASE": model.base_url, "DEFAULT_MODEL": model.model, "EXTRACTION_MODEL": model.model}
    room = {"MONTHLY_BUDGET_USD": 10_000, "HEADLESS_BUDGET_USD": 100, "TURN_BUDGET_USD": 100}
    with django_db_blocker.unblock(), override_settings(**named, **room):
        all_runs = list(every(build(attacks), model, attacks))
        leaked = leaks(request for run in all_runs for request in run.requests)
        assert leaked == []
        yield all_runs
        call_command("flush", interactive=False, verbosity=0)
    model.stop()
