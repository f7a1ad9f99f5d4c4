"""What a reader dies of is no verdict on a file before a fresh reader has died of it too."""

import os
import resource
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.errors import Invalid
from reader.pool.process import ReaderProcess
from reader.pool.readers import ReaderPool
from reader.pool.refusals import LATE
from reader.sandbox.limits import read_limited_seconds
from tests.documents.hostile_files import huge_unicode_map
from tests.documents.reader_files import DATA, pdf, text_at

pytestmark = pytest.mark.flows
FILE = DATA / "gen_105.txt"


@pytest.fixture
def pool() -> Iterator[ReaderPool]:
    """With one reader that has read a file before."""
    reader_pool = ReaderPool(1)
    reader_pool.inspect(FILE)
    yield reader_pool
    reader_pool.close()


def die_when_asked(pool: ReaderPool, number: signal.Signals) -> threading.Thread:
    """The signal reaches the reader that is idle once the pool has taken it: until then it stands still."""
    [process] = pool.idle
    os.kill(process.child.pid, signal.SIGSTOP)
    os.waitid(os.P_PID, process.child.pid, os.WSTOPPED | os.WNOWAIT)
    os.kill(process.child.pid, number)

    def wait_and_go_on() -> None:
        while pool.idle:
            time.sleep(0.002)
        os.kill(process.child.pid, signal.SIGCONT)

    thread = threading.Thread(target=wait_and_go_on)
    thread.start()
    return thread


@pytest.mark.parametrize("number", [signal.SIGXCPU, signal.SIGSEGV, signal.SIGABRT])
def test_a_file_that_a_reader_died_of_is_read_by_a_fresh_one(pool: ReaderPool, number: signal.Signals) -> None:
    [process] = pool.idle
    thread = die_when_asked(pool, number)
    [page] = pool.read(FILE, [1])
    thread.join()
    assert "Total 37070.65" in page.text and process.child.returncode == -number
    assert len(pool.idle) == 1


def take_memory(process: ReaderProcess) -> None:
    used = int(Path(f"/proc/{process.child.pid}/statm").read_text().split()[0]) * resource.getpagesize()
    resource.prlimit(process.child.pid, resource.RLIMIT_AS, (used, used))


def test_readers_without_memory_left_are_no_verdict_and_the_next_one_is_fresh(tmp_path: Path) -> None:
    pool = ReaderPool(2)
    used = [pool.take(fresh=True) for _ in range(2)]
    for process in used:
        process.greet()
        process.pages = 1
        pool.put_back(process)
        take_memory(process)
    (tmp_path / "a.pdf").write_bytes(pdf([text_at(20, 70, "Nothing here is out of the ordinary")]))
    [page] = pool.read(tmp_path / "a.pdf", [1])
    assert page.text == "Nothing here is out of the ordinary"
    assert [process.child.returncode is None for process in used] == [True, False]
    pool.close()


def test_what_two_readers_died_of_is_told(pool: ReaderPool) -> None:
    """The second is stopped as the first was, by whoever starts readers here."""
    processes: list[ReaderProcess] = []

    class Doomed(ReaderPool):
        def take(self, *, fresh: bool = False) -> ReaderProcess:
            process = super().take(fresh=fresh)
            process.greet()
            os.kill(process.child.pid, signal.SIGXCPU)
            processes.append(process)
            return process

    doomed = Doomed(1)
    with pytest.raises(Invalid, match=r"used more computing time than it may\. It was tried twice\."):
        doomed.inspect(FILE)
    assert len(processes) == 2 and not doomed.idle
    doomed.close()


def test_one_that_was_late_has_no_time_left_for_another(pool: ReaderPool, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(huge_unicode_map())
    with pytest.raises(Invalid, match="took longer than 0.1 seconds") as refused:
        pool.read(tmp_path / "a.pdf", [1], seconds=0.1)
    assert refused.value.code == LATE and not pool.idle


def test_a_fresh_reader_is_given_to_who_asks_for_it(pool: ReaderPool) -> None:
    [used] = pool.idle
    pool.inspect(FILE, fresh=True)
    assert pool.idle == [used] and used.pages == 1


def test_a_limit_is_counted_by_the_clock_that_the_kernel_compares() -> None:
    """ITIMER_PROF counts down by the same clock, to the microsecond."""
    whole = 1_000_000.0
    signal.setitimer(signal.ITIMER_PROF, whole)
    try:
        ahead = read_limited_seconds() - (whole - signal.getitimer(signal.ITIMER_PROF)[0])
        for size in range(100_000, 2_000_000, 100_000):
            bytes(size).count(1)
            before = read_limited_seconds()
            counted = whole - signal.getitimer(signal.ITIMER_PROF)[0]
            assert before - 1e-4 <= counted + ahead <= read_limited_seconds() + 1e-4
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
