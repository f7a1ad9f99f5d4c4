"""The modes of a thread, and the depths of a question, as pages name and explain them."""

from __future__ import annotations

from agent.models import Thread, Turn

MODES = (
    (Thread.Mode.ASK, "Ask first", "Reads run by themselves. Each change waits for you as a card."),
    (Thread.Mode.AUTO, "Auto", "Changes to this document run at once and are shown. Changes that reach further ask."),
    (Thread.Mode.PLAN, "Plan", "Nothing changes. The steps become one plan that you approve whole or in parts."),
)
MODES_ABOUT_MANY = tuple(
    (mode, name, "What changes no document and nothing that others use runs at once. The rest waits for you.")
    if mode == Thread.Mode.AUTO
    else (mode, name, about)
    for mode, name, about in MODES
)
DEPTHS: tuple[tuple[str, str, str], ...] = (
    ("", "Automatic", "The agent chooses how many documents it reads"),
    (Turn.Depth.SIMPLE, "Simple", "At most one document"),
    (Turn.Depth.CONCISE, "Concise", "At most 5 documents"),
    (Turn.Depth.DETAILED, "Detailed", "At most 15 documents"),
)
