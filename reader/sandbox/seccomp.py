"""No network, no new processes, no hand on other processes: a seccomp filter, in the kernel's own small language.

It names what is refused, not what is allowed: the libraries of a reader use what the next version of libc likes, and
files are Landlock's part. https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

import ctypes
import errno
import os
import platform
import socket
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000, 0x80000000
LOAD, JUMP_EQUAL, JUMP_BITS, JUMP_AT_LEAST, RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
# Places in `struct seccomp_data`; of an argument the lower half, both machines being little endian.
NUMBER, MACHINE, FIRST_ARGUMENT = 0, 4, 16
CLONE_THREAD = 0x10000
OTHER_NUMBERING = 0x40000000


# By name: the number on x86-64, on aarch64.
REFUSED: dict[str, tuple[int, int | None]] = {
    # the network
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    # new processes
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "kill": (62, 129),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    # what Landlock leaves open: marks of files
    "truncate": (76, 45),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # memory that outlives the process, keys
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # the system
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
}
# From 424 on all machines number alike: pidfd_send_signal, io_uring (which opens sockets too), open_tree to fspick,
# pidfd_open, pidfd_getfd, process_madvise, mount_setattr, quotactl_fd, memfd_secret, process_mrelease, fchmodat2,
# setxattrat, removexattrat.
REFUSED_EVERYWHERE = (424, 425, 426, 427, *range(428, 435), 438, 440, 442, 443, 447, 448, 452, 463, 466)
CLONE3 = 435


@dataclass(frozen=True)
class Machine:
    """`own_process_only`: tgkill and prlimit64, whose first argument names a process."""

    audit_name: int
    refused: tuple[int, ...]
    clone: int
    own_process_only: tuple[int, int]
    local_socket: int | None = None


MACHINES = {
    "x86_64": Machine(0xC000003E, tuple(x86 for x86, _ in REFUSED.values()), 56, (234, 302)),
    "aarch64": Machine(0xC00000B7, tuple(arm for _, arm in REFUSED.values() if arm is not None), 220, (131, 261)),
}


class Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("if_so", ctypes.c_uint8),
        ("if_not", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    )


class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(Instruction)))


def refuse_calls(*, but: Collection[str] = ()) -> None:
    """From now on, for this process. It must not have gained rights (no_new_privs). Raises OSError where it cannot.

    but: names of calls that it may make; `socket` among them only for those that stay on the machine.
    """
    machine = MACHINES.get(platform.machine())
    if machine is None:
        raise OSError(errno.ENOSYS, "The system calls of this machine are not known.")
    allowed = {number for name in but for number in REFUSED[name]}
    kept = tuple(number for number in machine.refused if number not in allowed)
    sockets = REFUSED["socket"][0 if platform.machine() == "x86_64" else 1] if "socket" in but else None
    install(list(build_filter(replace(machine, refused=kept, local_socket=sockets), os.getpid())))


def install(instructions: list[Instruction]) -> None:
    program = Program(len(instructions), (Instruction * len(instructions))(*instructions))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def build_filter(machine: Machine, own_process: int) -> Iterator[Instruction]:
    # A call by the numbers of another machine, as 32-bit programs make it, would be taken for a harmless one below.
    yield Instruction(LOAD, 0, 0, MACHINE)
    yield Instruction(JUMP_EQUAL, 1, 0, machine.audit_name)
    yield Instruction(RETURN, 0, 0, KILL)
    yield Instruction(LOAD, 0, 0, NUMBER)
    # x32, which has the calls of x86-64 once more.
    yield from make_jump(JUMP_AT_LEAST, OTHER_NUMBERING, REFUSE | errno.EPERM)
    # glibc then asks for `clone`, whose flags can be looked at.
    yield from make_jump(JUMP_EQUAL, CLONE3, REFUSE | errno.ENOSYS)
    for number in (*machine.refused, *REFUSED_EVERYWHERE):
        yield from make_jump(JUMP_EQUAL, number, REFUSE | errno.EPERM)
    yield from check_first_argument(machine.clone, (JUMP_BITS, CLONE_THREAD))
    if machine.local_socket is not None:
        yield from check_first_argument(machine.local_socket, (JUMP_EQUAL, socket.AF_UNIX))
    for number in machine.own_process_only:
        yield from check_first_argument(number, (JUMP_EQUAL, own_process), (JUMP_EQUAL, 0))
    yield Instruction(RETURN, 0, 0, ALLOW)


def make_jump(jump: int, value: int, answer: int) -> Iterator[Instruction]:
    yield Instruction(jump, 0, 1, value)
    yield Instruction(RETURN, 0, 0, answer)


def check_first_argument(number: int, *conditions: tuple[int, int]) -> Iterator[Instruction]:
    """Refuses the call unless one of the conditions holds for its first argument."""
    yield Instruction(JUMP_EQUAL, 0, 2 + 2 * len(conditions), number)
    yield Instruction(LOAD, 0, 0, FIRST_ARGUMENT)
    for jump, value in conditions:
        yield from make_jump(jump, value, ALLOW)
    yield Instruction(RETURN, 0, 0, REFUSE | errno.EPERM)
