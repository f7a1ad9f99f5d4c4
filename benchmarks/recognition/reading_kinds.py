"""`python -m benchmarks.recognition.reading_kinds`: a generated invoice as a file of each kind that is read here.

Prints for each kind the seconds of CPU a page, reading and its picture, the memory that a new process takes for it, and
how many of the printed values are lost. Pictures are of the page of the text, as a scanner would make them.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import resource
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from reader.opening import open_source
from reader.pages import Limits
from reader.sandbox.limits import budget
from tests.documents.files_of_kinds import KINDS, VALUES, make_text
from tests.documents.losses import list_lost
from tests.documents.reader_files import pdf, text_at

LIMITS = Limits(max_bytes=20_000_000, max_pages=40, max_pixels=40_000_000)
WIDTH, SCANNED_WIDTH = 1200, 1654
TIMES = 5
# By the names that Pillow gives them.
PICTURES = ("PNG", "JPEG", "TIFF", "WEBP", "GIF", "BMP", "JPEG2000", "AVIF")


class Cost(NamedTuple):
    """read, drawn: seconds of all pages."""

    pages: int
    read: float
    drawn: float
    lost: int


def main() -> None:
    lost = f"lost of {len(VALUES)}"
    print(f"{'kind':10}{'pages':>7}{'read, s a page':>16}{'drawn, s a page':>17}{'MB above idle':>15}{lost:>13}")
    makers = KINDS | {"pdf": make_pdf} | {form.lower(): lambda form=form: draw_page(form) for form in PICTURES}
    with tempfile.TemporaryDirectory() as folder:
        for kind, make in makers.items():
            path = Path(folder) / kind
            path.write_bytes(make())
            with multiprocessing.get_context("fork").Pool(1) as pool:
                print(pool.apply(describe_kind, (kind, path)), flush=True)


def make_pdf() -> bytes:
    lines = make_text().decode().splitlines()
    return pdf(
        ["".join(text_at(60, 780 - 20 * at, line) for at, line in enumerate(lines))], page="/MediaBox [0 0 595 842]"
    )


def draw_page(form: str) -> bytes:
    with tempfile.TemporaryFile() as file:
        file.write(make_text())
        file.seek(0)
        _, source = open_source(file, None, LIMITS, as_lines=True)
        picture, data = source.draw(1, SCANNED_WIDTH), io.BytesIO()
    picture.convert("RGB").save(data, form)
    return data.getvalue()


def describe_kind(kind: str, path: Path) -> str:
    """In a process of its own."""
    before = read_memory()
    costs = [measure_kind(path)]
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before
    # An engine is loaded once.
    costs = [measure_kind(path) for _ in range(TIMES if costs[0].read < 1 else 1)]
    read, drawn = (min(values) / costs[0].pages for values in zip(*((c.read, c.drawn) for c in costs), strict=True))
    return f"{kind:10}{costs[0].pages:7}{read:16.4f}{drawn:17.4f}{megabytes:15.0f}{costs[0].lost:13}"


def read_memory() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024**2


def measure_kind(path: Path) -> Cost:
    budget.start()
    began = time.process_time()
    with path.open("rb") as file:
        _, source = open_source(file, None, LIMITS)
        numbers = range(1, len(source.sizes) + 1)
        words = [word for number in numbers for word in source.read(number, "auto").words]
        read = time.process_time()
        for number in numbers:
            source.draw(number, WIDTH)
    return Cost(len(numbers), read - began, time.process_time() - read, len(list_lost(words)))


if __name__ == "__main__":
    main()
