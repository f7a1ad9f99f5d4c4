"""Each takes an id and calls one service. A message is only a wake-up: losing or repeating one changes nothing."""

from worker.tasks import reading

__all__ = ["reading"]
