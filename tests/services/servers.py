"""A PostgreSQL cluster and a Redis over TCP for one run of the services suite, gone afterwards."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import psycopg

from kit.processes import embedded_redis, parents
from tests import migrated
from tests.needs import postgresql_programs

START_SECONDS = 120.0
TEMPLATE = "migrated"


@contextmanager
def real_servers() -> Iterator[dict[str, str]]:
    """The environment of a production process: DATABASE_URL, REDIS_URL and SECRET_KEY."""
    with postgresql() as database_url, redis() as redis_url:
        servers = {"DATABASE_URL": database_url, "REDIS_URL": redis_url, "SECRET_KEY": secrets.token_hex()}
        migrated.migrate({**servers, "DATABASE_URL": make_database(database_url, TEMPLATE)})
        yield {**servers, "TESTS_DATABASE_TEMPLATE": TEMPLATE}


def make_database(database_url: str, name: str) -> str:
    """The address of a new database on the server of this one."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"{database_url.rpartition('/')[0]}/{name}"


@contextmanager
def postgresql() -> Iterator[str]:
    """PostgreSQL refuses to run as root, so root lends it the account that its package made."""
    programs = postgresql_programs()
    assert programs, "PostgreSQL is missing."
    folder = Path(tempfile.mkdtemp(prefix="docrouter-postgresql-"))
    data, port = folder / "data", free_port()
    if os.geteuid() == 0:
        account = pwd.getpwnam("postgres")
        os.chown(folder, account.pw_uid, account.pw_gid)
    options = ["--auth=trust", "--username=docrouter", "--encoding=UTF8", "--no-sync", "-D", str(data)]
    subprocess.run(as_postgres([f"{programs}/initdb", *options]), check=True, stdout=subprocess.DEVNULL, cwd=folder)
    # Losing this data costs nothing, so no time is spent on keeping it.
    settings = {
        "listen_addresses": "127.0.0.1",
        "port": str(port),
        "unix_socket_directories": str(folder),
        "fsync": "off",
    }
    flags = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    log = (folder / "log").open("wb")
    server = subprocess.Popen(
        as_postgres([f"{programs}/postgres", "-D", str(data), *flags]),
        cwd=folder,
        stdout=log,
        stderr=log,
        preexec_fn=parents.die_with_parent(),
    )
    try:
        database_url = f"postgres://docrouter@127.0.0.1:{port}/postgres"
        _wait_for(partial(_takes_queries, database_url), server, folder / "log")
        yield database_url
    finally:
        _end(server, folder)


def as_postgres(command: Sequence[str]) -> list[str]:
    """A change of user clears the death signal, so it is asked for again."""
    return (
        ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--pdeathsig=INT", *command]
        if os.geteuid() == 0
        else [*command]
    )


@contextmanager
def redis() -> Iterator[str]:
    folder = Path(tempfile.mkdtemp(prefix="docrouter-redis-"))
    port = free_port()
    command = [
        str(embedded_redis.find_server()),
        "--port",
        str(port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--dir",
        str(folder),
    ]
    log = (folder / "log").open("wb")
    server = subprocess.Popen(command, stdout=log, stderr=log, preexec_fn=parents.die_with_parent())
    try:
        _wait_for(partial(_is_open, port), server, folder / "log")
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        _end(server, folder)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _takes_queries(database_url: str) -> bool:
    """Its port is open before: until then PostgreSQL answers that it is starting up."""
    try:
        psycopg.connect(database_url).close()
    except psycopg.OperationalError:
        return False
    return True


def _wait_for(is_up: Callable[[], bool], server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        if is_up():
            return
        time.sleep(0.05)
    raise RuntimeError(f"A server did not start:\n{log.read_text(errors='replace')[-2000:]}")


def _end(server: subprocess.Popen[bytes], folder: Path) -> None:
    # SIGINT: PostgreSQL takes SIGTERM as "when the last client has gone".
    server.send_signal(signal.SIGINT)
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
    shutil.rmtree(folder, ignore_errors=True)
