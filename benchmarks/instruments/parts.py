"""Seconds of CPU by part of a piece of work: whatever a function does but what the parts inside it do."""

from __future__ import annotations

import importlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any
from unittest.mock import patch


class Parts:
    """CPU of the whole process, so that what a thread of it does for the present part counts there."""

    def __init__(self, on_change: Callable[[str], None] = lambda part: None) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._open = ["rest"]
        self._since = time.process_time()
        self._on_change = on_change

    def _switch(self) -> None:
        now = time.process_time()
        self.seconds[self._open[-1]] += now - self._since
        self._since = now

    def wrap(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def measured(*args: Any, **kwargs: Any) -> Any:
            self._switch()
            self._open.append(part)
            self._on_change(part)
            try:
                return function(*args, **kwargs)
            finally:
                self._switch()
                self._open.pop()
                self._on_change(self._open[-1])

        return measured

    @contextmanager
    def measure(self, functions: Mapping[str, str]) -> Iterator[None]:
        """`functions`: the dotted name under which one is called, and its part."""
        with ExitStack() as stack:
            for dotted, part in functions.items():
                module, _, name = dotted.rpartition(".")
                owner = importlib.import_module(module)
                stack.enter_context(patch.object(owner, name, self.wrap(part, getattr(owner, name))))
            self._since = time.process_time()
            yield
            self._switch()
