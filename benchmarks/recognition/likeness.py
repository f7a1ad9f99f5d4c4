"""How alike files look to automatic setup: `python -m benchmarks.recognition.likeness [--data DIR]`.

Each file's first page is read and sketched as the product does it, and each pair is compared. Files whose names are
the same up to the first digit count as one kind. Below the table stands how alike those of one kind and of two are.
"""

import argparse
import os
import re
import tempfile
from itertools import combinations
from pathlib import Path

import django

from benchmarks.recognition.reading import DEFAULT_DATA


def sketch_of(file: Path) -> "Sketch | None":
    try:
        words = get_pool().read(file, range(1, 2))[0].words
    except AppError as refused:
        print(f"{file.name:34} {refused}")
        return None
    return Sketch(words=likeness.hash_shingles(words), layout=likeness.measure_spread(words))


def kind_of(name: str) -> str:
    return re.split(r"\d", name)[0] or name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA)
    folder: Path = parser.parse_args().data
    files = folder / "files" if (folder / "files").is_dir() else folder
    every = {file.name: sketch_of(file) for file in sorted(files.iterdir()) if file.is_file()}
    known = {name: sketch for name, sketch in every.items() if sketch and sketch.words}
    likenesses = {
        (one, other): likeness.measure_likeness(known[one], known[other]) for one, other in combinations(known, 2)
    }
    for at, name in enumerate(known):
        row = (f"{likenesses[other, name]:.2f}" for other in list(known)[:at])
        print(f"{at + 1:2} {name:34} {' '.join(row)}")
    print(f"{'':37} {' '.join(f'{at + 1:4}' for at in range(len(known) - 1))}")
    print_summary(likenesses)


def print_summary(likenesses: dict[tuple[str, str], float]) -> None:
    of_kind: dict[str, list[float]] = {}
    for (one, other), value in likenesses.items():
        of_kind.setdefault(kind_of(one) if kind_of(one) == kind_of(other) else "two kinds", []).append(value)
    for kind, values in of_kind.items():
        above = sum(value >= likeness.ALIKE for value in values)
        print(f"{kind:14} {min(values):.2f} to {max(values):.2f}, {above} of {len(values)} pairs alike")


with tempfile.TemporaryDirectory() as empty:
    os.environ |= {"DJANGO_SETTINGS_MODULE": "docrouter.settings", "DATA_DIR": empty, "SECRET_KEY": "benchmark"}
    django.setup()
    from documents.models import Sketch
    from documents.reading import likeness
    from kit.errors import AppError
    from reader.pool.readers import get_pool

if __name__ == "__main__":
    main()
