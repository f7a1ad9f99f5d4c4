"""A Celery worker of ours: threads, the queues of its kind, signs of life, and a word to its loops when it must end."""

from __future__ import annotations

import threading
import warnings

from celery import current_app
from celery.exceptions import SecurityWarning
from celery.signals import worker_ready, worker_shutting_down

from kit import jobs, stopping
from kit.processes import heartbeats
from worker.services.folder_watch import end_without_files
from worker.services.leases import this_process


def run_worker(kind: str, *, name: str, threads: int) -> None:
    """Returns after SIGTERM, once the tasks under way have put their work back."""
    # In a container root is the only user; what comes over the queue is JSON, and the socket is private.
    warnings.filterwarnings("ignore", category=SecurityWarning)
    worker_ready.connect(lambda **_: _send_heartbeats(kind), weak=False)
    worker_shutting_down.connect(lambda **_: stopping.ask(), weak=False)
    queues = ",".join(jobs.queues_of(kind))
    lean = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    current_app.worker_main(
        ["--quiet", "worker", "-Q", queues, "-P", "threads", "-c", str(threads), "-n", f"{name}@%h", *lean]
    )


def _send_heartbeats(kind: str) -> None:
    def run() -> None:
        while True:
            if end_without_files():
                return
            heartbeats.record_heartbeat(kind, this_process())
            if stopping.wait(heartbeats.EVERY_SECONDS):
                return

    threading.Thread(target=run, name="signs-of-life", daemon=True).start()
