"""Text on its way: sent to open pages in batches, saved twice a second so that a reload shows it."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.utils import timezone

from agent.models import Turn
from agent.services.driving import LEASE
from docrouter.kit import events, stopping
from documents.backends.llm import Delta

BATCH_SECONDS = 0.05
SAVE_SECONDS = 0.5


class LiveText:
    """The answer of the round under way. `take` and `is_over` are called by the thread that waits for the model."""

    def __init__(self, turn: Turn, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.turn = turn
        self.lost = False
        self._whole = {"text": "", "thinking": ""}
        self._sent = {"text": 0, "thinking": 0}
        self._sent_at = self._saved_at = time.monotonic()
        self._clock = clock
        self._thought_from: float | None = None
        self._thought_to = 0.0

    @property
    def text(self) -> str:
        return self._whole["text"]

    @property
    def thought_seconds(self) -> int:
        """How long thinking went on, in whole seconds."""
        return 0 if self._thought_from is None else int(self._thought_to - self._thought_from)

    def take(self, delta: Delta) -> None:
        if delta.kind == "thinking":
            self._thought_to = self._clock()
            self._thought_from = self._thought_to if self._thought_from is None else self._thought_from
        self._whole[delta.kind] += delta.text
        if time.monotonic() - self._sent_at >= BATCH_SECONDS:
            self._send()

    def is_over(self) -> bool:
        """Asked four times a second: sends and saves what came, keeps the lease, and looks whether to stop."""
        self._send()
        if time.monotonic() - self._saved_at >= SAVE_SECONDS:
            self._save()
        asked = Turn.objects.filter(pk=self.turn.pk).values_list("cancel_requested_at", flat=True).first()
        self.turn.cancel_requested_at = asked
        return self.lost or asked is not None or stopping.is_set()

    def _send(self) -> None:
        self._sent_at = time.monotonic()
        for role, whole in self._whole.items():
            offset = self._sent[role]
            if len(whole) > offset:
                self._sent[role] = len(whole)
                events.send_now(events.thread_group(self.turn.thread_id), {
                    "kind": "delta", "turn_id": self.turn.pk, "round": self.turn.round + 1, "role": role,
                    "offset": offset, "text": whole[offset:],
                })  # fmt: skip

    def _save(self) -> None:
        self._saved_at = time.monotonic()
        held = Turn.objects.filter(pk=self.turn.pk, status=Turn.Status.RUNNING, fence=self.turn.fence)
        self.lost = not held.update(
            lease_until=timezone.now() + LEASE,
            partial_text=self._whole["text"],
            partial_thinking=self._whole["thinking"],
        )
