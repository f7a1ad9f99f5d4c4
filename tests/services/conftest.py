import os

import pytest
from django.db import connection


@pytest.fixture(autouse=True)
def real_servers_are_there():
    if connection.vendor != "postgresql" or not os.environ["REDIS_URL"].startswith("redis://"):
        pytest.fail("This suite needs PostgreSQL and Redis. Run it by: make test SUITES=services")
