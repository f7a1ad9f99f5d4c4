"""What bodies that nobody should take cost the web process: memory, disk and the wait of `/health`.

python -m benchmarks.hostile_bodies [ROOT]: another checkout to measure.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from tests.product import ROOT
from tests.scripts import PEOPLE
from tests.web_process import WebProcess, answer_of, head, run_web, send_until_refused

MB = 1024 * 1024
MAKE_TOKEN = f"""{PEOPLE}
from accounts.services import tokens
print(actor.organization.pk, tokens.create(actor.user, name="x", organization=actor.organization)[1])
"""


def main() -> None:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    with tempfile.TemporaryDirectory() as folder:
        environment = {"DATA_DIR": folder, "SECRET_KEY": "x"}
        run(root, environment, "manage.py", "migrate", "-v", "0")
        organization, secret = run(root, environment, "-c", MAKE_TOKEN).split()[-2:]
        api = f"/v0/orgs/{organization}"
        cases: dict[str, Callable[[WebProcess], str]] = {
            "1,200 MB announced, anonymous, no such page": lambda web: post(web, "/nothing", b"x" * MB, 1200),
            "1,200 MB announced, anonymous, upload": lambda web: post(web, f"{api}/documents", b"x" * MB, 1200),
            "600 MB in chunks, anonymous": lambda web: send_chunked(web, "/nothing", 600),
            "5 MB of nested JSON, with a token": lambda web: send_nested(web, f"{api}/access_tokens", 5, secret),
            "4 MB of nested JSON, with a token": lambda web: send_nested(web, f"{api}/schemas", 3.9, secret),
        }
        for name, case in cases.items():
            with run_web(environment, Path(folder) / "web.log", root=root) as web:
                print(f"{name}: {measure(web, case)}", flush=True)


def run(root: Path, environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=root, env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return done.stdout


def measure(web: WebProcess, case: Callable[[WebProcess], str]) -> str:
    before, result = web.memory_kb(), [""]
    thread = threading.Thread(target=lambda: result.append(case(web)))
    begun = time.monotonic()
    thread.start()
    memory = disk = 0
    wait = 0.0
    while thread.is_alive():
        wait = max(wait, web.health()[1])
        memory, disk = max(memory, web.memory_kb()), max(disk, web.disk_kb())
        time.sleep(0.05)
    seconds = time.monotonic() - begun
    return (
        f"{result[-1]} after {seconds:.1f} s, memory {before // 1024} to {max(memory, before) // 1024} MB, "
        f"disk {disk // 1024} MB, longest wait of /health {wait:.2f} s"
    )


def post(web: WebProcess, path: str, piece: bytes, pieces: int) -> str:
    with web.connection() as client:
        client.settimeout(600)
        client.sendall(head("POST", path, Content_Length=str(len(piece) * pieces)))
        sent = send_until_refused(client, piece, len(piece) * pieces)
        return status(client) + f", {sent // MB} MB sent"


def send_chunked(web: WebProcess, path: str, pieces: int) -> str:
    with web.connection() as client:
        client.settimeout(600)
        client.sendall(head("POST", path, Transfer_Encoding="chunked"))
        sent = send_until_refused(client, b"100000\r\n" + b"x" * MB + b"\r\n", pieces * MB)
        return status(client, b"0\r\n\r\n") + f", {sent // MB} MB sent"


def send_nested(web: WebProcess, path: str, megabytes: float, secret: str) -> str:
    body = b'{"name":"x","lifetime":1,"z":[' + b"[]," * int(megabytes * MB / 3) + b"1]}"
    with web.connection() as client:
        client.settimeout(600)
        known = head(
            "POST",
            path,
            Content_Length=str(len(body)),
            Content_Type="application/json",
            Authorization=f"Bearer {secret}",
        )
        send_until_refused(client, known + body, 1)
        return status(client)


def status(client: socket.socket, end: bytes = b"") -> str:
    try:
        client.sendall(end)
        return str(answer_of(client).status)
    except (OSError, ValueError) as error:
        return type(error).__name__


if __name__ == "__main__":
    main()
