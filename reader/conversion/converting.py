"""The parent's side: a folder for one file, LibreOffice in it, and what it left there."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from kit.errors import Invalid, TooLarge
from reader.conversion.sandbox import SOCKETS
from reader.pool.process import KEPT_ENVIRONMENT, LOW_PRIORITY, ROOT, ComputingTime

log = logging.getLogger(__name__)
# By the clock: its computing time is less, and has its own limit.
SECONDS = 180.0
MAX_PDF_BYTES = 200_000_000
# A new profile makes it end and ask to be started again.
ATTEMPTS, START_AGAIN = 2, 81
FAILED = "LibreOffice could not open the file: it is damaged or locked. Save it as {kind}, then upload that."
TOO_LONG = "LibreOffice took too long to open the file. Save it as {kind}, then upload that."
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class Ended:
    code: int
    milliseconds: int


def convert_to_pdf(
    program: str, source: IO[bytes], *, newer_kind: str, time: ComputingTime, seconds: float = SECONDS
) -> bytes:
    """program: LibreOffice's. newer_kind: the kind of today, for the sentence. Adds to `time` whatever the outcome.

    Raises Invalid or TooLarge with one sentence.
    """
    with _one_at_a_time, tempfile.TemporaryDirectory(prefix="docrouter-office-") as name:
        folder = Path(name)
        (folder / "out").mkdir()
        _copy(source, folder / f"document.{newer_kind.lower().removesuffix('x')}")
        result = folder / "out" / "document.pdf"
        for _ in range(ATTEMPTS):
            ended = run_office(program, folder, seconds)
            time.milliseconds += ended.milliseconds
            if ended.code in (-signal.SIGKILL, -signal.SIGXCPU):
                raise Invalid(TOO_LONG.format(kind=newer_kind))
            if result.is_file():
                return read_result(result)
    raise Invalid(FAILED.format(kind=newer_kind))


def _copy(source: IO[bytes], target: Path) -> None:
    source.seek(0)
    with target.open("wb") as copy:
        shutil.copyfileobj(source, copy)


def read_result(result: Path) -> bytes:
    if result.stat().st_size > MAX_PDF_BYTES:
        raise TooLarge(f"As a PDF the file has more than {MAX_PDF_BYTES // 1_000_000} MB.")
    return result.read_bytes()


def run_office(program: str, folder: Path, seconds: float) -> Ended:
    """In a process group of its own, of which nothing is left afterwards."""
    kept = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ}
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [sys.executable, "-B", "-m", "reader.conversion.sandbox", str(os.getpid()), str(folder), program],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            cwd=ROOT,
            env=kept | {"HOME": str(folder), "TMPDIR": str(folder)},
            start_new_session=True,
        )
        os.setpriority(os.PRIO_PROCESS, process.pid, LOW_PRIORITY)
        sockets = list_sockets()
        ended = wait(process, seconds)
        for path in list_sockets() - sockets:
            path.unlink(missing_ok=True)
        errors.seek(0)
        if ended.code not in (0, START_AGAIN):
            words = errors.read(2000).decode("utf-8", "replace").strip()
            log.warning("LibreOffice ended with %s: %s", ended.code, words)
    return ended


def wait(process: subprocess.Popen[bytes], seconds: float) -> Ended:
    timer = threading.Timer(seconds, end_group, (process.pid,))
    timer.start()
    try:
        _, status, usage = os.wait4(process.pid, 0)
    finally:
        timer.cancel()
        end_group(process.pid)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Ended(process.returncode, round(1000 * (usage.ru_utime + usage.ru_stime)))


def list_sockets() -> set[Path]:
    """List the sockets that LibreOffice leaves, since in its sandbox it can remove none."""
    names = set()
    for path in SOCKETS.parent.glob(f"{SOCKETS.name}*"):
        with suppress(FileNotFoundError):
            names |= {path} if path.lstat().st_uid == os.getuid() else set()
    return names


def end_group(leader: int) -> None:
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return
