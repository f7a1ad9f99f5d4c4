"""`python -m reader.conversion.sandbox PARENT FOLDER PROGRAM`: LibreOffice with no network and one folder.

It reads the system's programs and libraries, writes to the folder alone, starts nothing and dies with its parent.
"""

import ctypes
import os
import resource
import signal
import sys
from pathlib import Path

from reader.sandbox.landlock import restrict_to_folder
from reader.sandbox.limits import PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG
from reader.sandbox.seccomp import refuse_calls

CPU_SECONDS = 60
MEGABYTE = 1024 * 1024
LIMITS = {
    resource.RLIMIT_CPU: CPU_SECONDS,
    resource.RLIMIT_DATA: 1500 * MEGABYTE,
    resource.RLIMIT_FSIZE: 300 * MEGABYTE,
    resource.RLIMIT_CORE: 0,
}
# Besides what readers may read: where it is configured, and what says how files and letters look. Debian keeps its
# lists of extensions in /var, without which it ends.
SYSTEM_PATHS = (
    "/bin",
    "/usr/bin",
    "/usr/share",
    "/etc/libreoffice",
    "/var/lib/libreoffice",
    "/var/spool/libreoffice",
    "/etc/fonts",
    "/var/cache/fontconfig",
)
# Where it makes its sockets, whatever TMPDIR is.
SOCKETS = Path("/tmp/OSL_PIPE_")  # noqa: S108
OPTIONS = ("--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck", "--convert-to", "pdf")


def main() -> None:
    parent, folder, program = int(sys.argv[1]), Path(sys.argv[2]), find_binary(Path(sys.argv[3]))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(1)
    for what, value in LIMITS.items():
        resource.setrlimit(what, (value, value))
    enter_sandbox(folder, program)
    profile = f"-env:UserInstallation=file://{folder}/profile"
    [document] = folder.glob("document.*")
    os.execv(program, [str(program), profile, *OPTIONS, "--outdir", f"{folder}/out", str(document)])  # noqa: S606


def find_binary(program: Path) -> Path:
    """Past the scripts that start it, which start processes."""
    resolved = program.resolve()
    binary = resolved.with_name("soffice.bin")
    return binary if binary.is_file() else resolved


def find_installation(program: Path) -> Path:
    """With what it shares, but no folder of several programs: in /opt there may be files of others, such as ours."""
    return program.parent.parent if program.parent.name == "program" else program.parent


def enter_sandbox(folder: Path, program: Path) -> None:
    """As far as the system has it; what it lacks, readers have said at their start."""
    try:
        restrict_to_folder(folder, [*SYSTEM_PATHS, find_installation(program)], [str(SOCKETS.parent)])
    except OSError as error:
        sys.stderr.write(f"Landlock is missing ({error.strerror}).\n")
    try:
        # It stands in place of this process, and starts no other. Without a socket by which a second one of the same
        # profile would find it, it ends.
        refuse_calls(but=("execve", "socket", "bind", "listen"))
    except OSError as error:
        sys.stderr.write(f"seccomp is missing ({error.strerror}).\n")


if __name__ == "__main__":
    main()
