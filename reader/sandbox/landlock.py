"""No file system but what Python and its libraries read: Landlock, by system call since no library wraps it.

https://docs.kernel.org/userspace-api/landlock.html
"""

import ctypes
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
CREATE_RULESET_VERSION = 1
RULE_PATH_BENEATH = 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE
MAKE_SOCKET = 1 << 9
# MAKE_CHAR, MAKE_BLOCK.
MAKE_DEVICES = 1 << 6 | 1 << 11
# Kinds of access that each version of the kernel's interface knows; later ones only add to them.
KINDS_OF_ACCESS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
NETWORK_VERSION, TCP = 4, 0b11
SCOPE_VERSION, SIGNALS_AND_ABSTRACT_SOCKETS = 6, 0b11

# Fonts for text files and for PDFs that carry none; what numpy, OpenCV and onnxruntime ask about the processor.
SYSTEM_PATHS = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    "/usr/share/fonts",
    "/usr/share/X11/fonts",
    "/usr/local/share/fonts",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices",
    "/sys/bus/pci/devices",
    "/sys/fs/cgroup",
    "/dev/null",
    "/dev/urandom",
)


class Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("descriptor", ctypes.c_int32))


def restrict_files(paths: Iterable[str | Path]) -> None:
    """From now on this thread and its children open nothing but `paths`, and those only to read them.

    Files that are open already stay so. Raises OSError where the kernel has no Landlock.
    """
    with make_ruleset() as (ruleset, _):
        for path in paths:
            allow(ruleset, path, READ_FILE | READ_DIR)


def restrict_to_folder(folder: Path, programs: Iterable[str | Path], sockets: Iterable[str] = ()) -> None:
    """From now on it may do what it likes in the folder, but make no devices; and read and run what is installed.

    sockets: folders where it may make those, and nothing else.
    """
    with make_ruleset() as (ruleset, known):
        for path in (*SYSTEM_PATHS, *programs):
            allow(ruleset, path, EXECUTE | READ_FILE | READ_DIR)
        allow(ruleset, "/dev/null", READ_FILE | WRITE_FILE)
        for path in sockets:
            allow(ruleset, path, MAKE_SOCKET)
        allow(ruleset, folder, known & ~MAKE_DEVICES)


@contextmanager
def make_ruleset() -> Iterator[tuple[int, int]]:
    """Its descriptor, and all kinds of access to files that the kernel knows; holds from the end of the block on."""
    version = call_kernel(CREATE_RULESET, None, 0, CREATE_RULESET_VERSION)
    rules = Ruleset(
        (1 << KINDS_OF_ACCESS.get(version, KINDS_OF_ACCESS[max(KINDS_OF_ACCESS)])) - 1,
        TCP if version >= NETWORK_VERSION else 0,
        SIGNALS_AND_ABSTRACT_SOCKETS if version >= SCOPE_VERSION else 0,
    )
    # Older kernels know a shorter structure and refuse a longer one only when the rest of it is not zero.
    ruleset = call_kernel(CREATE_RULESET, ctypes.byref(rules), ctypes.sizeof(rules), 0)
    try:
        yield ruleset, rules.files
        call_kernel(RESTRICT_SELF, ruleset, 0, 0)
    finally:
        os.close(ruleset)


def allow(ruleset: int, path: str | Path, access: int) -> None:
    """Leave out for a file what holds for folders alone."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rule = PathBeneath(access if os.path.isdir(path) else access & OF_FILES, descriptor)
        call_kernel(ADD_RULE, ruleset, RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(descriptor)


def list_library_paths(root: Path = ROOT) -> Iterator[str | Path]:
    """List what is imported late or opened by a library; never a checkout as a whole, which may hold the data.

    Where the wheel is installed, `root` is the folder of all packages, and no data is in it.
    """
    is_checkout = (root / "manage.py").exists()
    yield from SYSTEM_PATHS
    yield root / "reader"
    yield from (path for path in sys.path if path and not (is_checkout and Path(path).resolve() == root))
    yield from filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(":"))
    yield Path(sys.base_prefix, "lib")


def call_kernel(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    result: int = libc.syscall(number, *arguments)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result
