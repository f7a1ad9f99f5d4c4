"""What the scheduler does and how often. Every sweep finds its work in rows and may run at any time, twice too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from documents.services import reading


@dataclass(frozen=True)
class Sweep:
    name: str
    every_seconds: float
    run: Callable[[], object]


SWEEPS: tuple[Sweep, ...] = (Sweep("readings", 3.0, reading.take_back_lost),)
