"""Programs that a suite needs beyond Python. Root gets them by apt-get; anybody else is told what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

# Chromium without what draws windows: the browser itself then takes half the CPU.
HEADLESS = "chromium-headless-shell"


@dataclass(frozen=True)
class Need:
    name: str
    find: Callable[[], str | None]
    packages: Sequence[str]
    # A program, and the package that brings it, which does the same for less: taken where it can be had.
    lighter: str = ""

    def explain_missing(self) -> str:
        """Empty when it is there or could be installed; else the sentence to print."""
        if self.lighter and not first_on_path(self.lighter) and self._may_install():
            self._install(self.lighter)
        if self.find() or (self._may_install() and self._install(*self.packages) and self.find()):
            return ""
        return f"{self.name} is missing. On Debian and Ubuntu: apt-get install {' '.join(self.packages)}"

    def _may_install(self) -> bool:
        return os.geteuid() == 0 and shutil.which("apt-get") is not None

    def _install(self, *packages: str) -> bool:
        print(f"Installing {', '.join(packages)} …", flush=True)
        _update_lists()
        command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        return subprocess.run(command, env=quiet, stdout=subprocess.DEVNULL, check=False).returncode == 0


@cache
def _update_lists() -> None:
    subprocess.run(["apt-get", "update", "-qq"], check=False)


def first_on_path(*names: str) -> str | None:
    return next((path for name in names if (path := shutil.which(name))), None)


def chromium() -> str | None:
    return first_on_path(HEADLESS, "chromium", "chromium-browser", "google-chrome")


def postgresql_programs() -> str | None:
    """The folder with initdb; Debian keeps it off the PATH, one a version."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    initdb = first_on_path("initdb")
    candidates = [str(folder) for folder in reversed(folders)] + ([str(Path(initdb).parent)] if initdb else [])
    return next((folder for folder in candidates if Path(folder, "initdb").exists()), None)


def node_with_npm() -> str | None:
    return first_on_path("npm") and first_on_path("node")


CHROMIUM = Need("Chromium", chromium, ("chromium",), lighter=HEADLESS)
NODE = Need("Node.js with npm", node_with_npm, ("nodejs", "npm"))
POSTGRESQL = Need("PostgreSQL", postgresql_programs, ("postgresql",))
REDIS = Need("Redis", lambda: first_on_path("redis-server", "valkey-server"), ("redis-server",))
