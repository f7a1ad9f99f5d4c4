"""A database of an earlier version, brought up to date, is the one that the squashed migrations make."""

from __future__ import annotations

import os
import subprocess
import sys

import psycopg
import pytest

from tests import migrated
from tests.services.servers import TEMPLATE, make_database

pytestmark = pytest.mark.services
# The last migrations of the version that was in use before the squash, one by one as they were.
EARLIER = [
    ("accounts", "0005_auto_create"),
    ("agent", "0008_finding_undos"),
    ("documents", "0015_auto_create_rounds"),
    ("worker", "0001_initial"),
]
MIGRATE_ONE_BY_ONE = f"""
import django; django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor, MigrationLoader
executor = MigrationExecutor(connection)
executor.loader = MigrationLoader(connection, replace_migrations=False)
executor.migrate({EARLIER!r})
"""
COLUMNS = """
    SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, column_default
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'pg_%'
"""
# Without the names, which keep those of tables that were renamed.
INDEXES = (
    "SELECT tablename, regexp_replace(indexdef, 'INDEX .* ON', 'INDEX ON') FROM pg_indexes WHERE schemaname = 'public'"
)
CONSTRAINTS = "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid <> 0"


def test_an_earlier_database_ends_as_a_new_one() -> None:
    server = os.environ["DATABASE_URL"]
    new = f"{server.rpartition('/')[0]}/{TEMPLATE}"
    earlier = make_database(server, "earlier")
    environment = {"DATABASE_URL": earlier}
    run = [sys.executable, "-c", MIGRATE_ONE_BY_ONE]
    subprocess.run(run, cwd=migrated.ROOT, env={**os.environ, **environment}, check=True)
    assert query(earlier, COLUMNS) != query(new, COLUMNS)
    with psycopg.connect(earlier) as connection:
        # As earlier versions made them beside each index of text.
        connection.execute("CREATE INDEX accounts_user_id_like ON accounts_user (id varchar_pattern_ops)")
    migrated.migrate(environment)
    for sql in (COLUMNS, INDEXES, CONSTRAINTS):
        assert query(earlier, sql) == query(new, sql)


def query(database: str, sql: str) -> list[tuple[object, ...]]:
    with psycopg.connect(database) as connection:
        return sorted(connection.execute(sql).fetchall(), key=repr)
