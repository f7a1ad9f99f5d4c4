"""Room on the interpreter's stack, where calls would map and unmap memory again and again.

CPython (3.11 to 3.13, `_PyThreadState_PushFrame`) keeps frames in chunks of 16 KB and gives a chunk back as soon as its
first frame ends. A loop that calls over the end of a chunk so maps memory for each call: a quarter of the CPU of deep
stacks such as Django's. A chunk is as large as the frame that begins it, so one large frame leaves room for the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
# More than half a megabyte of 8 bytes each, for which a chunk of a megabyte is made. Untouched memory costs nothing.
_SLOTS = 66_000


def call_with_room(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What the function gives. Nearly half a megabyte is left for what it calls, some 2,000 calls deep."""
    return function(*arguments, **named)


call_with_room.__code__ = call_with_room.__code__.replace(co_stacksize=_SLOTS)
