"""`manage.py up`: the whole product on one machine, from nothing but this folder."""

from __future__ import annotations

import subprocess
from functools import partial

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from kit.processes import embedded_redis, parents, private_files
from worker.supervision import preparation
from worker.supervision.children import Child
from worker.supervision.lock import AlreadyRunning, DataLock
from worker.supervision.output import Output
from worker.supervision.supervisor import Supervisor, stop_process

# The watchdog of a killed run's children ends them after 10 s.
PATIENCE_SECONDS = 15.0


class Command(BaseCommand):
    help = "Starts everything: Redis if none is given, the page, the workers, the scheduler. Ctrl-C stops it."
    requires_system_checks: list[str] = []

    def handle(self, *args: object, **options: object) -> None:
        output = Output()
        lock = DataLock(settings.DATA_DIR)
        try:
            lock.take(settings.PUBLIC_URL, patience_seconds=PATIENCE_SECONDS, on_wait=partial(output.say, "up"))
            preparation.refuse_taken_port(settings.BIND, settings.PORT)
            if restricted := private_files.restrict_existing(settings.DATA_DIR):
                output.say("up", f"{restricted} files and folders in DATA_DIR were open to other accounts; now closed.")
            redis = _start_redis(lock) if settings.EMBEDDED_REDIS else None
            if redis:
                output.say("up", embedded_redis.describe_server(embedded_redis.find_server()))
        except (AlreadyRunning, preparation.PortTaken, embedded_redis.RedisMissing) as error:
            raise CommandError(str(error)) from error
        try:
            preparation.prepare(partial(output.say, "up"))
            _supervisor(lock, output, redis).run()
        finally:
            if redis and redis.poll() is None:
                stop_process(redis, 2.0)


def _supervisor(lock: DataLock, output: Output, redis: subprocess.Popen[bytes] | None) -> Supervisor:
    reachable = "127.0.0.1" if settings.BIND in {"0.0.0.0", "::"} else settings.BIND  # noqa: S104 - compared only
    return Supervisor(
        web=Child("web", ["web"]),
        others=[
            Child("scheduler", ["scheduler"]),
            Child("agent", ["work", "agent"]),
            Child("reading", ["work", "reading"]),
        ],
        address=(reachable, settings.PORT),
        on_ready=partial(output.say, "up", f"DocRouter is ready at {settings.PUBLIC_URL}"),
        start_redis=partial(_start_redis, lock),
        redis=redis,
        output=output,
    )


def _start_redis(lock: DataLock) -> subprocess.Popen[bytes]:
    return embedded_redis.start(
        settings.REDIS_SOCKET,
        settings.DATA_DIR / "redis",
        pass_fds=[lock.descriptor],
        preexec=parents.die_with_parent(),
    )
