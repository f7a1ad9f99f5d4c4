"""Two machines whose DATA_DIR is not the same folder: only one of them takes files and work on files."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.db import connection

from accounts.actor import Actor
from documents.intake import uploads
from documents.models import DataFolder, Document, Reading
from documents.reading import reading
from documents.storage import data_folder
from documents.storage.data_folder import ForeignFolder
from kit.errors import Busy
from tests.stored_in import keep_files_in
from worker.scheduler import SweepSchedule
from worker.services.folder_watch import end_without_files
from worker.services.schedule import Sweep

pytestmark = [pytest.mark.django_db, pytest.mark.servers]
Move = Callable[[str], Path]


@pytest.fixture
def move(settings: Any, tmp_path: Path) -> Move:
    """`move("b")`: from now on this process is one whose DATA_DIR is that folder."""
    settings.EMBEDDED_DATABASE = False

    def move(name: str) -> Path:
        keep_files_in(settings, tmp_path / name)
        settings.DATA_DIR.mkdir(exist_ok=True)
        return Path(settings.DATA_DIR)

    return move


def put(actor: Actor, content: bytes = b"Total 12.50") -> Document:
    return uploads.store(actor, name="a.txt", content=ContentFile(content))


def test_a_process_with_another_folder_says_so_and_takes_no_file(move: Move, actor: Actor) -> None:
    move("a"), data_folder.join_folder()
    put(actor)
    other = move("b")
    with pytest.raises(ForeignFolder, match=r"b on .* it has no file folder_id\. Mount .* manage.py adopt_data_dir"):
        data_folder.join_folder()
    assert str(other) in data_folder.explain_failure()
    with pytest.raises(Busy, match="cannot reach the files of this installation"):
        put(actor, b"Total 13")
    assert list((other / "files").iterdir()) == [] and Document.objects.count() == 1


def test_another_marker_is_none_of_ours(move: Move) -> None:
    move("a"), data_folder.join_folder()
    (move("b") / "folder_id").write_text("f" * 24)
    with pytest.raises(ForeignFolder, match="its file folder_id has another id"):
        data_folder.join_folder()


def test_it_takes_no_reading_and_unpacks_nothing_without_the_files(move: Move, actor: Actor) -> None:
    move("a"), data_folder.join_folder()
    put(actor)
    move("b")
    assert not reading.read_next(holder="here:1")
    assert Reading.objects.get().status == Reading.Status.QUEUED
    move("a")
    assert reading.read_next(holder="here:1")
    assert Reading.objects.get().status == Reading.Status.COMPLETED


def test_a_worker_and_the_scheduler_end_without_the_files(move: Move) -> None:
    move("a"), data_folder.join_folder()
    asked: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: asked.append(number))
    swept: list[int] = []
    schedule = SweepSchedule([Sweep("any", 1.0, lambda: swept.append(1))], holder="here:1")
    try:
        schedule.tick(0.0)
        assert not end_without_files() and (asked, swept) == ([], [1])
        move("b")
        assert end_without_files() and asked == [signal.SIGTERM]
        schedule.tick(100.0)
        assert swept == [1] and len(asked) == 2
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.django_db(transaction=True)
def test_of_processes_that_start_at_once_all_have_one_marker(move: Move) -> None:
    folder = move("a")

    def join(_: int) -> str:
        try:
            data_folder.join_folder()
            return data_folder.explain_mismatch()
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(join, range(8))) == {""}
    assert DataFolder.objects.get().marker == (folder / "folder_id").read_text()


def test_a_folder_from_before_there_were_markers_is_named_by_its_files(move: Move, actor: Actor) -> None:
    move("a")
    put(actor)
    move("b")
    with pytest.raises(ForeignFolder, match="holds no file of the newest documents"):
        data_folder.join_folder()
    assert not DataFolder.objects.exists()
    move("a"), data_folder.join_folder()
    assert data_folder.explain_mismatch() == ""


def test_a_backup_that_was_put_back_is_the_same_folder(move: Move, actor: Actor, tmp_path: Path) -> None:
    move("a"), data_folder.join_folder()
    put(actor)
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    move("b"), data_folder.join_folder()
    # A database from before the marker takes the one that lies in the folder.
    marker = DataFolder.objects.get().marker
    DataFolder.objects.all().delete()
    data_folder.join_folder()
    assert DataFolder.objects.get().marker == marker


def test_files_that_moved_are_adopted_and_their_old_folder_is_foreign_then(
    move: Move, actor: Actor, capsys: pytest.CaptureFixture[str]
) -> None:
    move("a"), data_folder.join_folder()
    put(actor)
    new = move("b")
    call_command("adopt_data_dir")
    said = capsys.readouterr()
    assert f"{new} is the folder of this installation now." in said.out
    assert "1 of the newest 1,000 documents have no file in it." in said.err
    data_folder.join_folder()
    move("a")
    assert "has another id" in data_folder.explain_mismatch()


def test_a_database_inside_the_folder_needs_no_marker(move: Move, settings: Any) -> None:
    folder = move("a")
    settings.EMBEDDED_DATABASE = True
    data_folder.join_folder()
    assert data_folder.explain_mismatch() == "" and [path.name for path in folder.iterdir()] == ["files"]
