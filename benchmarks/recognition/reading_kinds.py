"""`python -m benchmarks.recognition.reading_kinds`: a generated invoice as a file of each kind that is laid out here.

Prints for each kind the seconds of CPU a page, reading and its picture, and how many of the printed values are lost.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from documents.backends.reader.opening import open_source
from documents.backends.reader.pages import Limits
from documents.backends.reader.sandbox.limits import budget
from tests.documents.files_of_kinds import KINDS, VALUES
from tests.documents.losses import list_lost

LIMITS = Limits(max_bytes=10_000_000, max_pages=40, max_pixels=40_000_000)
WIDTH = 1200
TIMES = 5


def main() -> None:
    print(f"{'kind':6}{'pages':>7}{'read, s a page':>16}{'drawn, s a page':>17}{'lost of ' + str(len(VALUES)):>13}")
    with tempfile.TemporaryDirectory() as folder:
        for kind, make in KINDS.items():
            path = Path(folder) / kind
            path.write_bytes(make())
            measure_kind(kind, path)
            print(describe_kind(kind, path), flush=True)


def describe_kind(kind: str, path: Path) -> str:
    costs = [measure_kind(kind, path) for _ in range(TIMES)]
    pages, _, _, lost = costs[0]
    read, drawn = (min(cost[at] for cost in costs) / pages for at in (1, 2))
    return f"{kind:6}{pages:7}{read:16.4f}{drawn:17.4f}{lost:13}"


def measure_kind(kind: str, path: Path) -> tuple[int, float, float, int]:
    """Pages, seconds for reading and drawing all of them, and the values that are lost."""
    budget.start()
    began = time.process_time()
    with path.open("rb") as file:
        _, source = open_source(file, None, LIMITS)
        numbers = range(1, len(source.sizes) + 1)
        words = [word for number in numbers for word in source.read(number, "auto").words]
        read = time.process_time()
        for number in numbers:
            source.draw(number, WIDTH)
    return len(numbers), read - began, time.process_time() - read, len(list_lost(words))


if __name__ == "__main__":
    main()
