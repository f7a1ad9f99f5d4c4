"""The modes of a thread as pages name and explain them."""

from __future__ import annotations

from agent.models import Thread

MODES = (
    (Thread.Mode.ASK, "Ask first", "Reads run by themselves. Each change waits for you as a card."),
    (Thread.Mode.AUTO, "Auto", "Changes to this document run at once and are shown. What reaches further asks."),
    (Thread.Mode.PLAN, "Plan", "Nothing changes. The steps become one plan that you approve whole or in parts."),
)
