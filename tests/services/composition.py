"""The services of compose.yaml as processes of this machine: their commands and their environment, without containers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import yaml

from kit.processes import parents
from tests.product import NOT_PASSED_ON, ROOT, STATIC_ROOT
from tests.services.servers import free_port

FILE = ROOT / "compose.yaml"
SECONDS = 600.0
_VARIABLE = re.compile(r"\$\{(\w+):([-?])([^}]*)\}")


def read_services() -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))["services"]
    return services


@dataclass
class Composition:
    """`folder` is where compose.yaml would lie, with its secrets; `values` are those of its file .env."""

    folder: Path
    values: Mapping[str, str]
    redis_url: str
    port: int = field(default_factory=free_port)
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def variables(self, service: str) -> dict[str, str]:
        """Those of the service, with what is inside of a container put where it is here."""
        given = {name: self._fill(value) for name, value in read_services()[service]["environment"].items()}
        places = {"/run/secrets/": f"{self.folder}/secrets/", "/data": f"{self.folder}/data"}
        moved = {name: self._move(value, places) for name, value in given.items()}
        inherited = {name: value for name, value in os.environ.items() if name not in NOT_PASSED_ON}
        here = {"REDIS_URL": self.redis_url, "PORT": str(self.port), "STATIC_ROOT": str(STATIC_ROOT)}
        return {**inherited, **moved, **here}

    def run(self, service: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Until it ends by itself."""
        environment = self.variables(service) | more
        command = self._command(service)
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    def start(self, service: str, *, name: str = "", **more: str) -> None:
        with self._log(name or service).open("wb") as log:
            self.processes[name or service] = subprocess.Popen(
                self._command(service),
                cwd=ROOT,
                env=self.variables(service) | more,
                stdout=log,
                stderr=subprocess.STDOUT,
                preexec_fn=parents.die_with_parent(),
            )

    def wait_for(self, port: int, path: str, status: int) -> httpx.Response:
        """The answer, once it has that status."""
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                answer = httpx.get(f"http://127.0.0.1:{port}{path}", timeout=30)
                if answer.status_code == status:
                    return answer
            except httpx.TransportError:
                pass
            ended = {name: process.poll() for name, process in self.processes.items() if process.poll() is not None}
            assert not ended and time.monotonic() < deadline, (ended, self.read_logs())
            time.sleep(0.1)

    def read_logs(self) -> str:
        return "\n".join(f"== {name}\n{self._log(name).read_text()[-3000:]}" for name in self.processes)

    def stop(self) -> None:
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _command(self, service: str) -> list[str]:
        program, *arguments = read_services()[service]["command"]
        assert program == "python"
        return [sys.executable, *arguments]

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def _fill(self, text: str) -> str:
        """`${NAME:-default}` and `${NAME:?what to do without}`."""
        return _VARIABLE.sub(lambda found: self._choose(*found.groups()), text)

    def _choose(self, name: str, sign: str, rest: str) -> str:
        assert name in self.values or sign == "-", rest
        return self.values.get(name) or rest

    @staticmethod
    def _move(value: str, places: Mapping[str, str]) -> str:
        return next((value.replace(old, new, 1) for old, new in places.items() if value.startswith(old)), value)
