"""How surely the same paper is known in other bytes: `python -m benchmarks.proof.same_paper [--data DIR]`.

Each scan and PDF of the folder is scanned again: rendered, turned by a degree, and saved as a poor JPEG. It has to be
known as itself, and as no other.
"""

from __future__ import annotations

import argparse
import io
import os
import tempfile
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import django
from PIL import Image

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "docrouter.settings")
django.setup()

from documents.index.same_paper import is_same_paper  # noqa: E402 - needs Django set up
from kit.errors import AppError  # noqa: E402
from reader.pool.readers import ReaderPool  # noqa: E402
from reader.words import Word  # noqa: E402

DEFAULT_DATA = Path(__file__).resolve().parents[2] / "tests" / "data"
SUFFIXES = {".pdf", ".jpg", ".png"}
WIDTH, TURN, QUALITY = 1500, 1.0, 45


def read_twice(pool: ReaderPool, folder: Path) -> Iterator[tuple[str, list[Word], list[Word]]]:
    """The first page as it is, and scanned again."""
    for file in sorted(folder.rglob("*")):
        if file.suffix in SUFFIXES:
            try:
                yield file.name, _read(pool, file), _scan_again(pool, file)
            except AppError as error:
                print(f"left out: {file.name}: {error.sentence}")


def _read(pool: ReaderPool, file: Path) -> list[Word]:
    return list(pool.read(file, [1])[0].words)


def _scan_again(pool: ReaderPool, file: Path) -> list[Word]:
    rendered = pool.render(file, 1, WIDTH, rotation=0, image_format="png")
    picture = Image.open(io.BytesIO(rendered.data)).convert("RGB").rotate(TURN, fillcolor="white", expand=True)
    with tempfile.NamedTemporaryFile(suffix=".jpg") as scan:
        picture.save(scan.name, quality=QUALITY)
        return _read(pool, Path(scan.name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA)
    pool = ReaderPool(1)
    try:
        papers = list(read_twice(pool, parser.parse_args().data))
    finally:
        pool.close()
    missed = [name for name, first, again in papers if not is_same_paper(first, again)]
    pairs = list(combinations(papers, 2))
    false = [(one[0], other[0]) for one, other in pairs if is_same_paper(one[1], other[2])]
    print(f"{len(papers) - len(missed)} of {len(papers)} papers known again; missed: {', '.join(missed) or 'none'}")
    print(f"{len(false)} of {len(pairs)} pairs of two papers taken for one: {false or 'none'}")


if __name__ == "__main__":
    main()
