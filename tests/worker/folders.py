"""What lies in the folder of a running product, and what its processes have open."""

import os
import stat
from pathlib import Path


def paths_below(folder):
    """What goes while it is looked for is left out: the processes run on."""
    for parent, names, files in os.walk(folder):
        yield from (Path(parent, name) for name in (*names, *files))


def is_open_to_others(path):
    try:
        status = path.lstat()
    except FileNotFoundError:
        return False
    return bool(status.st_mode & 0o077) and not stat.S_ISLNK(status.st_mode)


def files_that_hold(folder, text):
    return [path for path in paths_below(folder) if text.encode() in bytes_of(path)]


def bytes_of(path):
    try:
        return path.read_bytes() if path.is_file() else b""
    except FileNotFoundError:
        return b""
