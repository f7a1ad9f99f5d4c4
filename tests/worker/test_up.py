"""The supervisor from outside: real processes, real signals. Each case looks for processes that stayed.

A start costs ten seconds of CPU: a product that still runs serves the next case too, and one that ended is started again.
"""

import os
import signal
import sqlite3
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from redis import Redis

from benchmarks.instruments.processes import measure_costs
from kit.processes import embedded, embedded_redis
from tests import scripts
from tests.open_files import list_open_files
from tests.product import Product, command_line, still_alive, wait_for_end
from tests.worker.folders import files_that_hold, is_open_to_others, paths_below

pytestmark = pytest.mark.chaos
SCAN = Path(__file__).resolve().parent.parent / "data" / "sroie_003.jpg"
# A scan of so many pages that a reader is busy for minutes.
PAGES = 60
UPLOAD_A_LONG_SCAN = f"""{scripts.PEOPLE}
import io
from django.core.files.base import ContentFile
from PIL import Image
from documents import document_changes
from documents.intake import uploads
pages = [Image.open({str(SCAN)!r}).convert("L") for _ in range({PAGES})]
file = io.BytesIO(); pages[0].save(file, "TIFF", save_all=True, append_images=pages[1:], compression="tiff_lzw")
uploads.store(actor, name="long.tiff", content=ContentFile(file.getvalue()))
"""
UPLOAD_AND_ASK = f"""{scripts.PEOPLE}
from django.core.files.base import ContentFile
from agent.conversation import threads
from agent.turns import turns
from documents.intake import uploads
# With a summary there is an extraction as well.
type(actor.organization).objects.update(default_prompt_enabled=True)
document = uploads.store(actor, name="WORD.txt", content=ContentFile(b"Dear WORD, the total is 12.50 EUR."))
turns.start(actor, thread=threads.create(actor, document=document), text="What is written in it? WORD")
"""
TURNS = "SELECT status FROM agent_turn"
EXTRACTIONS = "SELECT status FROM documents_extraction"
DELETE_FOR_GOOD = f"""{scripts.START}
from accounts.access import enter
from accounts.models import User
from documents.models import Document
from documents import document_changes
from documents.retention import trash
document = Document.objects.get()
actor = enter(document.uploaded_by, document.organization_id)
document_changes.trash(actor, document=document)
trash.delete_for_good(actor, document=document)
"""


@contextmanager
def stop_at_last(product):
    yield product
    if product.is_running():
        product.stop()


@pytest.fixture
def product(tmp_path):
    """One of this test alone, not started yet."""
    with stop_at_last(Product(tmp_path)) as product:
        yield product


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    with stop_at_last(Product(tmp_path_factory.mktemp("shared"), {"AGENT_PROCESSES": "2"})) as product:
        yield product


@pytest.fixture(scope="module")
def shared_reading(tmp_path_factory):
    with stop_at_last(Product(tmp_path_factory.mktemp("reading"))) as product:
        yield product


@pytest.fixture
def running(shared):
    return run_all_of(shared)


@pytest.fixture
def busy(shared_reading):
    """One that reads, and will do so for minutes."""
    product = run_all_of(shared_reading)
    if pages_left(product) < PAGES // 2:
        answer = product.run("-c", UPLOAD_A_LONG_SCAN)
        assert answer.returncode == 0, answer.stderr
    product.wait_until(lambda: product.pid_of("reader"), "a reader")
    before = pages_read(product)
    product.wait_until(lambda: pages_read(product) > before, "a page")
    return product


def run_all_of(product):
    if not product.is_running():
        product.start()
    product.wait_until(product.is_ready, "the workers")
    return product


def pages_read(product):
    return sum(pages for (pages,) in product.query("SELECT pages_read FROM documents_reading"))


def pages_left(product):
    return PAGES * len(product.query("SELECT id FROM documents_reading")) - pages_read(product)


@contextmanager
def open_database(path):
    """A reader, without which the last connection to close takes the write-ahead log away."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        yield


def test_a_worker_that_is_starting_is_not_away(shared):
    """On a busy machine that takes a minute, and the page is there from the first second on."""
    if shared.is_running():
        shared.stop()
    shared.start()
    script = f"{scripts.START}\nfrom kit.processes import heartbeats; print(heartbeats.is_away('reading'))"
    assert shared.run("-c", script).stdout.strip() == "False"


def test_it_refuses_a_second_start_on_the_same_folder(running):
    second = running.run("up")
    assert second.returncode == 1
    assert f"already runs on {running.folder}/data: process {running.process.pid} since" in second.stderr
    assert running.answers()


def test_it_refuses_a_port_that_is_taken(running, tmp_path):
    other = Product(tmp_path / "other", port=running.port)
    other.folder.mkdir()
    answer = other.run("up")
    assert answer.returncode == 1
    assert f"PORT: 127.0.0.1:{running.port} cannot be used" in answer.stderr


def test_it_starts_a_killed_child_again_and_later_the_next_time(running):
    for delay in (1, 2):
        scheduler = running.kill("manage.py scheduler")
        running.wait_until(lambda gone=scheduler: running.pid_of("manage.py scheduler") not in (0, gone), "another")
        assert f"scheduler ended (killed by SIGKILL); started again in {delay} s." in running.log


def test_it_says_at_once_that_a_killed_worker_is_away(running):
    running.kill("manage.py work agent")
    running.wait_until(lambda: running.get("/ready") == 503, "the news", seconds=20)
    running.wait_until(running.is_ready, "another worker")


def test_it_starts_a_killed_redis_again_and_the_workers_find_it(running):
    assert "unixsocket" in command_line(running.pid_of("redis"))
    assert embedded_redis.describe_server(embedded_redis.find_server()) in running.log
    redis = running.kill("redis")
    running.wait_until(lambda: running.pid_of("redis") not in (0, redis), "another Redis")
    running.wait_until(running.is_ready, "readiness")


def test_no_byte_of_a_document_deleted_for_good_is_left_in_its_folder(running):
    data, word = running.folder / "data", "Zilpzalp4711"
    assert running.run("-c", UPLOAD_AND_ASK.replace("WORD", word)).returncode == 0
    running.wait_until(lambda: running.query(TURNS) == running.query(EXTRACTIONS) == [("completed",)], "the answer")
    # At once: the scheduler rewrites Redis' file when it starts, and a message to a page is gone after a second.
    Redis(unix_socket_path=str(embedded.redis_socket(data))).set("as a message to a page", word, ex=1)
    assert {path.relative_to(data).parts[0] for path in files_that_hold(data, word)} >= {"files", "redis"}
    backup = data / "backups" / "docrouter-1.sqlite3"
    backup.parent.mkdir()
    backup.write_text(f"from before an upgrade, with {word}")
    os.utime(backup, (time.time() - 8 * 86_400,) * 2)
    assert running.run("-c", DELETE_FOR_GOOD).returncode == 0
    running.stop()
    running.start()  # the sweep of old backups comes once an hour, and at the start
    running.wait_until(lambda: not [*running.query(TURNS), *running.query(EXTRACTIONS)], "the deletion")
    running.wait_until(lambda: not files_that_hold(data, word), "the bytes to go")


def test_it_starts_again_after_being_killed_without_help(running):
    running.process.kill()
    running.process.wait()
    run_all_of(running)
    # And what is ready is not what the killed ones said of themselves.
    assert running.pid_of("manage.py work agent") and running.pid_of("manage.py work reading")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_within_ten_seconds_and_leaves_nothing(running, number):
    pids = running.pids()
    assert len(pids) == 7, pids
    began = time.monotonic()
    assert running.stop(number) == 0
    assert time.monotonic() - began < 10
    assert not still_alive(pids)
    assert not Path(running.folder, "data", "redis", "redis.sock").exists()


def test_its_children_share_what_they_import(running):
    """Half of the sum; were each to load it for itself, nine tenths."""
    costs = measure_costs(running).values()
    assert sum(cost.share for cost in costs) < 0.7 * sum(cost.resident for cost in costs), costs


def test_a_child_holds_no_pipe_of_its_siblings(running):
    """One that did would keep a sibling of a killed supervisor waiting for a reader of what it says."""
    children = [pid for pid, command in running.pids().items() if "manage.py" in command and pid != running.process.pid]
    outputs = {os.readlink(f"/proc/{pid}/fd/1") for pid in children}
    assert len(outputs) == 4
    assert {len(set(list_open_files(pid)) & outputs) for pid in children} == {1}


def test_the_processes_of_a_worker_end_together_and_come_again(running):
    """One alone would find its work taken for that of a dead one."""
    first, second = (running.pid_of(f"manage.py work agent{number}") for number in ("", " (2)"))
    os.kill(second, signal.SIGKILL)
    running.wait_until(lambda: running.pid_of("manage.py work agent (2)") not in (0, second), "another")
    assert not still_alive({first: running.pids().get(first, "")})
    assert "a process of this worker ended; the worker ends" in running.log
    first, second = (running.pid_of(f"manage.py work agent{number}") for number in ("", " (2)"))
    os.kill(first, signal.SIGKILL)
    assert not wait_for_end({second: command_line(second)}, 0.5)
    running.wait_until(lambda: running.pid_of("manage.py work agent (2)") not in (0, second), "another")


def test_it_goes_on_soon_with_what_a_killed_worker_held(busy):
    busy.kill("manage.py work reading")
    before = pages_read(busy)
    busy.wait_until(lambda: pages_read(busy) > before, "the next page", seconds=45)


def test_it_stops_a_busy_worker_within_ten_seconds_and_goes_on_from_the_last_page(busy):
    pids = busy.pids()
    began = time.monotonic()
    assert busy.stop() == 0
    assert time.monotonic() - began < 10
    assert not wait_for_end(pids, 0.5)
    before = pages_read(busy)
    busy.start()
    busy.wait_until(lambda: pages_read(busy) > before, "the next page")


def test_it_leaves_nothing_when_it_is_killed(busy):
    pids = busy.pids()
    busy.process.kill()
    busy.process.wait()
    assert not wait_for_end(pids, 13)


def test_nothing_in_its_folder_is_open_to_others_also_when_it_was_before(product):
    product.begins_empty = True
    data = product.folder / "data"
    before = os.umask(0o022)
    try:
        for name in ("files/documents/old/file", "backups/docrouter-1.sqlite3", "redis/redis.log", "static/a.css"):
            (data / name).parent.mkdir(parents=True, exist_ok=True)
            (data / name).write_text("from an earlier version")
        product.start()
        product.wait_until(product.is_ready, "the workers")
        with open_database(data / "docrouter.sqlite3"):
            answer = product.run("-c", scripts.UPLOAD)
            assert answer.returncode == 0, answer.stderr
            paths = [data, *paths_below(data)]
            assert not [path for path in paths if is_open_to_others(path)]
    finally:
        os.umask(before)
    assert [path.name for path in (data / "backups").iterdir()] == ["docrouter-1.sqlite3"]  # there was nothing to copy
    assert data / "docrouter.sqlite3-wal" in paths
    assert any(path.match("documents/*/*") and path.parent.name != "old" for path in paths)


def test_it_copies_the_database_before_a_migration_only(product):
    backups = product.folder / "data" / "backups"
    product.start().stop()
    assert not backups.exists()
    assert product.run("migrate", "worker", "zero").returncode == 0
    product.start().stop()
    assert [copy.suffix for copy in backups.iterdir()] == [".sqlite3"]
