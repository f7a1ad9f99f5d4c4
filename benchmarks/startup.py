"""From `make run` to the first page: in a fresh clone with nothing installed, and the second time.

Cold, the packages are there and have only to be installed: they were downloaded before the clock began. `--second-only`
leaves that out. The seconds of CPU are of all processes, until they have stopped.
"""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from tests.product import NOT_PASSED_ON, ROOT
from tests.services.servers import free_port

PATIENCE_SECONDS = 900.0


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="docrouter-startup-"))
    try:
        if "--second-only" in sys.argv:
            root, data = ROOT, folder / "data"
            print(f"new folder:   {measure_start(root, data)}")
        else:
            root, data = folder / "clone", folder / "clone" / "data"
            subprocess.run(["git", "clone", "-q", str(ROOT), str(root)], check=True)
            print(f"cold:         {measure_start(root, data, download(root, folder / 'packages'))}")
        print(f"second start: {measure_start(root, data)}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def download(root: Path, packages: Path) -> dict[str, str]:
    """Settings of pip under which it installs what was downloaded and asks nobody."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "-q",
        "--no-deps",
        "-r",
        "requirements.txt",
        "-d",
        str(packages),
    ]
    subprocess.run(command, cwd=root, check=True)
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(packages)}


def measure_start(root: Path, data: Path, pip: Mapping[str, str] = MappingProxyType({})) -> str:
    before = os.times()
    seconds = seconds_to_page(root, data, pip)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return f"{seconds:6.1f} s, {spent:6.1f} s of CPU"


def seconds_to_page(root: Path, data: Path, pip: Mapping[str, str]) -> float:
    port = free_port()
    passed_on = {name: value for name, value in os.environ.items() if name not in NOT_PASSED_ON}
    # Whoever starts it twice has the bytecode of the first time, also where the shell that measures writes none.
    kept = {"DATA_DIR": str(data), "PORT": str(port), "PYTHONDONTWRITEBYTECODE": ""}
    environment = {**passed_on, **pip, **kept}
    began = time.monotonic()
    process = subprocess.Popen(
        ["make", "run"], cwd=root, env=environment, stdout=subprocess.DEVNULL, start_new_session=True
    )
    try:
        while not page_comes(port):
            if process.poll() is not None or time.monotonic() - began > PATIENCE_SECONDS:
                raise SystemExit("The page did not come.")
            time.sleep(0.02)
        return time.monotonic() - began
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(20)


def page_comes(port: int) -> bool:
    """The first page itself, not only an open port."""
    connection = http.client.HTTPConnection("localhost", port, timeout=30)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status < 500
    except OSError:
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    main()
