"""The one asyncio loop of this process on which model calls run."""

from __future__ import annotations

from kit.processes.background import Background

submit = Background("model-calls").submit
