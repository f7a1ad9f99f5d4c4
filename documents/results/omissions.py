"""Documents and values that are not in a file of results, each with the reason: kept on disk, there may be many."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

MEMORY = 256 * 1024
LEFT_OUT, IN_PART = "left out", "in part"


class Omission(NamedTuple):
    """`kind`: the document is left out, or is there in part."""

    kind: str
    document_id: str
    document_name: str
    reason: str


class Omissions:
    """In the order in which they were noted."""

    def __init__(self) -> None:
        self.left_out = self.in_part = 0
        self._file = tempfile.SpooledTemporaryFile(MEMORY, mode="w+", encoding="utf-8")  # noqa: SIM115 - `close`

    def add(self, omission: Omission) -> None:
        self.left_out += omission.kind == LEFT_OUT
        self.in_part += omission.kind == IN_PART
        self._file.write(json.dumps(omission) + "\n")

    def __bool__(self) -> bool:
        return bool(self.left_out or self.in_part)

    def __iter__(self) -> Iterator[Omission]:
        self._file.seek(0)
        for line in self._file:
            yield Omission(*json.loads(line))

    def close(self) -> None:
        self._file.close()
