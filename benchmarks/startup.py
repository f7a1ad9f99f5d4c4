"""From `make run` to the first page: in a fresh clone with nothing installed, and the second time.

`--second-only` leaves out the cold start, which downloads everything and takes minutes.
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
from pathlib import Path

from tests.product import NOT_PASSED_ON, ROOT
from tests.services.servers import free_port

PATIENCE_SECONDS = 900.0


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="docrouter-startup-"))
    try:
        if "--second-only" in sys.argv:
            print(f"second: {seconds_to_page(ROOT, folder / 'data', ['make', 'run']):6.1f} s, new folder")
            print(f"second: {seconds_to_page(ROOT, folder / 'data', ['make', 'run']):6.1f} s")
            return
        clone = folder / "clone"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        print(f"cold:   {seconds_to_page(clone, clone / 'data', ['make', 'run']):6.1f} s")
        print(f"second: {seconds_to_page(clone, clone / 'data', ['make', 'run']):6.1f} s")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def seconds_to_page(root: Path, data: Path, command: list[str]) -> float:
    port = free_port()
    passed_on = {name: value for name, value in os.environ.items() if name not in NOT_PASSED_ON}
    environment = {**passed_on, "DATA_DIR": str(data), "PORT": str(port)}
    began = time.monotonic()
    process = subprocess.Popen(command, cwd=root, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
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
