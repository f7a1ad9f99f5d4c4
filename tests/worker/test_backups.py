import os
import sqlite3
import time
from contextlib import closing

from worker.services import backups


def database(folder, rows):
    path = folder / "docrouter.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE IF NOT EXISTS kept (number)")
        connection.executemany("INSERT INTO kept VALUES (?)", [(row,) for row in rows])
        connection.commit()
    return path


def test_it_copies_what_still_stands_in_the_write_ahead_log(tmp_path):
    path = database(tmp_path, [])
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("INSERT INTO kept VALUES (7)")
        writer.commit()
        copy = backups.back_up(path, tmp_path / "backups")
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT number FROM kept").fetchall() == [(7,)]


def test_it_keeps_the_newest_five(tmp_path):
    path = database(tmp_path, [1])
    copies = [backups.back_up(path, tmp_path / "backups") for _ in range(7)]
    assert sorted((tmp_path / "backups").iterdir()) == copies[-5:]


def test_it_lets_nobody_else_read_the_copies(tmp_path):
    copy = backups.back_up(database(tmp_path, [1]), tmp_path / "backups")
    assert copy.parent.stat().st_mode & 0o077 == 0


def test_it_removes_copies_after_their_days_and_what_broke_off(tmp_path):
    folder = tmp_path / "backups"
    old, young = (backups.back_up(database(tmp_path, [1]), folder) for _ in range(2))
    broken = folder / "docrouter-1.unfinished"
    broken.touch()
    for path in (old, broken):
        os.utime(path, (time.time() - 8 * 86_400,) * 2)
    assert backups.remove_old(folder, days=7) == 2
    assert list(folder.iterdir()) == [young]
    assert backups.remove_old(tmp_path / "none", days=7) == 0
