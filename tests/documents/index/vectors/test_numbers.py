from __future__ import annotations

import math

import pytest

from documents.index.vectors.numbers import pack_vector, rank_by_likeness

pytestmark = pytest.mark.servers


def test_it_ranks_by_direction_whatever_the_lengths() -> None:
    rows = [[("same", pack_vector([30, 40])), ("other", pack_vector([-4, 3]))], [("near", pack_vector([1, 1]))]]
    ranked = rank_by_likeness(pack_vector([0.3, 0.4]), rows, number=2)
    assert [key for _, key in ranked] == ["same", "near"]
    assert ranked[0][0] == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("numbers", [[1e300, 1e300], [1e-300, 0.0], [5e-324, 0.0]])
def test_numbers_of_any_size_fit(numbers: list[float]) -> None:
    packed = pack_vector(numbers)
    [(product, _)] = rank_by_likeness(packed, [[("it", packed)]], number=1)
    assert math.isclose(product, 1, abs_tol=1e-2)


def test_rows_of_another_length_are_left_out() -> None:
    assert rank_by_likeness(pack_vector([1, 0]), [[("x", b""), ("y", b"odd"), ("z", pack_vector([1]))]], number=5) == []


def test_damaged_numbers_rank_nowhere() -> None:
    damaged = b"\xff\x7f\xff\x7f"  # not a number, twice
    assert rank_by_likeness(pack_vector([1, 0]), [[("x", damaged), ("y", pack_vector([1, 0]))]], number=1) == [
        (pytest.approx(1), "y")
    ]
