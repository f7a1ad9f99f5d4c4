"""Text on its way: sent to open pages in batches, saved twice a second so that a reload shows it.

One thread of the process looks after all rounds under way: it keeps their leases, saves their texts in one transaction
and sees in one query whom a person has stopped. A thread that waits for a model needs no database connection.
"""

from __future__ import annotations

import copy
import logging
import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import Error as DatabaseError
from django.db import connection, transaction

from agent.models import TURN_LEASE, Turn
from kit import events, stopping
from llm.client import Delta

log = logging.getLogger(__name__)
BATCH_SECONDS = 0.05
SAVE_SECONDS = 0.5
LOOK_SECONDS = 0.25
RENEW_SECONDS = 2.0
# With more rounds than these under way at once, each sends its text less often.
CROWD = 16


class LiveText:
    """The answer of the round under way. `take` and `is_over` are called by the thread that waits for the model."""

    def __init__(self, turn: Turn, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.turn = turn
        # Of its own for the thread that saves, which may come late: the round's thread changes its turn as well.
        self._watched = copy.copy(turn)
        self.lost = False
        self.is_held = False  # under a strict scope no text is shown or stored before it has passed
        self.stop_asked_at: datetime | None = None
        self._saved = (0, 0)
        self._whole = {"thinking": "", "text": ""}  # in the order in which they are sent
        self._sent = {"thinking": 0, "text": 0}
        self._sent_at = self._saved_at = time.monotonic()
        self._clock = clock
        self._thought_from: float | None = None
        self._thought_to = 0.0

    def __enter__(self) -> LiveText:
        _keeper.add(self)
        return self

    def __exit__(self, *error: object) -> None:
        _keeper.remove(self)

    @property
    def text(self) -> str:
        return "" if self.is_held else self._whole["text"]

    @property
    def thought_seconds(self) -> int:
        """How long thinking went on, in whole seconds."""
        return 0 if self._thought_from is None else int(self._thought_to - self._thought_from)

    def take(self, delta: Delta) -> None:
        if delta.kind == "thinking":
            self._thought_to = self._clock()
            self._thought_from = self._thought_to if self._thought_from is None else self._thought_from
        self._whole[delta.kind] += delta.text
        if time.monotonic() - self._sent_at >= BATCH_SECONDS * _keeper.crowding:
            self._send()

    def is_over(self) -> bool:
        """Asked four times a second: sends what came, and says whether to stop."""
        self._send()
        self.turn.cancel_requested_at = self.stop_asked_at
        return self.lost or self.stop_asked_at is not None or stopping.is_set()

    def is_due(self, now: float) -> bool:
        """Whether there is more to save, or the lease to keep."""
        has_more = self._so_far() != self._saved
        return now - self._saved_at >= (SAVE_SECONDS if has_more else RENEW_SECONDS)

    def save(self, now: float) -> None:
        self._saved_at, self._saved = now, self._so_far()
        text, thinking = ("", "") if self.is_held else (self._whole["text"], self._whole["thinking"])
        self.lost = not TURN_LEASE.renew(self._watched, partial_text=text, partial_thinking=thinking)

    def _so_far(self) -> tuple[int, int]:
        return len(self._whole["text"]), len(self._whole["thinking"])

    def _send(self) -> None:
        self._sent_at = time.monotonic()
        if self.is_held:
            return
        for role, whole in self._whole.items():
            offset = self._sent[role]
            if len(whole) > offset:
                self._sent[role] = len(whole)
                events.send_now(
                    events.thread_group(self.turn.thread_id),
                    {
                        "kind": "delta",
                        "turn_id": self.turn.pk,
                        "round": self.turn.round + 1,
                        "role": role,
                        "offset": offset,
                        "text": whole[offset:],
                    },
                )


class _RoundKeeper:
    """The rounds under way in this process, and the thread that looks after them while there are any."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rounds: list[LiveText] = []
        self._thread: threading.Thread | None = None

    @property
    def crowding(self) -> float:
        return max(1.0, len(self._rounds) / CROWD)

    def add(self, live: LiveText) -> None:
        with self._lock:
            self._rounds.append(live)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="rounds-under-way", daemon=True)
                self._thread.start()

    def remove(self, live: LiveText) -> None:
        with self._lock:
            self._rounds.remove(live)

    def _run(self) -> None:
        """Sleeps first: most rounds of a quick model are over by then, and need no connection to the database."""
        time.sleep(LOOK_SECONDS)
        while rounds := self._list_rounds():
            try:
                _keep_rounds(rounds)
            except DatabaseError as error:
                log.warning("%s rounds under way were not looked after, once more soon: %s", len(rounds), error)
                connection.close()
            time.sleep(LOOK_SECONDS)

    def _list_rounds(self) -> list[LiveText]:
        """None left: the thread ends, under the same lock under which the next round looks for it."""
        with self._lock:
            if not self._rounds:
                connection.close()
                self._thread = None
            return list(self._rounds)


def _keep_rounds(rounds: Sequence[LiveText]) -> None:
    cancel_requests = dict(
        Turn.objects.filter(pk__in=[live.turn.pk for live in rounds]).values_list("pk", "cancel_requested_at")
    )
    for live in rounds:
        live.lost = live.lost or live.turn.pk not in cancel_requests
        live.stop_asked_at = cancel_requests.get(live.turn.pk)
    now = time.monotonic()
    if due := [live for live in rounds if live.is_due(now)]:
        with transaction.atomic():
            for live in due:
                live.save(now)


_keeper = _RoundKeeper()
