"""Sizes."""

from __future__ import annotations

KB, MB = 1024, 1024 * 1024


HUGE = str(1200 * MB)
