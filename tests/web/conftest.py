from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web_process import WebProcess, environment_of_test_database, run_web


@pytest.fixture(scope="package")
def web(
    django_db_setup: None, django_db_blocker: object, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WebProcess]:
    """On the database of the tests, so that it knows their people. One for all files here: it takes seconds to start."""
    with run_web(environment_of_test_database(), tmp_path_factory.mktemp("web") / "web.log") as process:
        yield process
