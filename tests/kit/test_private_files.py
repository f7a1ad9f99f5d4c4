import os
import stat
import subprocess
import sys

from kit.processes import private_files


def mode_of(path):
    return stat.S_IMODE(path.lstat().st_mode)


def make_open(path, content=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    for entry in (path, path.parent):
        entry.chmod(0o755)
    return path


def test_it_closes_what_earlier_starts_left_open(tmp_path):
    original = make_open(tmp_path / "files" / "documents" / "one")
    database = make_open(tmp_path / "docrouter.sqlite3-wal")
    assert private_files.restrict_existing(tmp_path) == 4
    assert [mode_of(path) for path in (tmp_path, original.parent, original, database)] == [0o700] * 4
    assert private_files.restrict_existing(tmp_path) == 0


def test_it_follows_no_link_and_leaves_what_is_not_the_products(tmp_path):
    outside = make_open(tmp_path / "outside" / "notes")
    data = tmp_path / "data"
    foreign = make_open(data / "photos" / "cat.jpg")
    make_open(data / "secret_key")
    (data / "files").symlink_to(outside.parent)
    (data / "static").mkdir()
    (data / "static" / "notes").symlink_to(outside)
    private_files.restrict_existing(data)
    assert {mode_of(path) for path in (outside, outside.parent, foreign)} == {0o755}
    assert mode_of(data / "secret_key") == 0o700


def test_whatever_loads_the_settings_makes_private_files(tmp_path):
    code = f"import docrouter.settings, pathlib; pathlib.Path({str(tmp_path / 'made')!r}).touch()"
    command = ["/bin/sh", "-c", 'umask 022; exec "$@"', "sh", sys.executable, "-c", code]
    subprocess.run(command, env=os.environ, check=True)
    assert mode_of(tmp_path / "made") == 0o600
