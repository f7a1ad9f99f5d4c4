"""Vectors as bytes: float16 numbers, together of length 1, so that a product says how alike two of them are."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from functools import cache
from types import ModuleType
from typing import TypeVar

BYTES_A_NUMBER = 2
# Of the length of a vector whose numbers were cut to float16.
MAX_ROUNDING = 0.01
Key = TypeVar("Key")


@cache
def _numpy() -> ModuleType:
    import numpy  # noqa: PLC0415 - 18 MB, which only those need who search by meaning

    return numpy


def pack_vector(numbers: Sequence[float]) -> bytes:
    """Finite numbers, not all 0, as llm.client.wordless.embedding gives them."""
    np = _numpy()
    vector = np.asarray(numbers, dtype=np.float64)
    vector /= np.abs(vector).max()  # squares of very large or small numbers would be no numbers
    packed: bytes = (vector / np.linalg.norm(vector)).astype("<f2").tobytes()
    return packed


def is_whole_vector(packed: bytes, dimensions: int) -> bool:
    """Whether it is as `pack_vector` makes them: so many finite numbers, together of length 1."""
    if len(packed) != dimensions * BYTES_A_NUMBER:
        return False
    np = _numpy()
    length = np.linalg.norm(np.frombuffer(packed, dtype="<f2").astype(np.float64))
    return bool(np.isfinite(length) and abs(length - 1) < MAX_ROUNDING)


def rank_by_likeness(
    vector: bytes, rows: Iterable[Sequence[tuple[Key, bytes]]], *, number: int
) -> list[tuple[float, Key]]:
    """The best first, of batches of which one at a time is in memory. A row of another length is left out."""
    np = _numpy()
    wanted_vector = np.frombuffer(vector, dtype="<f2").astype(np.float32)
    best: list[tuple[float, int, Key]] = []
    order = 0
    for batch in rows:
        whole = [(key, packed) for key, packed in batch if len(packed) == len(vector)]
        matrix = np.frombuffer(b"".join(packed for _, packed in whole), dtype="<f2").reshape(-1, len(wanted_vector))
        products = matrix.astype(np.float32) @ wanted_vector
        for at in np.argsort(-products, kind="stable")[:number]:
            if np.isfinite(products[at]):
                order -= 1
                best.append((float(products[at]), order, whole[at][0]))
        best = heapq.nlargest(number, best, key=lambda entry: entry[:2])
    return [(product, key) for product, _, key in best]
