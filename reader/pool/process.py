"""The parent's end of one reader process."""

import logging
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import IO, TypeAlias

from kit.errors import Invalid, Upstream
from kit.json_types import JsonObject
from reader import frames
from reader.pool.refusals import ReaderDied, explain_failure

FileSource: TypeAlias = str | Path | IO[bytes]
"""A path, or a file of this machine that is open for reading only."""

log = logging.getLogger(__name__)
START_SECONDS = 60.0
# Counted from the field after the name: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
USER_TICKS, SYSTEM_TICKS = 11, 12
ROOT = Path(__file__).resolve().parents[2]
# onnxruntime would report its use to its maker, which the network filter stops too.
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "ORT_DISABLE_TELEMETRY": "1"}
LOW_PRIORITY = 10
KEPT_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "HOME")


class ReaderProcess:
    """One child, one request at a time."""

    def __init__(self, niceness: int = 0) -> None:
        self.pages = 0
        self.greeted = False
        self.channel, other_end = socket.socketpair()
        with other_end:
            self.child = subprocess.Popen(
                [sys.executable, "-B", "-m", "reader", str(os.getpid())],
                stdin=other_end.fileno(),
                stdout=subprocess.DEVNULL,
                cwd=ROOT,
                # It handles files from strangers: no keys in its environment.
                env={name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ} | ENVIRONMENT,
            )
        # Its one thread has it; those that it starts later inherit it.
        before = os.getpriority(os.PRIO_PROCESS, self.child.pid)
        os.setpriority(os.PRIO_PROCESS, self.child.pid, before + niceness)

    def ask(self, request: frames.Request, file: int, seconds: float) -> tuple[JsonObject, bytes]:
        """file: the descriptor of what is asked about. Raises frames.Late, frames.Closed or ValueError; the process is
        of no use after any of them."""
        frames.send_file(self.channel, file)
        frames.send(self.channel, request)
        return frames.receive(self.channel, time.monotonic() + seconds)

    def greet(self) -> None:
        """Waits until it has started, which counts for no file's deadline. Raises like `ask`."""
        if not self.greeted:
            greeting, _ = frames.receive(self.channel, time.monotonic() + START_SECONDS)
            warn_once(tuple(greeting["missing"]))
            self.greeted = True

    def read_computing_ms(self) -> int:
        """Read its computing time. The kernel tells it of one that has just ended too, until `kill` has waited."""
        try:
            fields = Path(f"/proc/{self.child.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            return 0
        return (int(fields[USER_TICKS]) + int(fields[SYSTEM_TICKS])) * 1000 // os.sysconf("SC_CLK_TCK")

    def kill(self) -> int:
        """Ends it and says with which return code it ended."""
        self.child.kill()
        self.channel.close()
        code: int = self.child.wait()
        return code


@dataclass
class ComputingTime:
    """Adds up what readers compute for one purpose, also where they fail."""

    milliseconds: int = 0

    @contextmanager
    def count(self, process: ReaderProcess) -> Iterator[None]:
        before = process.read_computing_ms()
        try:
            yield
        finally:
            self.milliseconds += max(0, process.read_computing_ms() - before)


@dataclass
class Question:
    """A request about an open file, which a second reader may be asked after the first. `pages` wear a reader out."""

    request: frames.Request
    file: int
    pages: int
    seconds: float
    time: ComputingTime
    seconds_left: float = field(init=False)

    def __post_init__(self) -> None:
        self.seconds_left = self.seconds


def get_answer(process: ReaderProcess, question: Question) -> tuple[JsonObject, bytes]:
    """Raises ReaderDied, or Upstream where it did not even start."""
    try:
        process.greet()
    except (frames.Late, frames.Closed, ValueError) as failure:
        process.kill()
        raise Upstream("The reader process did not start.", retryable=True) from failure
    # The place in the file is shared with the process that was asked before.
    os.lseek(question.file, 0, os.SEEK_SET)
    began = time.monotonic()
    try:
        with question.time.count(process):
            return process.ask(question.request, question.file, question.seconds_left)
    except (frames.Late, frames.Closed, ValueError) as failure:
        question.seconds_left -= time.monotonic() - began
        raise ReaderDied(explain_failure(failure, process.kill(), question.seconds)) from failure


@contextmanager
def open_file(file: FileSource) -> Iterator[int]:
    """The descriptor that is handed to a reader, which itself can open no file. Raises FileNotFoundError or Invalid."""
    if not isinstance(file, (str, Path)):
        yield file.fileno()
        return
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise Invalid("The file cannot be opened.") from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@lru_cache(maxsize=1)
def warn_once(missing: tuple[str, ...]) -> None:
    for sentence in missing:
        log.warning("Files are read with less protection than meant. %s", sentence)
