import os
import subprocess
import sys

import pytest

from worker.supervision.lock import AlreadyRunning, DataLock

pytestmark = pytest.mark.servers


def take(lock, patience=0.0, on_wait=print):
    lock.take("http://localhost:1", patience_seconds=patience, on_wait=on_wait)


def test_it_lets_one_run_on_a_folder(tmp_path):
    first = DataLock(tmp_path)
    take(first)
    with pytest.raises(AlreadyRunning) as refusal:
        take(DataLock(tmp_path), patience=5.0)
    assert f"process {os.getpid()} since" in str(refusal.value)
    assert "http://localhost:1" in str(refusal.value)


def test_it_is_free_again_after_a_release(tmp_path):
    first = DataLock(tmp_path)
    take(first)
    first.release()
    take(DataLock(tmp_path))


def leftover_child(folder, seconds):
    """A process that inherited the lock of an `up` which is dead already."""
    code = f"""
import subprocess, sys
from pathlib import Path
from worker.supervision.lock import DataLock
lock = DataLock(Path({str(folder)!r}))
lock.take("http://localhost:1", patience_seconds=0, on_wait=print)
subprocess.Popen(["sleep", {str(seconds)!r}], pass_fds=[lock.descriptor], stdout=subprocess.DEVNULL)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_it_waits_for_what_a_killed_run_left_behind(tmp_path):
    leftover_child(tmp_path, 0.5)
    waits: list[str] = []
    take(DataLock(tmp_path), patience=20.0, on_wait=waits.append)
    assert waits == ["The last run was killed; waiting for its processes to end."]


def test_it_gives_up_when_the_leftovers_stay(tmp_path):
    leftover_child(tmp_path, 2)
    with pytest.raises(AlreadyRunning):
        take(DataLock(tmp_path), patience=0.3)
