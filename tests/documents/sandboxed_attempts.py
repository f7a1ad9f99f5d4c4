"""Shut in as a reader is, it tries to get out: `python -m tests.documents.sandboxed_attempts PARENT FILE`.

Prints for each attempt what came of it, as JSON: "done", or the name of the error.
"""

import ctypes
import errno
import importlib
import json
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from reader.requests import answer
from reader.sandbox.limits import confine

IO_URING_SETUP = 425


def main() -> None:
    parent, path = int(sys.argv[1]), sys.argv[2]
    before = os.open(path, os.O_RDONLY)
    report: dict[str, object] = {"missing": confine(os.getppid())}
    for name, attempt in attempts(parent, path, before).items():
        report[name] = outcome_of(attempt)
    limits = {"max_bytes": 1000, "max_pages": 5, "max_pixels": 1000}
    report["the file that was handed over"] = answer({"do": "inspect", "password": None, **limits}, before)[0]["kind"]
    print(json.dumps(report))


def attempts(parent: int, path: str, before: int) -> dict[str, Callable[[], object]]:
    return {
        "open a file of the system": lambda: Path("/etc/passwd").read_bytes(),
        "open a file of the user": lambda: Path(path).read_bytes(),
        "write to the file that was handed over": lambda: os.open(f"/proc/self/fd/{before}", os.O_WRONLY),
        "look into the parent": lambda: Path(f"/proc/{parent}/environ").read_bytes(),
        "list a folder": lambda: os.listdir(Path(path).parent),
        "write a file": lambda: Path(path).with_suffix(".new").write_bytes(b"x"),
        "remove a file": lambda: os.unlink(path),
        "change who may read a file": lambda: os.chmod(path, 0o777),
        "change when a file was written": lambda: os.utime(path),
        "connect": lambda: socket.create_connection(("127.0.0.1", 9)),
        "talk to a process of this machine": lambda: socket.socket(socket.AF_UNIX),
        "ask a name server": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "make two sockets": socket.socketpair,
        "go around by io_uring": lambda: call(IO_URING_SETUP),
        "fork": os.fork,
        "run a program": lambda: os.execv("/bin/true", ["true"]),
        "start a program": lambda: os.posix_spawn("/bin/true", ["true"], {}),
        "send a signal": lambda: os.kill(parent, signal.SIGCONT),
        "limit another process": lambda: resource.prlimit(parent, resource.RLIMIT_CPU),
        "import a module": lambda: importlib.import_module("colorsys"),
    }


def outcome_of(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return "done"


def call(number: int) -> None:
    if ctypes.CDLL(None, use_errno=True).syscall(number, 1, None) < 0:
        raise OSError(ctypes.get_errno(), "refused")


if __name__ == "__main__":
    main()
