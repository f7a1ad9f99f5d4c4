"""A handful of processes, killed at random moments and replaced, with a log of what was done to them."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess

from tests.chaos import victim

START_SECONDS = 300


@dataclass
class Victims:
    """`kind` is what `victim.work` works on; each of them lives `life` seconds, more or less.

    On a machine so busy that little gets done in a life, lives become longer: otherwise all attempts would be used up.
    """

    kind: str
    number: int
    life: float
    seed: int
    given: Mapping[str, object] = field(default_factory=dict)
    kills: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.started = self.in_vain = self.lengthened = 0
        self.began = time.monotonic()
        self.first_life = self.life
        self.running = [self._start() for _ in range(self.number)]

    def torment(self, *, left: Callable[[], int], between: Callable[[float], None], max_seconds: float = 900) -> None:
        """Kills each when its time has come and starts another, until nothing is `left`.

        `between` learns how much longer lives are than at first: by then also whoever is alive is silent for longer.
        """
        self._let_one_begin(left)
        before = 0
        while now := left():
            assert time.monotonic() - self.began < max_seconds, "the work was not done in time"
            self._be_patient(worked=now != before)
            before = now
            between(self.life / self.first_life)
            for _ in range(10):
                self.running = [self._visit(process, dies_at) for process, dies_at in self.running]
                time.sleep(0.02)

    def _let_one_begin(self, left: Callable[[], int]) -> None:
        """Nobody is killed before something is done; how long that takes on this machine is the least for a life.

        Whoever runs by then is in the middle of its work, and dies soon.
        """
        before = left()
        while left() == before:
            assert time.monotonic() - self.began < START_SECONDS, "nothing was done"
            time.sleep(0.02)
        self.life = max(self.life, time.monotonic() - self.began)
        now = time.monotonic()
        self.running = [(process, now + self._draw_life() / 4) for process, _ in self.running]

    def _be_patient(self, *, worked: bool) -> None:
        if worked:
            self.in_vain = self.kills
        in_vain = self.kills - self.in_vain >= 2 * self.number
        if in_vain or self.kills - self.lengthened >= 20 * self.number:
            self.in_vain = self.lengthened = self.kills
            self.life *= 1.5

    def end(self) -> None:
        for process, _ in self.running:
            process.kill()
            process.join()

    def _visit(self, process: ForkServerProcess, dies_at: float) -> tuple[ForkServerProcess, float]:
        now = time.monotonic()
        if now < dies_at and process.is_alive():
            return process, dies_at
        assert process.is_alive(), "a victim ended by itself"
        process.kill()
        process.join()
        self.kills += 1
        print(f"{now - self.began:6.2f} s  kill {self.kills}: process {process.pid}")
        return self._start()

    def _start(self) -> tuple[ForkServerProcess, float]:
        self.started += 1
        arguments = (self.kind, self.seed + self.started, dict(self.given))
        process = multiprocessing.get_context("forkserver").Process(target=victim.work, args=arguments, daemon=True)
        process.start()
        return process, time.monotonic() + self._draw_life()

    def _draw_life(self) -> float:
        return self.life * (0.1 + 1.8 * self.chance.random())
