"""The children's lines on our own output, each with the name of who said it."""

from __future__ import annotations

import sys
from typing import TextIO

_COLOURS = {"web": 36, "reading": 33, "agent": 35, "scheduler": 34, "up": 32}
_NAME_WIDTH = max(len(name) for name in _COLOURS)


class Output:
    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stdout
        self.colours = self.stream.isatty()
        self.begun: dict[str, bytes] = {}

    def say(self, name: str, line: str) -> None:
        label = f"{name:<{_NAME_WIDTH}} |"
        if self.colours:
            label = f"\033[{_COLOURS.get(name, 37)}m{label}\033[0m"
        try:
            self.stream.write(f"{label} {line}\n")
            self.stream.flush()
        except (OSError, ValueError):
            # Whoever read our log has gone, or the disk that it is written to is full; the product goes on.
            return

    def feed(self, name: str, data: bytes) -> None:
        """Passes on whole lines and keeps the rest; empty data is the end."""
        whole, _, rest = (self.begun.pop(name, b"") + data).rpartition(b"\n")
        lines = whole.split(b"\n") if whole else []
        if rest and data:
            self.begun[name] = rest
        elif rest:
            lines.append(rest)
        for line in lines:
            self.say(name, line.decode("utf-8", "replace").rstrip("\r"))
