"""Each takes an id and calls one service. A message is only a wake-up: losing or repeating one changes nothing."""

from worker.tasks import auto_setup, bulk_actions, catalogue, extractions, mail, model_calls, outside, reading, turns

__all__ = [
    "auto_setup",
    "bulk_actions",
    "catalogue",
    "extractions",
    "mail",
    "model_calls",
    "outside",
    "reading",
    "turns",
]
