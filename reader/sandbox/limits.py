"""Limits of this process; it dies with its parent."""

import ctypes
import os
import resource
import signal
import sys
import time

from reader.sandbox.landlock import list_library_paths, restrict_files
from reader.sandbox.seccomp import refuse_calls

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
# CPUCLOCK_PROF of the calling process, by the numbering of the kernel's include/linux/posix-timers.h.
PROFILING_CLOCK = ~0 << 3
MEGABYTE = 1024 * 1024
ADDRESS_SPACE_BYTES = 2048 * MEGABYTE
# Measured: the most objects that a page may have take 220 MB, the most words 60 MB, the longest text 20 MB.
PARSING_BYTES = 400 * MEGABYTE
# Measured, with the OCR engine: 35 megapixels take 620 MB, 60 megapixels with transparency 920 MB.
DRAWING_BYTES = 1000 * MEGABYTE
PARSING_SECONDS = 8
# The worst honest pages, which are read up to four times or in strips, take 9 s here and some 20 s on a slow core.
RECOGNIZING_SECONDS = 45


def confine(parent: int) -> list[str]:
    """Die with the parent, gain no rights, open no files, reach nobody, dump no core, stay within the limits.

    To be called while there is one thread. Returns a sentence for each protection that this system does not have.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    # Without it the kernel takes neither Landlock's rules nor a filter from a process that has no rights.
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if os.getppid() != parent:
        # The parent died before the signal was set: it will never come.
        sys.exit(1)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE_BYTES, ADDRESS_SPACE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # No file grows by it, not even one that was open before. The socket by which it answers is none to this limit.
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    budget.enforce()
    return enter_sandbox()


def enter_sandbox() -> list[str]:
    missing = []
    try:
        restrict_files(list_library_paths())
    except OSError as error:
        missing.append(f"Landlock is missing ({error.strerror}): a reader could open every file of its user.")
    try:
        refuse_calls()
    except OSError as error:
        missing.append(f"seccomp is missing ({error.strerror}): a reader could reach the network.")
    return missing


class Budget:
    """Memory and computing time of one request, by soft limits that move with what the request comes to.

    The kernel ends the process with SIGXCPU when the time is used up; memory that is not granted is a MemoryError in
    Python and the end of the process in most native code. Memory is what the process could write to (RLIMIT_DATA):
    libraries that are mapped into it do not count. Until `enforce`, and so outside a reader, nothing is limited.
    """

    def __init__(self) -> None:
        self.statistics: int | None = None
        self.used_before = 0

    def enforce(self) -> None:
        # Opened for good: later no file of /proc can be.
        self.statistics = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)

    def start(self) -> None:
        """A new request."""
        if self.statistics is not None:
            self.used_before = count_data_bytes(self.statistics)
            self.start_page()

    def start_page(self, seconds: int = PARSING_SECONDS) -> None:
        """Its time begins anew; its memory is that of the request, with what opening the file has taken."""
        if self.statistics is not None:
            set_limit(resource.RLIMIT_DATA, self.used_before + PARSING_BYTES)
            self.grant(seconds)

    def allow_drawing(self) -> None:
        if self.statistics is not None:
            set_limit(resource.RLIMIT_DATA, self.used_before + DRAWING_BYTES)

    def allow_recognizing(self) -> None:
        if self.statistics is not None:
            self.allow_drawing()
            self.grant(RECOGNIZING_SECONDS)

    def grant(self, seconds: int) -> None:
        """From now on."""
        set_limit(resource.RLIMIT_CPU, int(read_limited_seconds()) + seconds + 1)


def read_limited_seconds() -> float:
    """Read the computing time by the clock of RLIMIT_CPU and ITIMER_PROF, which counts in ticks.

    `getrusage` and `process_time` tell the time that it ran. Beside busy processes the two drift apart by a fifth, and
    a limit taken from the other clock has passed already once a reader has computed for a minute.
    """
    return time.clock_gettime(PROFILING_CLOCK)


def count_data_bytes(statistics: int) -> int:
    return int(os.pread(statistics, 200, 0).split()[5]) * resource.getpagesize()


def set_limit(what: int, value: int) -> None:
    resource.setrlimit(what, (value, resource.getrlimit(what)[1]))


budget = Budget()
