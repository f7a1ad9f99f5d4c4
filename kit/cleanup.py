"""Put something right when a block does not come to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def on_failure(act: Callable[[], object], *, but: type[Exception] | tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """Acts when the block raises anything `but` these, and lets the error go on.

    Also on what ends a thread or the process (SystemExit, KeyboardInterrupt): rows, files and places must not stay
    taken by work that nobody does any more.
    """
    try:
        yield
    except but:
        raise
    except BaseException:
        act()
        raise
