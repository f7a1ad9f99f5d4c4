from __future__ import annotations

import pytest

from documents.catalog import metadata
from kit.errors import Invalid


@pytest.mark.parametrize(
    "pairs",
    [
        {f"k{number}": "v" for number in range(201)},
        {"k" * 201: "v"},
        {"k": "v" * 10_001},
        {f"k{number}": "v" * 9_999 for number in range(11)},
    ],
)
def test_it_refuses_metadata_that_every_list_would_have_to_carry(pairs: dict[str, str]) -> None:
    with pytest.raises(Invalid, match="metadata"):
        metadata.validate_metadata(pairs)


def test_it_takes_metadata_up_to_its_bounds() -> None:
    pairs = {f"k{number}": "v" * 10_000 for number in range(9)}
    assert metadata.validate_metadata(pairs) == pairs
